/**
 * Where a folder is: a path like `/A/B`, at most 32 deep; `/` is the top of
 * the drive. Two paths are one folder when they are equal but for case.
 *
 * Spec: "Other resources", Folder. Contract: "Files".
 */
import { Option, Result, Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { foldCase, lengthInOpenApi, LineOfLength, named, nameFlaw, Text } from "./Text.ts"

/** A folder's own and its parents' names, from the top; none for the top itself. */
export type FolderPath = ReadonlyArray<string>

/** The top of the drive, as text. */
export const top = "/"

/** Why a text is not a valid folder name, in a few words, or undefined when it is. */
const flaw = (name: string): string | undefined => {
  const { max } = Limits.folderNameLength
  if (name === "") return "must not contain an empty folder name"
  if (name.length > max) return `must contain folder names of at most ${max} characters`
  return nameFlaw(name)
}

/** The name of one folder. */
export const FolderName = LineOfLength(Limits.folderNameLength.min, Limits.folderNameLength.max).check(
  Schema.makeFilter<string>((name) => name.includes("/") ? "must not contain a slash" : undefined)
).pipe(Schema.brand("FolderName"))
export type FolderName = typeof FolderName.Type

/** Parses a path; fails with a short reason. A slash at the end changes nothing. */
export const parse = (text: string): Result.Result<FolderPath, string> => {
  if (!text.startsWith("/")) return Result.fail("must begin with /")
  const names = text.split("/").slice(1)
  if (names.at(-1) === "") names.pop()
  if (names.length > Limits.folderMaxDepth) return Result.fail(tooDeep)
  for (const name of names) {
    const wrong = flaw(name)
    if (wrong !== undefined) return Result.fail(wrong)
  }
  return Result.succeed(names)
}

/** The longest path: as many of the longest names as there may be, with a slash before each and at the end. */
const pathMaxLength = Limits.folderMaxDepth * (Limits.folderNameLength.max + 1) + 1

/** A path as text: that of a folder, or `/`. */
export const Path = named(
  Text.check(Schema.makeFilter<string>(
    (text) => text.length > pathMaxLength ? `must have at most ${pathMaxLength} characters` : undefined,
    lengthInOpenApi({ min: 1, max: pathMaxLength })
  )),
  (text) => Option.getOrUndefined(Result.getFailure(parse(text)))
).pipe(Schema.brand("FolderPath"))
export type Path = typeof Path.Type

/** The names that a path leads through. */
export const names = (path: Path): FolderPath => Result.getOrThrow(parse(path))

/** The reason when a folder would be too deep. */
export const tooDeep = `must be at most ${Limits.folderMaxDepth} folders deep`

/** The path as text, in the spelling of `names`. */
export const format = (names: FolderPath): string => `/${names.join("/")}`

/** The form two spellings of one path share. */
export const fold = (names: FolderPath): string => foldCase(format(names))

/** Whether the folded path `inner` is that of `top` or of a folder inside it. */
export const isInside = (inner: string, top: string): boolean => inner === top || inner.startsWith(`${top}/`)

/** How many folders a path as text leads through. */
export const depthOf = (path: string): number => path.split("/").length - 1

/** The other folded path by which a folder is found that is or was inside a folder which is being moved; undefined for any other folder. */
export const otherPath = (
  path: string,
  folder: { readonly foldedPath: string; readonly formerFoldedPath: string }
): string | undefined =>
  isInside(path, folder.formerFoldedPath)
    ? folder.foldedPath + path.slice(folder.formerFoldedPath.length)
    : isInside(path, folder.foldedPath)
    ? folder.formerFoldedPath + path.slice(folder.foldedPath.length)
    : undefined

/** The folded path that a filter names; null, which means no filter, for the top of the drive and when no folder is named. */
export const folded = (path: Path | undefined): string | null => {
  const named = path === undefined ? [] : names(path)
  return named.length === 0 ? null : fold(named)
}
