/**
 * The bytes of a body that was read before the drive already: by a body
 * parser of Express, or a host's own. Its result is turned back into bytes that
 * mean the same.
 */
import type { IncomingMessage } from "node:http"

/** A request as frameworks pass it. */
export interface HostRequest extends IncomingMessage {
  /** The result of a body parser. */
  readonly body?: unknown
  /** The bytes as they came, where the host keeps them. */
  readonly rawBody?: unknown
  /** The URL as it came, where the framework removes mounts from `url`. */
  readonly originalUrl?: string | undefined
}

/**
 * - `none`: nobody has read the body; it is still in the stream.
 * - `exact`: the bytes as they came.
 * - `alike`: other bytes of the same meaning, as good for JSON and as bad for a file.
 * - `gone`: somebody read the body and left nothing of it.
 */
export type ParsedBody =
  | { readonly _tag: "none" | "gone" }
  | { readonly _tag: "exact" | "alike"; readonly bytes: Uint8Array }

const encoder = new TextEncoder()
const none: ParsedBody = { _tag: "none" }
const gone: ParsedBody = { _tag: "gone" }
const alike = (text: string): ParsedBody => ({ _tag: "alike", bytes: encoder.encode(text) })

const isForm = (request: IncomingMessage) =>
  /^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "")

/** The state of a request's body. */
export const parsedBody = (request: HostRequest): ParsedBody => {
  if (!request.readableDidRead) return none
  const { body, rawBody } = request
  if (rawBody instanceof Uint8Array) return { _tag: "exact", bytes: rawBody }
  if (body instanceof Uint8Array) return { _tag: "exact", bytes: body }
  if (body === undefined || body === null) return gone
  if (typeof body === "string") return alike(body)
  // No route takes a form; it only has to stay one, so that the error says so.
  return alike(isForm(request) ? "form" : JSON.stringify(body))
}
