/** The messages of server-sent events. Loaded with the first feed, so it shares no code with what loads it. HTML: "Server-sent events". */

export interface Message {
  readonly id: string
  readonly event: string
  /** Undefined where there is none: such a message only says where the reader is. */
  readonly data: object | undefined
}

/** The messages of a stream of text. `heard` is told how much of one is not whole yet: without an end of one that can't be read. */
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
        const data = all("data")
        let told: object | undefined
        try {
          told = data ? JSON.parse(data) : undefined
        } catch {
          heard(Infinity)
        }
        yield { id: all("id"), event: all("event"), data: told }
      }
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}
