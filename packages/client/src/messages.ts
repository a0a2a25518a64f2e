/** The messages of server-sent events. Loaded with the first feed, so it shares no code with what loads it. HTML: "Server-sent events". */

export interface Message {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** The messages of a stream of text; those without data only say where the reader is. `heard` is told how much of one is not whole yet. */
export const messages = async function*(
  body: ReadableStream<Uint8Array>,
  heard: (length: number) => void
): AsyncGenerator<Message> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop()!
      heard(text.length)
      for (const block of blocks) {
        // At its own ends of lines alone: JSON may have others, U+2028 for example.
        const lines = block.split(/\r?\n/)
        const all = (name: string) =>
          lines.filter((line) => line.startsWith(`${name}:`)).map((line) =>
            line.slice(name.length + 1).replace(/^ /, "")
          )
            .join("\n")
        yield { id: all("id"), event: all("event"), data: all("data") }
      }
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}
