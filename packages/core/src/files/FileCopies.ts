/** Takes a file that is small enough for it to the other bucket in one copy, its picture with it. */
import { Context, Effect, Layer, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import { type ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { BucketSwitch, type PictureCopy } from "./BucketSwitch.ts"
import { FilesRepo } from "./FilesRepo.ts"
import * as ObjectHeaders from "./ObjectHeaders.ts"
import { PublicHeaders } from "./PublicHeaders.ts"
import * as StoredFile from "./StoredFile.ts"

type File = StoredFile.StoredFile

export class FileCopies extends Context.Service<FileCopies, {
  /**
   * Takes the file across; false when it changed meanwhile and is where it was. What it leaves is listed for deletion, and removing
   * it the caller's. `keepsLink` as in {@link BucketSwitch.adopt}.
   */
  readonly across: (file: File, keepsLink: boolean) => Effect.Effect<boolean, Unavailable>
}>()("@filedrive/core/files/FileCopies") {
  static readonly layerNoDeps = Layer.effect(
    FileCopies,
    Effect.gen(function*() {
      const files = yield* FilesRepo
      const bucketSwitch = yield* BucketSwitch
      const headers = yield* PublicHeaders
      const deletions = yield* PendingDeletions
      const transaction = yield* AccountTransaction
      const store = yield* ObjectStore

      const find = (file: File) => files.find(file.accountId, unlimited, file.id)

      const across = Effect.fn("FileCopies.across")(function*(file: File, keepsLink: boolean) {
        const to = yield* bucketSwitch.target(file)
        yield* bucketSwitch.announce(file, to)
        const copied = yield* store.copy(StoredFile.address(file), to, ObjectHeaders.of(file, to.bucket))
        if (Option.isNone(copied)) {
          const now = yield* find(file)
          if (Option.isNone(now) || !StoredFile.isSame(file, now.value)) return false
          return yield* new Unavailable({
            code: "storage_unavailable",
            cause: new Error(`the object ${file.storeKey} is not there`),
            isLost: true
          })
        }
        if (copied.value.sizeBytes !== file.sizeBytes) {
          return yield* new Unavailable({
            code: "storage_unavailable",
            cause: new Error(`the copy at ${to.key} has ${copied.value.sizeBytes} bytes, not ${file.sizeBytes}`)
          })
        }
        const discard = Effect.fnUntraced(function*(...made: ReadonlyArray<ObjectAddress>) {
          yield* transaction.run(file.accountId, () => bucketSwitch.discard(file.accountId, made))
          yield* deletions.removeNow(file.accountId, made.map(({ bucket, key }) => ({ bucket, storeKey: key })))
        })
        const adopt = (copy: PictureCopy | null) =>
          transaction.run(file.accountId, () =>
            Effect.gen(function*() {
              const outcome = yield* bucketSwitch.adopt(file, to, copied.value, copy, keepsLink)
              const now = yield* find(file)
              if (outcome === "adopted" && to.bucket === "public" && Option.isSome(now)) {
                const { fileName, mimeType } = now.value
                if (fileName !== file.fileName || mimeType !== file.mimeType) yield* headers.enqueue(to.key)
              }
              return outcome
            })).pipe(Effect.tapError(() => copy === null ? Effect.void : discard(copy.to)))
        // What is given up may be listed for deletion no longer: another removed what was there, and its row, before this copy was made.
        const { copy, outcome } = yield* bucketSwitch.withPicture(file, adopt).pipe(Effect.tapError(() => discard(to)))
        if (outcome === "overtaken") yield* discard(to, ...(copy === null ? [] : [copy.to]))
        return outcome === "adopted"
      })

      return FileCopies.of({ across })
    })
  )
}
