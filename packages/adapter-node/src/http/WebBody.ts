/** Tells when a web response has been read to its end, or will not be. */

/** Answers whose bytes are in memory already: every refusal, and records. */
const isWhole = (response: Response): boolean =>
  response.body === null || response.status >= 400 ||
  (response.headers.get("content-type") === "application/json" && response.headers.has("content-length"))

/** The same response; `done` is called when it has ended, or when `signal` says that nobody reads it any longer. */
export const untilRead = (response: Response, signal: AbortSignal, done: () => void): Response => {
  if (isWhole(response) || signal.aborted) {
    done()
    return response
  }
  signal.addEventListener("abort", done, { once: true })
  const reader = response.body!.getReader()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done: ended, value } = await reader.read()
        if (!ended) return controller.enqueue(value)
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      done()
    },
    cancel: (reason) => {
      done()
      return reader.cancel(reason)
    }
  }, { highWaterMark: 0 })
  return new Response(body, response)
}
