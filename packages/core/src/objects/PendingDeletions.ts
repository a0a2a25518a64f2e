/**
 * Objects in storage that nothing will need: how the drive never leaves bytes behind.
 *
 * An object is listed for deletion *before* it is made, an hour ahead, and taken off the list in the
 * transaction that adopts it; whatever stands between (a crash, a lost race) leaves
 * a row, and the row outlives every failure until storage says the object is
 * gone. Deleting a file lists its objects in the same transaction.
 *
 * ```text
 *   schedule ──▶ listed for deletion ──due──▶ taken ──storage confirms──▶ (no row)
 *              │                └── not confirmed: taken, tried again
 *              └──cancel──▶ (no row), the object is adopted
 * ```
 *
 * A key that is used again (a lasting link leads there) needs more: a removal that reaches storage late must not meet the
 * next object under the key, and a copy that storage makes late must not stay. So one server at a time removes it, nobody
 * makes an object there meanwhile (`reserve`), and an hour after its removal it is removed once more. `DeletionState.ts` has
 * every state by every event.
 *
 * While storage and database are of different times ({@link "./StorageMarks.ts"}) a listed object may belong to a file that the database
 * does not know. Then only two kinds of objects are removed: public objects that were listed since, so that their links end, and objects
 * that were made since.
 */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as HostTransaction from "../database/HostTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { done, retry } from "../jobs/Jobs.ts"
import { type Bucket, type ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { LruCache } from "../shared/LruCache.ts"
import { MovedObjects } from "./MovedObjects.ts"
import { objectRemovalJob } from "./ObjectJobs.ts"
import type { PendingDeletion, PendingDeletionKey } from "./PendingDeletion.ts"
import { PendingDeletionsRepo } from "./PendingDeletionsRepo.ts"
import { StorageMarks } from "./StorageMarks.ts"
import * as StorageReturn from "./StorageReturn.ts"

/** How long an object may take from being listed for deletion to being adopted. */
export const adoptionLifetime = Duration.hours(1)

/** Most objects whose removal is one step. */
const batchSize = 500

/**
 * After so many removals in an account the index entries of their rows are visited, which costs more than to remove a
 * batch: so the next search for the account's objects visits at most that many deleted rows.
 */
const passedOverCount = 5_000

/** Remaining rows that are visited on that way, at most. */
const passedMaxRows = 200

/** Accounts whose removals are counted for that, the last ones. */
const countedAccounts = 1_000

/** The outcome for objects that were to be removed. `being removed`: another call or job is removing some of them, for a minute at most. */
export type Removal = "gone" | "kept" | "being removed"

/** How often a call checks that waits for another's removal. */
export const removalPollInterval = Duration.millis(50)

export class PendingDeletions extends Context.Service<PendingDeletions, {
  /**
   * Schedules the removal of the objects at `dueTime`, unless they are cancelled before.
   * An object that is listed for deletion already keeps the earlier of its two times.
   *
   * Only inside a transaction that holds the account (`AccountTransaction.run`).
   */
  readonly schedule: (
    accountId: AccountId,
    objects: ReadonlyArray<PendingDeletion>,
    dueTime: DateTime.Utc
  ) => Effect.Effect<void>

  /**
   * Schedules the removal, at `dueTime`, of an object that is about to be made. A removal that was scheduled for its key before
   * is postponed to that time.
   * False when its removal has begun, and then nothing must be made there.
   *
   * Only inside a transaction that holds the account.
   */
  readonly reserve: (accountId: AccountId, object: PendingDeletion, dueTime: DateTime.Utc) => Effect.Effect<boolean>

  /**
   * Adopts an object listed for deletion: false when it was not listed or its removal has
   * begun, and then the bytes may be gone and must not be recorded.
   *
   * Only inside a transaction that holds the account.
   */
  readonly cancel: (accountId: AccountId, object: PendingDeletion) => Effect.Effect<boolean>

  /** Like `cancel`, for many objects. Returns those that were cancelled. */
  readonly cancelAll: (
    accountId: AccountId,
    objects: ReadonlyArray<PendingDeletion>
  ) => Effect.Effect<ReadonlyArray<PendingDeletionKey>>

  /**
   * Adopts objects that may be listed for deletion, because a file that had them was deleted. Returns those whose removal has begun, and
   * these must not be recorded.
   *
   * Only inside a transaction that holds the account.
   */
  readonly adopt: (
    accountId: AccountId,
    objects: ReadonlyArray<PendingDeletion>
  ) => Effect.Effect<ReadonlyArray<PendingDeletion>>

  /**
   * Makes what is left of these files' former objects due at `dueTime`.
   * Only inside a transaction that holds the account.
   */
  readonly expedite: (
    accountId: AccountId,
    fileIds: ReadonlyArray<FileId>,
    dueTime: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<PendingDeletion>>

  /**
   * Removes those of `objects` that are due, as far as storage answers; after the commit that listed them. The job
   * removes the rest, and retries until they are gone. Objects whose removal is held stay, and are not counted as kept.
   */
  readonly remove: (accountId: AccountId, objects: ReadonlyArray<PendingDeletion>) => Effect.Effect<Removal>

  /** As `remove`; whether all of them are gone. */
  readonly removeNow: (accountId: AccountId, objects: ReadonlyArray<PendingDeletion>) => Effect.Effect<boolean>

  /** Whether another call or job is removing some of `objects`, which are reused keys. It has a minute for that. */
  readonly isBeingRemoved: (accountId: AccountId, objects: ReadonlyArray<PendingDeletion>) => Effect.Effect<boolean>

  /** A file's former objects in `bucket` that are due and still there. */
  readonly due: (
    accountId: AccountId,
    fileId: FileId,
    bucket: Bucket
  ) => Effect.Effect<ReadonlyArray<PendingDeletion>>

  /** Removes everything of the account that is due, as its job does. Fails when storage did not confirm all of it. */
  readonly removeDue: (accountId: AccountId) => Effect.Effect<void, Unavailable>
}>()("@filedrive/core/objects/PendingDeletions") {
  static readonly layerNoDeps = Layer.effect(
    PendingDeletions,
    Effect.gen(function*() {
      const repo = yield* PendingDeletionsRepo
      const transaction = yield* AccountTransaction
      const removals = yield* objectRemovalJob.queue
      const marks = yield* StorageMarks
      const moved = yield* MovedObjects
      const store = yield* ObjectStore

      /** Since when removals are held; null when they are not. */
      const held = Effect.map(marks.hold, (hold) => hold?.since ?? null)

      const wake = (accountId: AccountId, time: DateTime.Utc) => removals.enqueue(accountId, time)

      const schedule = Effect.fn("PendingDeletions.schedule")(function*(
        accountId: AccountId,
        objects: ReadonlyArray<PendingDeletion>,
        dueTime: DateTime.Utc
      ) {
        if (objects.length === 0) return
        yield* repo.insert(accountId, objects, dueTime)
        yield* wake(accountId, dueTime)
      })

      const expedite = Effect.fn("PendingDeletions.expedite")(function*(
        accountId: AccountId,
        fileIds: ReadonlyArray<FileId>,
        dueTime: DateTime.Utc
      ) {
        if (fileIds.length === 0) return []
        const expedited = yield* repo.expedite(accountId, fileIds, dueTime)
        if (expedited.length > 0) yield* wake(accountId, dueTime)
        return expedited
      })

      const reserve = Effect.fn("PendingDeletions.reserve")(function*(
        accountId: AccountId,
        object: PendingDeletion,
        dueTime: DateTime.Utc
      ) {
        if (!(yield* repo.reserve(accountId, object, dueTime))) return false
        yield* wake(accountId, dueTime)
        return true
      })

      /** How many rows of an account this process deleted since their index entries were last visited. */
      const forgotten = new LruCache<AccountId, number>(countedAccounts)

      const passOver = (accountId: AccountId, count: number) => {
        const sum = (forgotten.get(accountId) ?? 0) + count
        forgotten.delete(accountId)
        if (sum >= passedOverCount) return repo.passOver(accountId, passedMaxRows)
        forgotten.set(accountId, sum, 1)
        return Effect.void
      }

      /** The objects that may be the only bytes of a file: all of them when storage can't be asked. */
      const onlyBytes = (objects: ReadonlyArray<ObjectAddress>) =>
        Effect.match(
          moved.restore("public", objects.filter(({ bucket }) => bucket === "public").map(({ key }) => key)),
          {
            onFailure: () => objects,
            onSuccess: (keys) => objects.filter(({ key }) => keys.has(key))
          }
        )

      /** Removes taken rows' objects and returns those that storage did not confirm. */
      const removeTaken = Effect.fnUntraced(function*(
        accountId: AccountId,
        taken: ReadonlyArray<PendingDeletionKey>,
        isHeld: boolean
      ) {
        if (taken.length === 0) return []
        const objects = taken.filter((row) => row.storageId === "")
        const uploads = taken.filter((row) => row.storageId !== "")
        const addresses = objects.map(({ bucket, storeKey }) => ({ bucket, key: storeKey }))
        const spared = isHeld ? yield* onlyBytes(addresses) : []
        const kept = new Set(
          [...spared, ...yield* store.remove(addresses.filter((at) => !spared.includes(at)))].map(
            ({ bucket, key }) => `${bucket}/${key}`
          )
        )
        const stillOpen = yield* Effect.filter(
          uploads,
          ({ bucket, storageId, storeKey }) =>
            store.abortUpload({ bucket, key: storeKey }, storageId).pipe(
              Effect.as(false),
              Effect.catch((error) =>
                Effect.logWarning("An upload that is to be deleted could not be aborted.", error).pipe(Effect.as(true))
              )
            ),
          { concurrency: 8 }
        )
        const left = [...objects.filter((row) => kept.has(`${row.bucket}/${row.storeKey}`)), ...stillOpen]
        const gone = taken.filter((row) => !left.includes(row))
        if (gone.length > 0) {
          yield* transaction.share(accountId, () => repo.forget(accountId, gone))
          yield* passOver(accountId, gone.length)
        }
        if (left.length > 0) yield* transaction.share(accountId, () => repo.release(accountId, left))
        return left
      })

      const remove = Effect.fn("PendingDeletions.remove")(function*(
        accountId: AccountId,
        objects: ReadonlyArray<PendingDeletion>
      ) {
        const hold = yield* Effect.option(held)
        if (Option.isNone(hold)) return "kept"
        const since = hold.value
        let [isKept, isTaken] = [false, false]
        for (let start = 0; start < objects.length; start += batchSize) {
          const batch = objects.slice(start, start + batchSize)
          const now = yield* DateTime.now
          const taken = yield* transaction.share(accountId, () =>
            Effect.gen(function*() {
              if (yield* repo.isTaken(accountId, batch, now)) isTaken = true
              return yield* repo.take(accountId, batch, now, since)
            }))
          if ((yield* removeTaken(accountId, taken, since !== null)).length > 0) isKept = true
        }
        return isKept ? "kept" : isTaken ? "being removed" : "gone"
      }, WritePurpose.freeing)

      const removeNow = (accountId: AccountId, objects: ReadonlyArray<PendingDeletion>) =>
        HostTransaction.unlessInHosts(false)(
          Effect.map(remove(accountId, objects), (outcome) => outcome === "gone")
        )

      const removeDue = Effect.fn("PendingDeletions.removeDue")(function*(accountId: AccountId) {
        let after: PendingDeletionKey = { bucket: "private", storeKey: "", storageId: "" }
        const since = yield* held
        let leftCount = 0
        // In order of key, so that one pass meets every due row once, removable or not.
        while (true) {
          const now = yield* DateTime.now
          const from = after
          const taken = yield* transaction.share(accountId, () => repo.takeNext(accountId, from, now, batchSize, since))
          if (taken.length === 0) break
          leftCount += (yield* removeTaken(accountId, taken, since !== null)).length
          after = taken.reduce((last, row) => isAfter(row, last) ? row : last)
        }
        if (leftCount > 0) {
          return yield* new Unavailable({
            code: "storage_unavailable",
            cause: new Error(`storage still holds ${leftCount} objects that are due for removal`)
          })
        }
      }, WritePurpose.freeing)

      const due = Effect.fnUntraced(function*(accountId: AccountId, fileId: FileId, bucket: Bucket) {
        return yield* repo.findDue(accountId, fileId, bucket, yield* DateTime.now)
      })

      const isBeingRemoved = Effect.fnUntraced(
        function*(accountId: AccountId, objects: ReadonlyArray<PendingDeletion>) {
          return yield* repo.isTaken(accountId, objects, yield* DateTime.now)
        }
      )

      const onReturn = yield* StorageReturn.make
      yield* objectRemovalJob.handle((accountId, job) =>
        Effect.gen(function*() {
          yield* onReturn(job)(removeDue(accountId))
          const next = yield* repo.nextDue(accountId, yield* held)
          return next === null ? done : retry(next)
        })
      )

      return PendingDeletions.of({
        schedule,
        reserve,
        cancel: (accountId, object) => Effect.map(repo.remove(accountId, [object]), (rows) => rows.length > 0),
        cancelAll: repo.remove,
        adopt: repo.adopt,
        expedite,
        remove,
        removeNow,
        isBeingRemoved,
        due,
        removeDue
      })
    })
  )
}

const isAfter = (a: PendingDeletionKey, b: PendingDeletionKey): boolean =>
  a.bucket !== b.bucket
    ? a.bucket > b.bucket
    : a.storeKey !== b.storeKey
    ? a.storeKey > b.storeKey
    : a.storageId > b.storageId
