import { type Drive, type HostRequest, sendUnreadableBody } from "@filedrive/adapter-node"
import type { ServerResponse } from "node:http"

type Next = (error?: unknown) => void

export type Middleware = (request: HostRequest, response: ServerResponse, next: Next) => void
export type ErrorMiddleware = (error: unknown, request: HostRequest, response: ServerResponse, next: Next) => void

/** Whether a body parser before the drive refused the body; other errors are not the drive's to answer. */
const isBodyError = (error: unknown): error is Error & { readonly type: string } =>
  error instanceof Error && "type" in error && typeof error.type === "string" &&
  /^(?:entity|encoding|charset|request|parameters|stream)\./.test(error.type)

const sentences: Readonly<Record<string, string>> = {
  "entity.parse.failed": "The body is not valid JSON.",
  "entity.too.large": "The body is larger than this server takes."
}

/**
 * The drive's routes for `app.use(path, filedriveRouter(drive))`. Requests for
 * other paths are passed to the host's next handler. It works with and without a
 * body parser before it; an upload that a parser has turned into text can't be
 * taken, so mount it before parsers that take every content type.
 *
 * Two middlewares: the routes, and an error handler that answers a body no
 * parser could read in the drive's own form, on the drive's paths only.
 */
export const filedriveRouter = (drive: Pick<Drive, "nodeHandler" | "owns">): [Middleware, ErrorMiddleware] => [
  (request, response, next) => drive.nodeHandler(request, response, () => next()),
  (error, request, response, next) => {
    if (!drive.owns(request.url ?? "/") || !isBodyError(error)) return next(error)
    sendUnreadableBody(response, sentences[error.type] ?? "The body could not be read.", request.url)
  }
]
