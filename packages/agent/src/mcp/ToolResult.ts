/** What a tool returns: the answer of its route, as structured content and as parts. As JSON, of which long lists are made once. Pure. */
import { type DriveTools, Limits } from "@filedrive/core"

interface Read {
  readonly note: string
  readonly text?: string
  readonly image?: { readonly data: string; readonly mimeType: string }
}

const text = (text: string) => ({ type: "text", text })

/** A file's content as parts, the note last. An image is not repeated in the structured content, which would double it. */
const ofRead = ({ image, ...answer }: Read): string =>
  JSON.stringify({
    content: [
      ...image === undefined ? [] : [{ type: "image", ...image }],
      ...answer.text === undefined ? [] : [text(answer.text)],
      text(answer.note)
    ],
    structuredContent: answer
  })

/**
 * A list is the field `files` of an object. If the answer of a tool that only reads is too long, the result is an error that says how to ask for
 * less. A tool that changed something answers at any length.
 */
export const ofAnswer = (
  { effect, operation }: Pick<DriveTools.DriveTool, "effect" | "operation">,
  answer: unknown
): string => {
  if (operation === "readFile") return ofRead(answer as Read)
  const structured = JSON.stringify(Array.isArray(answer) ? { files: answer } : answer)
  if (effect === "reads" && structured.length > Limits.toolAnswerMaxLength) return ofFailure(tooLong)
  return `{"content":[${JSON.stringify(text(structured))}],"structuredContent":${structured}}`
}

const tooLong =
  `The answer has more than ${Limits.toolAnswerMaxLength} characters: ask for less of it, by a smaller limit, fewer ids or one ` +
  "folder, and for the rest page by page."

/** The drive's sentence, for the model to go on with. */
export const ofFailure = (sentence: string): string => JSON.stringify({ content: [text(sentence)], isError: true })
