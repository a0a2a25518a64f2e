/** A language model that does what its tests say: by the beginning of a message. */
import { Effect, Layer, Stream } from "effect"
import { LanguageModel, type Prompt, type Response } from "effect/ai"

type Answer = string | { readonly name: string; readonly args: unknown }

const textOf = ({ content }: Prompt.Message): string =>
  typeof content === "string"
    ? content
    : (content as ReadonlyArray<{ readonly type: string; readonly text?: string }>)
      .flatMap(({ text, type }) => type === "text" && text !== undefined ? [text] : []).join("\n")

/** `hold` is answered after `release`, `wait` waits for files in /Inbox, `find` finds all files, `fail` breaks, `ask` is answered by a question; others are repeated. */
export const scriptedAgent = () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const answerTo = async (text: string, hasResult: boolean): Promise<Answer> => {
    if (text.startsWith("hold")) await held
    if (text.startsWith("wait") && !hasResult) {
      const args = { kind: "folder_files", folder: "/Inbox", text: `Waits for files in /Inbox. (${text})` }
      return { name: "wait_for", args }
    }
    if (text.startsWith("find") && !hasResult) return { name: "search_files", args: {} }
    if (text.startsWith("ask")) return "Which folder do you mean?\n1. /Photos\n2. /Scans"
    if (text.startsWith("find the report")) return "I found it: report of the year.pdf"
    return `You said: ${text}`
  }
  let calls = 0
  const layer = Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: ({ prompt }) =>
        Effect.promise(async () => {
          const from = prompt.content.findLastIndex(({ role }) => role === "user")
          const hasResult = prompt.content.slice(from).some(({ role }) => role === "tool")
          const answer = await answerTo(textOf(prompt.content[from]!), hasResult)
          const part: Response.PartEncoded = typeof answer === "string"
            ? { type: "text", text: answer }
            : {
              type: "tool-call",
              id: `call-${++calls}`,
              name: answer.name,
              params: answer.args,
              providerExecuted: false
            }
          return [part, {
            type: "finish",
            reason: typeof answer === "string" ? "stop" : "tool-calls",
            usage: {
              inputTokens: { uncached: 1, total: 1, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: 1, text: 1, reasoning: 0 }
            },
            response: undefined
          } as Response.PartEncoded]
        }),
      streamText: () => Stream.empty
    })
  )
  return { layer, release: () => release() }
}
