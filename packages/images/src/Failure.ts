/** Why a provider gave no image, as the port says it. */
import { ImageGenerator } from "@filedrive/core"
import type { Duration } from "effect"

/** Longest excerpt of a provider's own text in a log entry, in UTF-16 code units. */
const excerptMaxLength = 400

/** A provider's text for the log: one line, without the key, which some providers repeat. */
export const excerpt = (text: string, secret: string): string => {
  const line = text.replaceAll(secret, "…").replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim()
  return line.length <= excerptMaxLength ? line : `${line.slice(0, excerptMaxLength)}…`
}

/** Whether the provider may have begun is true unless said otherwise: what was not begun may be asked again. */
export const failure = (
  reason: ImageGenerator.ImageReason,
  cause: string,
  { begun = true, retryAfter = null }: {
    readonly begun?: boolean
    readonly retryAfter?: Duration.Duration | null
  } = {}
): ImageGenerator.ImageFailure =>
  new ImageGenerator.ImageFailure({ reason, begun, retryAfter, cause: new Error(cause) })
