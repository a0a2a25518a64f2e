/** One request to storage. */
import { watched } from "../Backoff.ts"
import { retryAfter, storageRefused } from "../DriveError.ts"
import { type Send, type Sending, sizeOf } from "../Platform.ts"

/** How long nothing may be sent, and how long storage may take to keep what it was sent. */
const stallMillis = 60_000
const answerMillis = 300_000

/** Sends bytes to storage. Fails with `storage_refused` where it doesn't take them. */
export const stored = (send: Send, sending: Sending): Promise<void> => {
  const size = sending.pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
  return watched(answerMillis, sending.signal, async (signal, alive) => {
    const { retryAfter: asked, status, text } = await send({
      ...sending,
      signal,
      onSent: (bytes) => {
        alive(bytes < size ? stallMillis : answerMillis)
        sending.onSent(bytes)
      }
    })
    if (status >= 200 && status < 300) return
    // A URL may have lapsed; the next one is fresh.
    const isRetryable = status >= 500 || [403, 404, 408, 429].includes(status)
    throw storageRefused(status, isRetryable, /<Message>([^<]*?)\.?</.exec(text)?.[1], retryAfter(asked))
  })
}
