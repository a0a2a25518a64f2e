/** A query after parsing: everything in it is valid. */
import { type Brand, Result } from "effect"
import type { Term } from "../docindex/Words.ts"
import * as Words from "../docindex/Words.ts"
import * as MusicalKey from "../facts/MusicalKey.ts"
import * as Limits from "../limits/Limits.ts"
import type { FileType } from "../shared/FileType.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { foldCase } from "../shared/Text.ts"
import type { SearchQuery, Sort } from "./SearchQuery.ts"

export interface ParsedQuery extends
  Omit<
    Brand.Brand.Unbranded<SearchQuery>,
    "text" | "types" | "type" | "tags" | "folder" | "key" | "sort" | "limit" | "offset"
  >
{
  readonly terms: ReadonlyArray<Term>
  /** Null: any. */
  readonly types: ReadonlyArray<FileType> | null
  readonly foldedTags: ReadonlyArray<string>
  /** Null: anywhere. */
  readonly foldedPath: string | null
  readonly keys: ReadonlyArray<number> | null
  readonly sort: Sort
}

/** No spelling of a tag is longer. Folding takes time that grows with the square of the length. */
const tagMaxLength = 4 * Limits.tagTextLength.max

const foldedTag = (tag: string): string => foldCase(tag.trim().slice(0, tagMaxLength))

/**
 * Parses a query, whose `folder` and `key` are known to be valid. Queries that ask for the same in another order, or twice,
 * become equal.
 */
export const parse = (query: SearchQuery): ParsedQuery => {
  const {
    folder,
    key,
    limit: _limit,
    offset: _offset,
    sort = "newest",
    tags = [],
    text = "",
    type,
    types = [],
    ...rest
  } = query
  const anyOf = types.length === 0 ? null : [...new Set(types)].sort()
  return {
    ...rest,
    terms: Words.terms(text),
    types: type === undefined ? anyOf : anyOf === null || anyOf.includes(type) ? [type] : [],
    foldedTags: [...new Set(tags.map(foldedTag))].sort(),
    foldedPath: FolderPath.folded(folder),
    keys: key === undefined ? null : Result.getOrThrow(MusicalKey.parse(key)),
    sort
  }
}
