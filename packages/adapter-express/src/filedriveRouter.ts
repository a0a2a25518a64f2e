import { answerByFetch, type HostRequest, sendUnreadableBody } from "@filedrive/adapter-node"
import { type ServerResponse } from "node:http"

/** What the router needs of a drive; one without a `nodeHandler` (a drive in memory) will do. */
export interface EmbeddedDrive {
  readonly fetch: (request: Request) => Promise<Response>
  readonly owns: (url: string) => boolean
  readonly nodeHandler?: (request: HostRequest, response: ServerResponse, next?: () => void) => void
}

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

const byFetch = (drive: EmbeddedDrive): Middleware => (request, response, next) =>
  drive.owns(request.url ?? "/") ? void answerByFetch(drive.fetch, request, response).catch(next) : next()

/**
 * The drive's routes for `app.use(path, filedriveRouter(drive))`. Requests for
 * other paths go on to the host's next handler. It works with and without a
 * body parser before it; an upload that a parser has turned into text can't be
 * taken, so mount it before parsers that take every content type.
 *
 * Two middlewares: the routes, and an error handler that answers a body no
 * parser could read in the drive's own form, on the drive's paths only.
 */
export const filedriveRouter = (drive: EmbeddedDrive): [Middleware, ErrorMiddleware] => [
  drive.nodeHandler === undefined
    ? byFetch(drive)
    : (request, response, next) => drive.nodeHandler?.(request, response, () => next()),
  (error, request, response, next) => {
    if (!drive.owns(request.url ?? "/") || !isBodyError(error)) return next(error)
    sendUnreadableBody(response, sentences[error.type] ?? "The body could not be read.")
  }
]
