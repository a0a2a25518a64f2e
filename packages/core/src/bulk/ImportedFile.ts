/**
 * A file whose bytes lie in storage already, as a host that moves its users'
 * files to the drive describes it.
 */
import { Result, Schema } from "effect"
import * as ImportedMedia from "../facts/ImportedMedia.ts"
import type { FactValues } from "../facts/MediaFact.ts"
import { Description, FileName, FileSize, GivenMimeType } from "../files/FileDetail.ts"
import * as ObjectKey from "../files/ObjectKey.ts"
import * as Limits from "../limits/Limits.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import * as Tag from "../organize/Tag.ts"
import { InvalidField, type Refused } from "../shared/DriveError.ts"
import * as FieldIssue from "../shared/FieldIssue.ts"
import { defaultMimeType, FileType } from "../shared/FileType.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import * as Given from "../shared/Given.ts"
import type { AccountId } from "../shared/Ids.ts"
import { withoutOverrides } from "../shared/Text.ts"

const optional = Schema.optionalKey

const Time = Schema.Date.check(
  Schema.makeFilter<Date>((date) => Number.isNaN(date.getTime()) ? "must be a time" : undefined)
)

export const ImportedFile = Schema.Struct({
  /** `users/{userId}/…`: the name that makes a row the same when an import is repeated. */
  objectKey: ObjectKey.ObjectKey,
  /**
   * Where the bytes are: in the private bucket at `imported/{userId}/{storedAs}`. No form or upload of the drive's ever
   * writes there, and no row reaches another user's. Segments of letters, digits, `_` and `-`, up to 512 characters.
   */
  storedAs: Schema.String.check(Schema.isPattern(/^(?=.{1,512}$)[\w-]+(?:\/[\w-]+)*$/)),
  fileName: FileName,
  /** Recorded as the host gives it: the bytes are not probed. */
  type: FileType,
  /** Default `application/octet-stream`. */
  mimeType: GivenMimeType,
  /** Exact size in bytes. */
  fileSize: FileSize,
  /** The store's mark of the bytes, without quotes. May be left out where storage is asked (`verify`). */
  etag: optional(Schema.NonEmptyString),
  /** When the user got the file. Default now. */
  insertTime: optional(Time),
  description: optional(Schema.NullOr(Description)),
  /** Path like `/A/B`; missing folders are made. */
  folder: optional(Schema.String),
  tags: optional(Schema.Array(Schema.String)),
  media: optional(ImportedMedia.ImportedMedia)
})
/** As a host writes it: each row is checked when it comes. */
export type ImportedFile = typeof ImportedFile.Encoded

/** A row that may be recorded, its texts read. */
export interface PreparedFile extends Omit<typeof ImportedFile.Type, "media" | "mimeType"> {
  /** Its place among all rows, from 0. */
  readonly index: number
  readonly mimeType: string
  readonly storeKey: string
  readonly folderPath: FolderPath.FolderPath
  readonly tagTexts: ReadonlyArray<Tag.Spelling>
  readonly media: FactValues | null
}

/** What is wrong with a field of the row at `index`. */
export const wrong = (
  index: number,
  field: string,
  because: string,
  code: InvalidField["code"] = "invalid_field"
): InvalidField =>
  new InvalidField({ code, field: FieldIssue.pathText(["rows", index, ...field === "" ? [] : [field]]), because })

const read = Given.strictReader(ImportedFile)

/** Reads the row at `index` of an account's import, or says what is wrong with it. `now` is the latest insert time. */
export const prepare = (
  accountId: AccountId,
  given: unknown,
  index: number,
  now: Date
): Result.Result<PreparedFile, InvalidField | Refused> =>
  Result.gen(function*() {
    const file = yield* Result.mapError(
      read(given),
      ({ because, code, field }) => wrong(index, field, because, code)
    )
    yield* ObjectKey.owned(file.objectKey, accountId)
    const saying = (field: string) => (because: string) => wrong(index, field, because)
    if (file.insertTime !== undefined && file.insertTime > now) {
      return yield* Result.fail(wrong(index, "insertTime", "must not be in the future"))
    }
    const folderPath = yield* Result.mapError(FolderPath.parse(withoutOverrides(file.folder ?? "/")), saying("folder"))
    const tagTexts = new Map<string, Tag.Spelling>()
    for (const [at, text] of (file.tags ?? []).entries()) {
      const tag = yield* Result.mapError(Tag.parse(text), saying(FieldIssue.pathText(["tags", at])))
      if (!tagTexts.has(tag.folded)) tagTexts.set(tag.folded, tag)
    }
    if (tagTexts.size > Limits.tagsPerFile) {
      return yield* Result.fail(wrong(index, "tags", `must be at most ${Limits.tagsPerFile} different tags`))
    }
    return {
      ...file,
      index,
      mimeType: file.mimeType ?? defaultMimeType,
      storeKey: StoreKey.imported(accountId, file.storedAs),
      folderPath,
      tagTexts: [...tagTexts.values()],
      media: file.media === undefined ? null : ImportedMedia.stored(file.media)
    }
  })
