/** Links to files' bytes. Spec: `/generate-download-url`. */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Limits from "../limits/Limits.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import { type ByteRange, ObjectStore } from "../ports/ObjectStore.ts"
import { InvalidField, Refused, type Unavailable } from "../shared/DriveError.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { type FileViewer, FileViews, LinksAreOpens } from "../views/FileViews.ts"
import type { FileRecord } from "./FileRecord.ts"
import { FileRecords } from "./FileRecords.ts"
import * as StoredFile from "./StoredFile.ts"
import { VisibleFiles } from "./VisibleFiles.ts"

/** A file with its bytes, or the range of them that was asked for. */
export interface OpenedFile {
  readonly fileName: string
  readonly mimeType: string
  /** Of the whole file. */
  readonly sizeBytes: number
  readonly bytes: Stream.Stream<Uint8Array, Unavailable>
}

export class Downloads extends Context.Service<Downloads, {
  /**
   * The record of a file with a link in it: the lasting one of a public file,
   * else one that works for six hours. Repeating gives another. Given to anyone
   * but the file's owner it counts as one open, however often it is fetched.
   *
   * The id of a file's picture (`coverId`, `thumbnailId`) works for whoever the file's own does, and is no open.
   *
   * Fails with `Refused` (`file_not_found`) for a file that does not exist, is in
   * trash, or is private and somebody else's, without telling which.
   */
  readonly link: (
    id: FileId
  ) => Effect.Effect<FileRecord, InvalidField | Refused | Unavailable, CurrentAccount>

  /**
   * The bytes of a file that the caller sees, or a range of them, for the host's own process; the rest as {@link link}.
   * The stream fails with `Unavailable` when storage does. Fails with `InvalidField` naming `range` when it is not in the file.
   */
  readonly open: (
    id: FileId,
    range?: ByteRange
  ) => Effect.Effect<OpenedFile, InvalidField | Refused | Unavailable, CurrentAccount>

  /**
   * The same for somebody who is not signed in: public files only.
   * Fails with `InvalidField` naming `id` for everything else.
   */
  readonly publicLink: (
    id: FileId,
    caller: Omit<Extract<FileViewer, { readonly _tag: "Stranger" }>, "_tag">
  ) => Effect.Effect<FileRecord, InvalidField>
}>()("@filedrive/core/files/Downloads") {
  static readonly layerNoDeps = Layer.effect(
    Downloads,
    Effect.gen(function*() {
      const files = yield* VisibleFiles
      const records = yield* FileRecords
      const store = yield* ObjectStore
      const views = yield* FileViews

      const seen = Effect.fnUntraced(function*(id: FileId) {
        const found = yield* files.find(id)
        return Option.isSome(found)
          ? found.value
          : yield* new Refused({ code: "file_not_found", because: `No file of yours has the id ${id}.` })
      })

      const opened = (file: StoredFile.StoredFile, id: AccountId) =>
        file.accountId === id ? views.openedByOwner(file) : views.opened(file, { _tag: "User", id })

      const link = Effect.fn("Downloads.link")(function*(id: FileId) {
        const account = yield* allowed("read")
        const file = yield* seen(id)
        const url = file.isPublic ? store.publicUrl(file.storeKey) : yield* store.signGet({
          at: StoredFile.address(file),
          headers: ObjectHeaders.of(file, "private"),
          lifetime: Limits.downloadUrlLifetime
        })
        if (!file.isPicture && (yield* LinksAreOpens)) yield* opened(file, account.id)
        // A picture has no folder, tags or key of its owner's.
        return yield* records.one(file, file.isOwn && !file.isPicture ? "owner" : "other", url)
      })

      const publicLink: Downloads["Service"]["publicLink"] = Effect.fn("Downloads.publicLink")(function*(id, caller) {
        const found = yield* files.findPublic(id)
        if (Option.isNone(found)) {
          return yield* new InvalidField({
            code: "invalid_field",
            field: "id",
            because: "no public file has this id; send a session token to open a file of your own"
          })
        }
        const file = found.value
        if (!file.isPicture) yield* views.opened(file, { _tag: "Stranger", ...caller })
        return yield* records.one(file, "other")
      })

      const open = Effect.fn("Downloads.open")(function*(id: FileId, range?: ByteRange) {
        const account = yield* allowed("read")
        const file = yield* seen(id)
        if (range !== undefined && !isWithin(range, file.sizeBytes)) {
          return yield* new InvalidField({
            code: "invalid_field",
            field: "range",
            because: `must have a first and a last byte within the ${file.sizeBytes} bytes of the file`
          })
        }
        if (!file.isPicture) yield* opened(file, account.id)
        const { fileName, mimeType, sizeBytes } = file
        // Storage knows no range of an empty object.
        const bytes = sizeBytes === 0 ? Stream.empty : store.get(StoredFile.address(file), range)
        return { fileName, mimeType, sizeBytes, bytes }
      })

      return Downloads.of({ link, open, publicLink })
    })
  )
}

const isWithin = ({ end, start }: ByteRange, sizeBytes: number): boolean =>
  Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end && end < sizeBytes
