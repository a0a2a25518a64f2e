/** Where a drive's parts are below its mount. */
import type { DriveOptions } from "./DriveOptions.ts"

/** Where clients look for the agent's card: at the root of the origin, wherever the drive is mounted. */
export const cardPath = "/.well-known/agent-card.json"

export const pathsOf = ({ paths = {} }: DriveOptions) => ({
  api: paths.api ?? "/api",
  auth: paths.auth ?? "/auth",
  storage: paths.storage ?? "/storage",
  a2a: paths.a2a ?? "/a2a"
})

/** The first segments of all routes. */
export const prefixesOf = (options: DriveOptions): ReadonlyArray<string> => {
  const { a2a, api, auth, storage } = pathsOf(options)
  return [api, auth, storage, "/healthz", "/readyz", ...options.agent === false ? [] : [a2a, cardPath]]
}
