/** Sending by a `fetch` of the host's own. */
import { DriveError, unreachable } from "../DriveError.ts"
import type { Fetch } from "../Options.ts"
import { type Piece, type Send, sizeOf } from "../Platform.ts"
import { unreadable } from "../upload/Source.ts"

/** What storage says of a refusal is kept up to this. */
const textMaxLength = 65_536

/** The text of an answer, or the beginning of a long one: leaving the loop ends it. */
const textOf = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= textMaxLength) break
  }
  return text + decoder.decode()
}

const chunksOf = async function*(pieces: ReadonlyArray<Piece>, onSent: (bytes: number) => void) {
  let sent = 0
  for (const piece of pieces) {
    const chunks = piece instanceof Uint8Array
      ? [piece]
      : piece instanceof Blob
      ? [new Uint8Array(await piece.arrayBuffer())]
      : piece.read()
    for await (const chunk of chunks) {
      // A stream may keep what it is given.
      yield chunk.slice()
      onSent(sent += chunk.byteLength)
    }
  }
}

/** Bytes that are read while they are sent go as a stream whose length is told, which browsers don't allow. */
export const sendByFetch = (fetch: Fetch): Send => async ({ headers, method, onSent, pieces, signal, url }) => {
  const size = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
  const init: RequestInit = { method, headers, signal }
  /** Why the file can't be read: `fetch` may tell it as something else. */
  let broken: DriveError | undefined
  if (pieces.some((piece) => "read" in piece)) {
    const chunks = chunksOf(pieces, onSent)
    init.body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await chunks.next().catch((cause: unknown) => {
          throw broken = cause instanceof DriveError ? cause : unreadable("", cause)
        })
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => chunks.return(undefined).then(() => {})
    }, { highWaterMark: 0 })
    init.headers = { ...headers, "content-length": String(size) }
    Object.assign(init, { duplex: "half" })
  } else {
    init.body = new Blob(pieces as Array<Blob>)
  }
  try {
    const response = await fetch(url, init)
    const text = await textOf(response)
    onSent(size)
    return { status: response.status, text, retryAfter: response.headers.get("retry-after") }
  } catch (cause) {
    throw signal.aborted ? signal.reason : broken ?? unreachable(url, cause)
  }
}
