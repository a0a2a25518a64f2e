/**
 * The changes that a run of an import records. Each step is one transaction under the account's lock, and applies only
 * while the run is the import's latest: a worker that was thought dead changes nothing.
 *
 * What is held against the quota is always ahead of what storage has.
 */
import { Data, DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { type Balance, fits } from "../accounts/Balance.ts"
import { CurrentAccount, unlimited } from "../accounts/CurrentAccount.ts"
import { Quota } from "../accounts/Quota.ts"
import { FileDetails } from "../files/FileDetails.ts"
import { Files } from "../files/Files.ts"
import { done, retry } from "../jobs/Jobs.ts"
import * as PendingDeletion from "../objects/PendingDeletion.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import type { StoredObject } from "../ports/ObjectStore.ts"
import type { AccountId, ImportId } from "../shared/Ids.ts"
import { Waits } from "../waits/Waits.ts"
import { type DetectedFile, type Failure, type Import, isOverdue, next, overdue, storageFull } from "./Import.ts"
import { ImportsRepo } from "./ImportsRepo.ts"

/** The import, or this run of it, failed. */
export class ImportFailed extends Data.TaggedError("ImportFailed")<{ readonly failure: Failure }> {}

/** Another run of the import has begun, or it has ended. */
export class Superseded extends Data.TaggedError("Superseded") {}

/** What storage may hold of an import: an upload's parts, and the object. */
const objectsOf = ({ storageId, storeKey }: Import) => {
  if (storeKey === null) return []
  const at = StoreKey.inPrivate(storeKey)
  return storageId === null ? [PendingDeletion.ofObject(at)] : PendingDeletion.ofUpload(at, storageId)
}

export const makeSteps = Effect.gen(function*() {
  const deletions = yield* PendingDeletions
  const details = yield* FileDetails
  const files = yield* Files
  const transaction = yield* AccountTransaction
  const quota = yield* Quota
  const random = yield* SecureRandom.SecureRandom
  const repo = yield* ImportsRepo
  const waits = yield* Waits

  const step = <A, E>(
    read: Import,
    work: (current: Import, balance: Balance, now: DateTime.Utc) => Effect.Effect<A, E>
  ) =>
    transaction.share(read.accountId, (balance) =>
      Effect.gen(function*() {
        const current = yield* Effect.mapError(Effect.fromOption(yield* repo.ofRun(read)), () => new Superseded())
        return yield* work(current, balance, yield* DateTime.now)
      }))

  /** Reserves `bytes` of the account's quota for the import, when they fit. */
  const hold = Effect.fnUntraced(
    function*(current: Import, bytes: number, balance: Balance, quotaBytes: number | null) {
      const more = bytes - current.heldBytes
      if (more > 0 && !fits(balance, quotaBytes, more)) return yield* new ImportFailed({ failure: storageFull })
      yield* quota.add(current.accountId, { heldBytes: more })
    }
  )

  const save = (changed: Import) => Effect.as(repo.save(changed), changed)

  return {
    /** Begins a run of an import; none when it has ended. */
    take: (accountId: AccountId, id: ImportId) => transaction.share(accountId, () => repo.take(accountId, id)),

    /** Begins from the first byte: what was stored before is removed, and the whole size is reserved where it is known. */
    begin: (
      read: Import,
      { quotaBytes, totalBytes, validator }: Pick<Import, "totalBytes" | "validator"> & {
        readonly quotaBytes: number | null
      }
    ) =>
      step(read, (current, balance, now) =>
        Effect.gen(function*() {
          yield* hold(current, totalBytes ?? 0, balance, quotaBytes)
          yield* deletions.schedule(current.accountId, objectsOf(current), now)
          return yield* save({
            ...current,
            heldBytes: totalBytes ?? 0,
            receivedBytes: 0,
            totalBytes,
            validator,
            storeKey: StoreKey.make("imports", current.accountId, yield* random.uuidV7()),
            storageId: null,
            found: null
          })
        })),

    /** Records how much has arrived. */
    received: (read: Import, receivedBytes: number) =>
      step(read, (current, _, now) =>
        isOverdue(current, now)
          ? Effect.fail(new ImportFailed({ failure: overdue }))
          : save({ ...current, receivedBytes })),

    /** Reserves the first `bytes` bytes of the file, which are about to be stored. */
    hold: (read: Import, bytes: number, quotaBytes: number | null) =>
      step(read, (current, balance) =>
        Effect.gen(function*() {
          const heldBytes = Math.max(current.heldBytes, bytes)
          yield* hold(current, heldBytes, balance, quotaBytes)
          return yield* save({ ...current, heldBytes, receivedBytes: bytes })
        })),

    /** Records that more is stored than ever before. */
    cameFurther: (read: Import) => step(read, (current) => save({ ...current, failures: 0 })),

    /** Records where the parts are stored, and the file's kind. */
    opened: (read: Import, storageId: string, found: DetectedFile) =>
      step(read, (current) => save({ ...current, storageId, found })),

    /** Records that all bytes have arrived: from now on the object tells whether it was made. */
    whole: (read: Import, sizeBytes: number) =>
      step(read, (current) => save({ ...current, receivedBytes: sizeBytes, totalBytes: sizeBytes })),

    /** Records the file: the import is done. */
    record: (read: Import, found: DetectedFile, stored: StoredObject) =>
      step(read, (current, _, now) =>
        Effect.gen(function*() {
          if (next(current, { _tag: "Recorded" }, now).state !== "done") return yield* new Superseded()
          const { accountId, description, folderId } = current
          const storeKey = current.storeKey!
          // The import lists its object for deletion, from which the file adopts it.
          yield* deletions.schedule(accountId, [PendingDeletion.ofObject(StoreKey.inPrivate(storeKey))], now)
          const id = yield* files.record({
            accountId,
            // Nobody can have uploaded under a key that is only made now.
            objectKey: `users/${accountId}/imports/${yield* random.uuidV7()}`,
            storeKey,
            etag: stored.etag,
            ...found,
            sizeBytes: stored.sizeBytes,
            folderId
          })
          if (description !== null) {
            yield* Effect.orDie(details.describe(id, description)).pipe(
              Effect.provideService(CurrentAccount, { id: accountId, tokenId: null, limits: unlimited })
            )
          }
          yield* quota.add(accountId, { heldBytes: -current.heldBytes, usedBytes: stored.sizeBytes })
          yield* repo.finish(current, found, id, stored.sizeBytes, now)
          yield* waits.onChanged(accountId, ["import"], [current.id])
        })),

    /** Changes the import after a failure, and returns how its job ends. */
    failed: (read: Import, failure: Failure) =>
      step(read, (current, _, now) =>
        Effect.gen(function*() {
          const then = next(current, { _tag: "Failed", failure }, now)
          if (then.state === "working") {
            yield* save({ ...current, failures: then.failures })
            return retry(then.retryTime)
          }
          if (then.state === "failed") {
            yield* deletions.schedule(current.accountId, objectsOf(current), now)
            yield* quota.add(current.accountId, { heldBytes: -current.heldBytes })
            yield* repo.fail(current, then.failure, now)
            yield* waits.onChanged(current.accountId, ["import"], [current.id])
          }
          return done
        })).pipe(
          Effect.catchTag("Superseded", () => Effect.succeed(done))
        )
  }
})

export type ImportSteps = Effect.Success<typeof makeSteps>
