/**
 * Takes a file's bytes from one bucket to the other without a moment in which
 * they are nowhere: the new object is doomed before it is made and adopted in
 * the transaction that switches the row, which dooms the old one.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Ledger } from "../accounts/Ledger.ts"
import * as Limits from "../limits/Limits.ts"
import type { ObjectAddress, StoredObject } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { Catalog } from "./Catalog.ts"
import { adoptionLifetime, DoomedObjects } from "./DoomedObjects.ts"
import { FilesRepo } from "./FilesRepo.ts"
import * as StoredFile from "./StoredFile.ts"

type File = StoredFile.StoredFile

export class Relocation extends Context.Service<Relocation, {
  /** A fresh address for the file's bytes in the bucket they are not in. */
  readonly target: (file: File) => Effect.Effect<ObjectAddress>

  /** Dooms `target`, to be called before an object is made there. */
  readonly announce: (file: File, target: ObjectAddress) => Effect.Effect<void>

  /**
   * Switches the row to the object made at `target` and dooms the old one.
   * False when the file is no longer where `file` says; then the new object is
   * doomed. Removing what is due is the caller's, after the commit.
   *
   * Only inside `Ledger.locked`. Fails when the new object's removal has begun.
   */
  readonly adopt: (file: File, target: ObjectAddress, object: StoredObject) => Effect.Effect<boolean, Unavailable>
}>()("@filedrive/core/files/Relocation") {
  static readonly layerNoDeps = Layer.effect(
    Relocation,
    Effect.gen(function*() {
      const repo = yield* FilesRepo
      const catalog = yield* Catalog
      const doomed = yield* DoomedObjects
      const ledger = yield* Ledger
      const random = yield* SecureRandom.SecureRandom

      const target = Effect.fnUntraced(function*(file: File) {
        const id = yield* random.uuidV7()
        return { bucket: file.isPublic ? "private" : "public", key: StoredFile.storeKey(file.accountId, id) } as const
      })

      const announce = Effect.fn("Relocation.announce")(function*(file: File, to: ObjectAddress) {
        const dueTime = DateTime.addDuration(yield* DateTime.now, adoptionLifetime)
        yield* ledger.locked(file.accountId, () => doomed.doom(file.accountId, [asDoomed(to)], dueTime))
      })

      const adopt = Effect.fn("Relocation.adopt")(function*(file: File, to: ObjectAddress, object: StoredObject) {
        const now = yield* DateTime.now
        const toPublic = to.bucket === "public"
        if (!(yield* repo.relocate(file, { isPublic: toPublic, storeKey: to.key, etag: object.etag }))) {
          yield* doomed.doom(file.accountId, [asDoomed(to)], now)
          return false
        }
        if (!(yield* doomed.spare(file.accountId, asDoomed(to)))) {
          return yield* new Unavailable({
            code: "storage_unavailable",
            cause: new Error(`copying to ${to.key} took so long that the copy is being removed`)
          })
        }
        yield* catalog.opened(file.accountId, [file.id])
        // Signed links to the private object live out their time; a public link ends at once.
        const dueTime = toPublic ? DateTime.addDuration(now, Limits.downloadUrlLifetime) : now
        yield* doomed.doom(file.accountId, [{ ...asDoomed(StoredFile.address(file)), fileId: file.id }], dueTime)
        return true
      })

      return Relocation.of({ target, announce, adopt })
    })
  )
}

const asDoomed = ({ bucket, key }: ObjectAddress) => ({ bucket, storeKey: key })
