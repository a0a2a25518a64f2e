/** What both providers' answers have in common, and the form that their conversations share. Pure. */
import type { Prompt, Response } from "effect/ai"
import { Base64 } from "effect/encoding"

/** A picture that a model may look at: its base64, or where it is. */
export interface Picture {
  readonly mediaType: string
  readonly source: { readonly base64: string } | { readonly url: string }
}

/** What both providers look at. */
const pictureTypes = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"])

/** A file as a picture; null for other files. */
export const pictureOf = ({ data, mediaType }: Prompt.FilePart): Picture | null => {
  if (!pictureTypes.has(mediaType)) return null
  if (data instanceof URL) return { mediaType, source: { url: data.href } }
  return { mediaType, source: { base64: typeof data === "string" ? data : Base64.encode(data) } }
}

/** What stands for a file that no model is shown. */
export const noteOf = ({ fileName, mediaType }: Prompt.FilePart): string =>
  `[file${fileName === undefined ? "" : ` ${fileName}`}, ${mediaType}]`

/** What a tool answered, as text and pictures. */
export const answerOf = (
  { isFailure, modelOutput, result }: Prompt.ToolResultPart
): ReadonlyArray<string | Picture> => {
  if (modelOutput === undefined) return [JSON.stringify((isFailure ? { error: result } : result) ?? null)]
  return modelOutput.map((part) => part.type === "text" ? part.text : pictureOf(part) ?? noteOf(part))
}

/** The arguments of a call as they were read; text that is no JSON stays as it is, so that the tool refuses it and the model is told. */
export const argumentsOf = (text: string): unknown => {
  if (text.trim() === "") return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const usageOf = (
  input: number | undefined,
  output: number | undefined,
  cacheRead?: number
): Response.FinishPartEncoded["usage"] => ({
  inputTokens: { uncached: undefined, total: input, cacheRead, cacheWrite: undefined },
  outputTokens: { total: output, text: undefined, reasoning: undefined }
})

/** The parts of a whole answer as those of a stream: a text comes in one piece. */
export const streamed = (parts: ReadonlyArray<Response.PartEncoded>): ReadonlyArray<Response.StreamPartEncoded> =>
  parts.flatMap((part, index): ReadonlyArray<Response.StreamPartEncoded> => {
    if (part.type !== "text") return [part as Response.StreamPartEncoded]
    const id = `text-${index}`
    return [
      { type: "text-start", id },
      { type: "text-delta", id, delta: part.text },
      { type: "text-end", id }
    ]
  })
