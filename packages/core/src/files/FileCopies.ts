/** Moves a file that is small enough for one copy to the other bucket, its picture with it. */
import { Context, Effect, Layer, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import { type ObjectAddress, ObjectStore, type StoredObject } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { BucketSwitch } from "./BucketSwitch.ts"
import { FilesRepo } from "./FilesRepo.ts"
import { PublicHeaders } from "./PublicHeaders.ts"
import * as StoredFile from "./StoredFile.ts"

type File = StoredFile.StoredFile

export class FileCopies extends Context.Service<FileCopies, {
  /**
   * Moves the file; false when it changed meanwhile and is where it was. Its former object is listed for deletion, and removing
   * it is up to the caller. `keepsLink` as in {@link BucketSwitch.adopt}.
   */
  readonly across: (file: File, keepsLink: boolean) => Effect.Effect<boolean, Unavailable>
}>()("@filedrive/core/files/FileCopies") {
  static readonly layerNoDeps = Layer.effect(
    FileCopies,
    Effect.gen(function*() {
      const files = yield* FilesRepo
      const bucketSwitch = yield* BucketSwitch
      const headers = yield* PublicHeaders
      const transaction = yield* AccountTransaction
      const store = yield* ObjectStore

      const find = (file: File) => files.find(file.accountId, unlimited, file.id)

      /** The copy; `overtaken` when the file was no longer there. */
      const copy = Effect.fnUntraced(function*(file: File, to: ObjectAddress) {
        const copied = yield* store.copy(StoredFile.address(file), to, ObjectHeaders.of(file, to.bucket))
        if (Option.isNone(copied)) {
          // After a restore they may be there already.
          const there = yield* store.head(to)
          if (Option.isSome(there) && there.value.sizeBytes === file.sizeBytes) return there.value
          const now = yield* find(file)
          if (Option.isNone(now) || !StoredFile.isSame(file, now.value)) return yield* Effect.fail("overtaken" as const)
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
        return copied.value
      })

      const across = Effect.fn("FileCopies.across")(function*(file: File, keepsLink: boolean) {
        const to = yield* bucketSwitch.target(file)
        const adopt = (copied: StoredObject) =>
          bucketSwitch.withPicture(file, (picture) =>
            transaction.run(file.accountId, () =>
              Effect.gen(function*() {
                const outcome = yield* bucketSwitch.adopt(file, to, copied, picture, keepsLink)
                const now = yield* find(file)
                if (outcome === "adopted" && to.bucket === "public" && Option.isSome(now)) {
                  const { fileName, mimeType } = now.value
                  if (fileName !== file.fileName || mimeType !== file.mimeType) yield* headers.enqueue(to.key)
                }
                return outcome
              })))
        const outcome = yield* bucketSwitch.make(file, to, {
          create: copy(file, to),
          adopt: (copied) => Effect.map(adopt(copied), ({ outcome }) => outcome),
          isAdopted: (outcome) => outcome === "adopted"
        }).pipe(Effect.catchIf((error) => error === "overtaken", Effect.succeed))
        return outcome === "adopted"
      })

      return FileCopies.of({ across })
    })
  )
}
