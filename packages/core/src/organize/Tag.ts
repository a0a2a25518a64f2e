/** The text of a tag. Spec: "Other resources", Tag. */
import { Option, Result, Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import type { TagId } from "../shared/Ids.ts"
import { foldCase, named, nameFlaw, Text, withoutOverrides } from "../shared/Text.ts"

export interface Tag {
  readonly id: TagId
  /** In the spelling first written. */
  readonly text: string
}

/** A tag as it is listed. */
export interface TagItem extends Tag {
  /** Files in view that carry it. */
  readonly fileCount: number
}

/** A tag with the form that its spellings share, by which it is sorted. */
export interface StoredTag extends TagItem {
  readonly folded: string
}

/** A tag, and the number it is searched by. */
export interface NumberedTag extends Tag {
  readonly no: string
}

/** A tag's text with the form that its spellings share. */
export interface Spelling {
  readonly text: string
  readonly folded: string
}

/** Parses the text of a tag, without the blanks at its ends; fails with a short reason. */
export const parse = (given: string): Result.Result<Spelling, string> => {
  const text = withoutOverrides(given).trim()
  const { max, min } = Limits.tagTextLength
  if (text.length > max) return Result.fail(`must have ${min} to ${max} characters`)
  // A text of blanks alone is empty.
  const flaw = nameFlaw(text === "" ? given : text)
  if (flaw !== undefined) return Result.fail(flaw)
  if (text.length < min) return Result.fail(`must have ${min} to ${max} characters`)
  return Result.succeed({ text, folded: foldCase(text) })
}

/** A valid text of a tag; blanks at its ends are ignored. */
export const TagText = named(Text, (text) => Option.getOrUndefined(Result.getFailure(parse(text)))).pipe(
  Schema.brand("TagText")
)
export type TagText = typeof TagText.Type

export const spelling = (text: TagText): Spelling => Result.getOrThrow(parse(text))
