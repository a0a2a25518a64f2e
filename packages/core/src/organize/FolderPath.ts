/**
 * Where a folder is: a path like `/A/B`, at most 32 deep; `/` is the top of
 * the drive. Two paths are one folder when they are equal but for case.
 *
 * Spec: "Other resources", Folder. Contract: "Files".
 */
import { Result } from "effect"
import * as Limits from "../limits/Limits.ts"
import { foldCase, hasControlCharacter } from "../shared/Text.ts"

/** A folder's own and its parents' names, from the top; none for the top itself. */
export type FolderPath = ReadonlyArray<string>

/** Reads a path, or says in a few words why it is not one. A slash at the end changes nothing. */
export const parse = (text: string): Result.Result<FolderPath, string> => {
  if (!text.startsWith("/")) return Result.fail("must begin with /")
  const names = text.split("/").slice(1)
  if (names.at(-1) === "") names.pop()
  if (names.length > Limits.folderMaxDepth) return Result.fail(`must be at most ${Limits.folderMaxDepth} folders deep`)
  const { max } = Limits.folderNameLength
  for (const name of names) {
    if (name === "") return Result.fail("must not hold an empty folder name")
    if (name.length > max) return Result.fail(`must hold folder names of at most ${max} characters`)
    if (!name.isWellFormed() || hasControlCharacter(name)) return Result.fail("must not hold control characters")
  }
  return Result.succeed(names)
}

/** The path as text, in the spelling of `names`. */
export const format = (names: FolderPath): string => `/${names.join("/")}`

/** The form two spellings of one path share. */
export const fold = (names: FolderPath): string => foldCase(format(names))
