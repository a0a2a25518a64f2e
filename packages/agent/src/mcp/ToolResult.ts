/** What a tool returns: the answer of its route, as structured content and as parts. As JSON, of which long lists are made once. Pure. */

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

/** `operation`: its id. A list is the field `files` of an object. */
export const ofAnswer = (operation: string, answer: unknown): string => {
  if (operation === "readFile") return ofRead(answer as Read)
  const structured = JSON.stringify(Array.isArray(answer) ? { files: answer } : answer)
  return `{"content":[${JSON.stringify(text(structured))}],"structuredContent":${structured}}`
}

/** The drive's sentence, for the model to go on with. */
export const ofFailure = (sentence: string): string => JSON.stringify({ content: [text(sentence)], isError: true })
