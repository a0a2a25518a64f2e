/**
 * A drive in an Express app, version 5 or 4, under any path:
 *
 * ```ts
 * const drive = createDrive({ url: "https://app.example.com/drive" })
 * app.use("/drive", filedriveRouter(drive))
 * ```
 */
export { type ErrorMiddleware, filedriveRouter, type Middleware } from "./filedriveRouter.ts"
