/** Links to files' bytes. Spec: `/generate-download-url`. */
import { Context, Effect, Layer, Option } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Limits from "../limits/Limits.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { InvalidField, Refused, type Unavailable } from "../shared/DriveError.ts"
import type { FileId } from "../shared/Ids.ts"
import type { FileRecord } from "./FileRecord.ts"
import { FileRecords } from "./FileRecords.ts"
import { type FileViewer, FileViews } from "./FileViews.ts"
import * as ObjectHeaders from "./ObjectHeaders.ts"
import * as StoredFile from "./StoredFile.ts"
import { VisibleFiles } from "./VisibleFiles.ts"

export class Downloads extends Context.Service<Downloads, {
  /**
   * The record of a file with a link in it: the lasting one of a public file,
   * else one that works for six hours. Repeating gives another. Given to anyone
   * but the file's owner it counts as one open, however often it is fetched.
   *
   * The id of a file's picture (`coverId`, `thumbnailId`) works for whoever the file's own does, and is no open.
   *
   * Fails with `Refused` (`file_not_found`) for a file that is not there, in
   * trash, or private and somebody else's, and tells nobody which.
   */
  readonly link: (
    id: FileId
  ) => Effect.Effect<FileRecord, InvalidField | Refused | Unavailable, CurrentAccount>

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

      const link = Effect.fn("Downloads.link")(function*(id: FileId) {
        const account = yield* allowed("read")
        const found = yield* files.find(id)
        if (Option.isNone(found)) {
          return yield* new Refused({ code: "file_not_found", because: `No file of yours has the id ${id}.` })
        }
        const file = found.value
        const url = file.isPublic ? store.publicUrl(file.storeKey) : yield* store.signGet({
          at: StoredFile.address(file),
          headers: ObjectHeaders.of(file, "private"),
          lifetime: Limits.downloadUrlLifetime
        })
        if (file.accountId !== account.id && !file.isPicture) {
          yield* views.opened(file, { _tag: "User", id: account.id })
        }
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

      return Downloads.of({ link, publicLink })
    })
  )
}
