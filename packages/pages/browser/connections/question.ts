/** Whether a reply asks something. Pure. */

/** Ends like a question; quotes, brackets and emphasis may follow the mark. */
const asks = (line: string): boolean => /[?\uff1f\u061f][)\]"'\u201c\u201d\u2019\u00bb\u00ab*_\s]*$/.test(line)

/** A question stands at the end, or above the things to choose from. */
export const isQuestion = (reply: string): boolean => {
  const lines = reply.split("\n").filter((line) => line.trim() !== "")
  return lines.length > 0 && (asks(lines[0]!) || asks(lines.at(-1)!))
}
