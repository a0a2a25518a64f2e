/** Links to files' bytes. Spec: `/generate-download-url`. */
import { Context, Effect, Layer, Option } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Limits from "../limits/Limits.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { InvalidField, Refused, type Unavailable } from "../shared/DriveError.ts"
import type { FileId } from "../shared/Ids.ts"
import { DerivativesRepo } from "./DerivativesRepo.ts"
import type { FileRecord } from "./FileRecord.ts"
import { FileRecords } from "./FileRecords.ts"
import { FilesRepo } from "./FilesRepo.ts"
import { type FileViewer, FileViews } from "./FileViews.ts"
import * as ObjectHeaders from "./ObjectHeaders.ts"
import * as StoredFile from "./StoredFile.ts"

type File = StoredFile.StoredFile

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
  ) => Effect.Effect<FileRecord, Refused | Unavailable, CurrentAccount>

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
      const repo = yield* FilesRepo
      const derivatives = yield* DerivativesRepo
      const records = yield* FileRecords
      const store = yield* ObjectStore
      const views = yield* FileViews

      /** The picture of this id, if `find` finds the file it shows. */
      const picture = Effect.fnUntraced(
        function*(id: FileId, find: (id: FileId) => Effect.Effect<Option.Option<File>>) {
          const found = yield* derivatives.find(id)
          if (Option.isNone(found)) return found
          const file = yield* find(found.value.of)
          return Option.map(file, () => found.value)
        }
      )

      const linkTo = (file: File) =>
        file.isPublic ? Effect.succeed(store.publicUrl(file.storeKey)) : store.signGet({
          at: StoredFile.address(file),
          headers: ObjectHeaders.of(file, "private"),
          lifetime: Limits.downloadUrlLifetime
        })

      /** A picture has no folder, tags or key of its owner's. */
      const pictureLink = (file: File) => Effect.flatMap(linkTo(file), (url) => records.one(file, "other", url))

      const link = Effect.fn("Downloads.link")(function*(id: FileId) {
        const account = yield* allowed("read")
        const find = (id: FileId) => repo.findVisible(account.id, account.limits, id)
        const found = yield* find(id)
        if (Option.isNone(found)) {
          const shown = yield* picture(id, find)
          if (Option.isSome(shown)) return yield* pictureLink(shown.value)
          return yield* new Refused({ code: "file_not_found", because: `No file of yours has the id ${id}.` })
        }
        const file = found.value
        const url = yield* linkTo(file)
        if (file.accountId !== account.id) yield* views.opened(file, { _tag: "User", id: account.id })
        return yield* records.one(file, file.isOwn ? "owner" : "other", url)
      })

      const publicLink: Downloads["Service"]["publicLink"] = Effect.fn("Downloads.publicLink")(function*(id, caller) {
        const found = yield* repo.findPublic(id)
        if (Option.isNone(found)) {
          const shown = yield* picture(id, repo.findPublic)
          if (Option.isSome(shown)) return yield* records.one(shown.value, "other")
          return yield* new InvalidField({
            code: "invalid_field",
            field: "id",
            because: "no public file has this id; send a session token to open a file of your own"
          })
        }
        yield* views.opened(found.value, { _tag: "Stranger", ...caller })
        return yield* records.one(found.value, "other")
      })

      return Downloads.of({ link, publicLink })
    })
  )
}
