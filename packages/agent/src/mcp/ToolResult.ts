/** What a tool returns: the answer of its route, as structured content and as parts. Pure. */

export type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }

export interface ToolResult {
  readonly content: ReadonlyArray<Content>
  readonly structuredContent?: unknown
  readonly isError?: true
}

interface Read {
  readonly note: string
  readonly text?: string
  readonly image?: { readonly data: string; readonly mimeType: string }
}

const text = (text: string): Content => ({ type: "text", text })

/** A file's content as parts, the note last. An image is not repeated in the structured content, which would double it. */
const ofRead = ({ image, ...answer }: Read): ToolResult => ({
  content: [
    ...image === undefined ? [] : [{ type: "image", ...image } as const],
    ...answer.text === undefined ? [] : [text(answer.text)],
    text(answer.note)
  ],
  structuredContent: answer
})

/** `operation`: its id. A list is the field `files` of an object. */
export const ofAnswer = (operation: string, answer: unknown): ToolResult => {
  if (operation === "readFile") return ofRead(answer as Read)
  const structuredContent = Array.isArray(answer) ? { files: answer } : answer
  return { content: [text(JSON.stringify(structuredContent))], structuredContent }
}

/** The drive's sentence, for the model to go on with. */
export const ofFailure = (sentence: string): ToolResult => ({ content: [text(sentence)], isError: true })
