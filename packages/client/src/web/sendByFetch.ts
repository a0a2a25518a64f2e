/** Sending by `fetch`: progress is told when all is sent. */
import { unreachable } from "../DriveError.ts"
import type { Fetch } from "../Options.ts"
import type { Send } from "../Platform.ts"

export const sendByFetch = (fetch: Fetch): Send => async ({ headers, method, onSent, pieces, signal, url }) => {
  try {
    const body = new Blob(pieces as Array<Blob>)
    const response = await fetch(url, { method, headers, signal, body })
    const text = await response.text()
    onSent(body.size)
    return { status: response.status, text, retryAfter: response.headers.get("retry-after") }
  } catch (cause) {
    throw signal.aborted ? signal.reason : unreachable(url, cause)
  }
}
