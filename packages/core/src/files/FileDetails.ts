/** Changes a file's name and description. */
import { Context, Effect, Layer, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Catalog } from "../catalog/Catalog.ts"
import { NotFound } from "../shared/DriveError.ts"
import type { Refused } from "../shared/DriveError.ts"
import type { FileId } from "../shared/Ids.ts"
import type { Description, FileName } from "./FileDetail.ts"
import type { FileRecord } from "./FileRecord.ts"
import { FileRecords } from "./FileRecords.ts"
import { FilesRepo } from "./FilesRepo.ts"
import { PublicHeaders } from "./PublicHeaders.ts"

export class FileDetails extends Context.Service<FileDetails, {
  /**
   * Renames a file of the caller's, in trash or not; later downloads are saved
   * under the new name. The lasting link of a public file stays the same.
   *
   * A public file above what storage copies in one step is served under its old name
   * until its access is next changed.
   *
   * Fails with `NotFound`. Repeating is safe. Contract: "Files", `/rename-file`.
   */
  readonly rename: (
    id: FileId,
    fileName: FileName
  ) => Effect.Effect<FileRecord, NotFound | Refused, CurrentAccount>

  /**
   * Describes a file of the caller's, in trash or not; an empty text clears the description.
   *
   * Fails with `NotFound`. Repeating is safe. Spec: `/update-file-description`.
   */
  readonly describe: (
    id: FileId,
    description: Description
  ) => Effect.Effect<void, NotFound | Refused, CurrentAccount>
}>()("@filedrive/core/files/FileDetails") {
  static readonly layerNoDeps = Layer.effect(
    FileDetails,
    Effect.gen(function*() {
      const repo = yield* FilesRepo
      const catalog = yield* Catalog
      const transaction = yield* AccountTransaction
      const headers = yield* PublicHeaders
      const records = yield* FileRecords

      const rename = Effect.fn("FileDetails.rename")(function*(id: FileId, fileName: FileName) {
        const { id: accountId, limits } = yield* allowed("organize")
        const file = yield* transaction.share(accountId, () =>
          Effect.gen(function*() {
            const found = yield* repo.find(accountId, limits, id)
            if (Option.isNone(found)) return yield* new NotFound({ resource: "file", id })
            yield* repo.setName(found.value, fileName)
            yield* catalog.onEdited(accountId, [id])
            if (found.value.isPublic) yield* headers.enqueue(found.value.storeKey)
            return { ...found.value, fileName }
          }))
        if (file.isPublic) {
          yield* headers.refresh(file.storeKey).pipe(
            Effect.catch((error) => Effect.logWarning("A renamed public file keeps its old header for now.", error))
          )
        }
        return yield* records.one(file, "owner")
      })

      const describe = Effect.fn("FileDetails.describe")(function*(id: FileId, description: Description) {
        const { id: accountId, limits } = yield* allowed("organize")
        yield* transaction.share(accountId, () =>
          Effect.gen(function*() {
            const found = yield* repo.find(accountId, limits, id)
            if (Option.isNone(found)) return yield* new NotFound({ resource: "file", id })
            yield* repo.setDescription(found.value, description === "" ? null : description)
            yield* catalog.onEdited(accountId, [id])
          }))
      })

      return FileDetails.of({ rename, describe })
    })
  )
}
