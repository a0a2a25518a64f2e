/** Why a provider gave no image, as the port says it. */
import { ImageGenerator } from "@filedrive/core"
import { type Duration, Redacted } from "effect"

/** Longest text of a provider in a log entry, in UTF-16 code units. */
const toldMaxLength = 400

/** How much of a text is looked at: a provider's may have megabytes. */
const windowLength = 4_000

/** What a provider or its connection said, with the key that it may repeat. */
export interface Told {
  readonly text: string
  readonly key: Redacted.Redacted<string>
}

/** For the log: one line of bounded length, without the key, and without control, bidi and other invisible characters. */
const shown = ({ key, text }: Told): string => {
  const secret = Redacted.value(key)
  const isCut = text.length > windowLength + secret.length
  const seen = isCut ? text.slice(0, windowLength + secret.length) : text
  const without = secret === "" ? seen : seen.replaceAll(secret, "…")
  // Where the text is cut there may be the beginning of the key.
  const whole = isCut ? without.slice(0, Math.max(0, without.length - secret.length)) : without
  const line = whole.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim()
  return line.length <= toldMaxLength && !isCut ? line : `${line.slice(0, toldMaxLength)}…`
}

/** The type of one literal; `never` for `string` and for templates with one in them. */
type Literal<Text extends string> = {} extends Record<Text, 1> ? never : Text

/**
 * Whether the provider may have begun is true unless said otherwise: what was not begun may be asked again. `because` is a sentence of this
 * package, without a part that is only known at run time: whatever comes from outside is `told`, and shown as {@link Told} is.
 */
export const failure = <const Because extends string>(
  reason: ImageGenerator.ImageReason,
  because: Because & Literal<Because>,
  { begun = true, retryAfter = null, told }: {
    readonly begun?: boolean
    readonly retryAfter?: Duration.Duration | null
    readonly told?: Told
  } = {}
): ImageGenerator.ImageFailure =>
  new ImageGenerator.ImageFailure({
    reason,
    begun,
    retryAfter,
    cause: new Error(told === undefined ? because : `${because} ${shown(told)}`)
  })
