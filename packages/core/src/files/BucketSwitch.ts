/**
 * Moves a file's bytes from one bucket to the other, its picture's with them,
 * so that at every moment they are in one: a new object is listed for deletion before it
 * is made and adopted in the transaction that switches the rows, which lists for deletion the
 * old ones.
 *
 * A file that leaves the public bucket because it is in trash keeps its lasting
 * link (`publicKey`) and comes back under the same key. So an object at a public
 * key may be a file's by the time somebody gives up another copy to it: only
 * {@link BucketSwitch.discard} lists for deletion a copy that no file adopted.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Catalog } from "../catalog/Catalog.ts"
import * as Limits from "../limits/Limits.ts"
import * as NewObjects from "../objects/NewObjects.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import * as PendingDeletion from "../objects/PendingDeletion.ts"
import { adoptionLifetime, PendingDeletions, removalPollInterval } from "../objects/PendingDeletions.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { StrayLinks } from "../objects/StrayLinks.ts"
import { type ObjectAddress, ObjectStore, type StoredObject } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import type { Derivative } from "./Derivative.ts"
import { DerivativesRepo } from "./DerivativesRepo.ts"
import { FilesRepo } from "./FilesRepo.ts"
import * as StoredFile from "./StoredFile.ts"

type File = StoredFile.StoredFile

/** What is on its way to the other bucket: a file or its picture. */
type Moving = Pick<File, "id" | "accountId" | "isPublic" | "publicKey" | "storeKey" | "etag">

/** A file's picture and its copy in the bucket the file goes to. */
export interface PictureCopy {
  readonly picture: Derivative
  readonly to: ObjectAddress
  readonly object: StoredObject
}

/**
 * The result of an adoption. `overtaken`: the file is no longer where it was; all that was made is due for removal.
 * {@link pictureChanged}: the file has another picture than the one copied, whose copy is due for removal.
 */
export type Adopted = "adopted" | "overtaken" | typeof pictureChanged

const pictureChanged = "picture changed"

const isPictureChanged = (error: unknown): error is typeof pictureChanged => error === pictureChanged

export class BucketSwitch extends Context.Service<BucketSwitch, {
  /** The address for the file's bytes in the bucket they are not in: where its lasting link leads, or a fresh one. */
  readonly target: (file: Moving) => Effect.Effect<ObjectAddress>

  /**
   * Lists `target` for deletion, to be called before an object is made there. Waits until what was there before is removed, and fails
   * when storage fails to.
   */
  readonly announce: (file: Moving, target: ObjectAddress) => Effect.Effect<void, Unavailable>

  /** Makes an object at `target`: announces it, and discards and removes what nothing adopts. */
  readonly make: <Made, Outcome, E1, E2, R>(
    file: Moving,
    target: ObjectAddress,
    steps: NewObjects.Steps<Made, Outcome, E1, E2, R>
  ) => Effect.Effect<Outcome, E1 | E2 | Unavailable, R>

  /**
   * Lists for deletion a copy that no file adopted, unless a file has it by now. The caller removes it after the commit.
   * Only inside `AccountTransaction.run`.
   */
  readonly discard: (accountId: AccountId, made: ReadonlyArray<ObjectAddress>) => Effect.Effect<void>

  /**
   * Copies the picture the file is shown by to the bucket the file goes to, and runs `adopt` with that, or with null when
   * it has none; again whenever the file was given another picture meanwhile. A copy that is not adopted is removed.
   */
  readonly withPicture: <A, E, R>(
    file: File,
    adopt: (copy: PictureCopy | null) => Effect.Effect<A | "adopted" | typeof pictureChanged, E, R>
  ) => Effect.Effect<{ readonly outcome: A | "adopted"; readonly picture: Derivative | null }, E | Unavailable, R>

  /**
   * Switches the rows to the object made at `target` and to the picture's copy, and lists the old ones for deletion.
   * The caller removes what is due, after the commit.
   *
   * `keepsLink`: it leaves the public bucket because it is in trash, and is overtaken when it no longer is. To the public
   * bucket goes only what is not in trash.
   *
   * Only inside `AccountTransaction.run`. Fails when a new object's removal has begun.
   */
  readonly adopt: (
    file: File,
    target: ObjectAddress,
    object: StoredObject,
    picture: PictureCopy | null,
    keepsLink: boolean
  ) => Effect.Effect<Adopted, Unavailable>
}>()("@filedrive/core/files/BucketSwitch") {
  static readonly layerNoDeps = Layer.effect(
    BucketSwitch,
    Effect.gen(function*() {
      const repo = yield* FilesRepo
      const catalog = yield* Catalog
      const deletions = yield* PendingDeletions
      const newObjects = yield* NewObjects.NewObjects
      const transaction = yield* AccountTransaction
      const pictures = yield* DerivativesRepo
      const strays = yield* StrayLinks
      const random = yield* SecureRandom.SecureRandom
      const store = yield* ObjectStore

      const target = Effect.fnUntraced(function*(file: Moving) {
        const fresh = StoreKey.another(file, yield* random.uuidV7())
        return file.isPublic
          ? { bucket: "private", key: fresh } as const
          : { bucket: "public", key: file.publicKey ?? fresh } as const
      })

      /** Whether a file has its bytes at this address. */
      const isHeld = (accountId: AccountId, at: ObjectAddress) =>
        Effect.map(
          repo.findByStoreKey(accountId, at.key),
          Option.exists((file) => StoredFile.address(file).bucket === at.bucket)
        )

      const announce = Effect.fn("BucketSwitch.announce")(function*(file: Moving, to: ObjectAddress) {
        const object = PendingDeletion.ofFileObject(to)
        const claim = Effect.gen(function*() {
          if (yield* isHeld(file.accountId, to)) return "free"
          const dueTime = DateTime.addDuration(yield* DateTime.now, adoptionLifetime)
          if (yield* deletions.reserve(file.accountId, object, dueTime)) return "free"
          return (yield* deletions.isBeingRemoved(file.accountId, [object])) ? "being removed" : "kept"
        })
        while (true) {
          const outcome = yield* transaction.run(file.accountId, () => claim)
          if (outcome === "free") return
          if (outcome === "kept") {
            return yield* new Unavailable({
              code: "storage_unavailable",
              cause: new Error(`storage did not confirm that what was at ${to.key} is gone`)
            })
          }
          yield* Effect.sleep(removalPollInterval)
        }
      })

      const discard = Effect.fnUntraced(function*(accountId: AccountId, made: ReadonlyArray<ObjectAddress>) {
        const strays = yield* Effect.filter(made, (at) => Effect.map(isHeld(accountId, at), (held) => !held))
        yield* deletions.schedule(accountId, strays.map(PendingDeletion.ofFileObject), yield* DateTime.now)
      })

      const make: BucketSwitch["Service"]["make"] = (file, to, steps) => {
        const { accountId } = file
        return NewObjects.make({
          ...steps,
          announce: announce(file, to),
          // The object may no longer be listed for deletion: another call removed what was there, and its row, before this was made.
          giveUp: Effect.andThen(
            transaction.run(accountId, () => discard(accountId, [to])),
            deletions.removeNow(accountId, [PendingDeletion.ofObject(to)])
          )
        })
      }

      /** Fails when the picture is no longer the file's. */
      const copyPicture = Effect.fnUntraced(function*(file: File, picture: Derivative, to: ObjectAddress) {
        const copied = yield* store.copy(StoredFile.address(picture), to, ObjectHeaders.of(picture, to.bucket))
        if (Option.isSome(copied)) return { picture, to, object: copied.value } satisfies PictureCopy
        // After a restore it may be there already.
        const there = yield* store.head(to)
        if (Option.isSome(there) && there.value.sizeBytes === picture.sizeBytes) {
          return { picture, to, object: there.value } satisfies PictureCopy
        }
        const now = yield* pictures.findOf(file.accountId, file.id)
        if (Option.isNone(now) || now.value.storeKey !== picture.storeKey) {
          return yield* Effect.fail(pictureChanged as typeof pictureChanged)
        }
        return yield* new Unavailable({
          code: "storage_unavailable",
          cause: new Error(`the object ${picture.storeKey} is not there`),
          isLost: true
        })
      })

      const withPicture: BucketSwitch["Service"]["withPicture"] = Effect.fnUntraced(function*<A, E, R>(
        file: File,
        adopt: (copy: PictureCopy | null) => Effect.Effect<A | "adopted" | typeof pictureChanged, E, R>
      ) {
        while (true) {
          const picture = Option.getOrUndefined(yield* pictures.findOf(file.accountId, file.id))
          if (picture === undefined) {
            const outcome = yield* adopt(null)
            if (outcome !== pictureChanged) return { outcome, picture: null }
            continue
          }
          const to = yield* target(picture)
          const outcome = yield* make(picture, to, {
            create: copyPicture(file, picture, to),
            adopt,
            isAdopted: (outcome) => outcome === "adopted"
          }).pipe(Effect.catchIf(isPictureChanged, Effect.succeed))
          if (outcome !== pictureChanged) return { outcome, picture }
        }
      })

      /** Switches one row and lists its former object for deletion. Returns whether the row was still as expected. */
      const switchOver = Effect.fnUntraced(
        function*(
          moving: Moving,
          to: ObjectAddress,
          object: StoredObject,
          { keepsLink, owner }: { readonly owner: FileId; readonly keepsLink: boolean }
        ) {
          const now = yield* DateTime.now
          const toPublic = to.bucket === "public"
          const publicKey = !toPublic && keepsLink ? moving.storeKey : null
          // A picture is not in trash itself: it goes with its file.
          const when = moving.id !== owner ? "always" : toPublic ? "not in trash" : keepsLink ? "in trash" : "always"
          const there = { isPublic: toPublic, publicKey, storeKey: to.key, etag: object.etag }
          if (!(yield* repo.relocate(moving, there, when))) return false
          yield* newObjects.adopt(moving.accountId, to)
          // Signed links to the private object live out their time; a public link ends at once.
          const dueTime = toPublic ? DateTime.addDuration(now, Limits.downloadUrlLifetime) : now
          const former = {
            ...PendingDeletion.ofFileObject(StoredFile.address(moving)),
            fileId: owner,
            isReused: publicKey !== null
          }
          yield* deletions.schedule(moving.accountId, [former], dueTime)
          return true
        }
      )

      const adopt = Effect.fn("BucketSwitch.adopt")(
        function*(
          file: File,
          to: ObjectAddress,
          object: StoredObject,
          copy: PictureCopy | null,
          keepsLink: boolean
        ): Effect.fn.Return<Adopted, Unavailable> {
          const { accountId } = file
          const copies = copy === null ? [] : [copy.to]
          const options = { owner: file.id, keepsLink }
          const picture = Option.getOrUndefined(yield* pictures.findOf(accountId, file.id))
          if (picture?.storeKey !== copy?.picture.storeKey || picture?.etag !== copy?.picture.etag) {
            yield* discard(accountId, copies)
            return pictureChanged
          }
          if (!(yield* switchOver(file, to, object, options))) {
            yield* discard(accountId, [to, ...copies])
            return "overtaken"
          }
          if (copy !== null) yield* switchOver(copy.picture, copy.to, copy.object, options)
          if (to.bucket === "private") yield* strays.follow(accountId, repo.keysOf(accountId, [file.id]))
          yield* catalog.onVisibilityChanged(accountId, [file.id])
          return "adopted"
        }
      )

      return BucketSwitch.of({ target, announce, make, discard, withPicture, adopt })
    })
  )
}
