/** A request whose body was read before, for routes that read bytes from the stream. */
import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import { type HostRequest, parsedBody } from "./ParsedBody.ts"

/**
 * The request itself while its body is unread, else a stand-in that gives the
 * bytes again. Null when they are lost: the parsed form of a file is not the file.
 */
export const withBody = (request: HostRequest): IncomingMessage | null => {
  const parsed = parsedBody(request)
  if (parsed._tag === "none") return request
  if (parsed._tag !== "exact") return null
  const { headers, httpVersion, method, socket, url } = request
  const body = Readable.from(parsed.bytes.length === 0 ? [] : [Buffer.from(parsed.bytes)], { objectMode: false })
  return Object.assign(body, {
    headers,
    httpVersion,
    method,
    url,
    socket,
    complete: true
  }) as unknown as IncomingMessage
}
