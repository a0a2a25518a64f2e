/**
 * Whether the database and the storage are of the same time. After one of them was restored from a backup they are not: then
 * objects that the database does not know may be newer files, and objects that it lists for deletion may have become files since. So
 * nothing is removed until an operator accepts the database.
 *
 * Both have the same small mark ({@link "./StorageMark.ts"}). It advances at each start, once an hour, once a minute while objects are
 * made, and when the drive is closed. If a process was killed, the time between its last mark and the next start is a gap: an object that was
 * named in a gap stays although no row needs it, since the database may have been restored to an earlier moment of the gap.
 */
import { Cause, Context, DateTime, Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { type Looked, makeMarks } from "./MarkedStorage.ts"
import { movedBytesJob, objectRemovalJob, storageMarkJob } from "./ObjectJobs.ts"
import { PendingDeletionsRepo } from "./PendingDeletionsRepo.ts"
import * as StorageMark from "./StorageMark.ts"
import { StorageMarksRepo } from "./StorageMarksRepo.ts"

/** Why removals are held. */
export interface Hold {
  /** A clause without a period: "storage is newer than …". */
  readonly reason: string
  /** Objects that were named or listed since then are known to the database. */
  readonly since: DateTime.Utc
}

/** How often the marks are compared again while removals are held: an operator accepts the database in another process. */
const heldInterval = Duration.minutes(1)

/** While objects are made, the mark advances once in this time. */
const activeInterval = Duration.minutes(1)

/** How long a closing drive waits for its last mark. */
const closingTime = Duration.seconds(2)

export class StorageMarks extends Context.Service<StorageMarks, {
  /** Why removals are held; null when they go on. Fails while storage can't be asked and nothing is known yet. */
  readonly hold: Effect.Effect<Hold | null, Unavailable>
  /** Whether removals were held when this process last compared; asks nothing, so that a transaction may call it. */
  readonly isHeld: Effect.Effect<boolean>
  /** The same as `hold`, from a comparison now; advances no mark. */
  readonly compare: Effect.Effect<Hold | null, Unavailable>
  /** An object is about to be made: advances the mark, after the caller has gone on, when it is a minute old. */
  readonly noteActivity: Effect.Effect<void>
  /** Periods in which objects may have been stored that the database does not know. */
  readonly gaps: Effect.Effect<ReadonlyArray<StorageMark.Gap>>
}>()("@filedrive/core/objects/StorageMarks") {
  static readonly layerNoDeps = Layer.effect(
    StorageMarks,
    Effect.gen(function*() {
      const repo = yield* StorageMarksRepo
      const random = yield* SecureRandom.SecureRandom
      const removals = yield* objectRemovalJob.queue
      const restorations = yield* movedBytesJob.queue
      const scope = yield* Effect.scope
      const context = yield* Effect.context<never>()
      const storage = yield* makeMarks

      let known: { readonly hold: Hold | null; readonly time: DateTime.Utc } | undefined
      let advancedTime = yield* DateTime.now
      let isAdvancing = false

      const tell = (disagreement: StorageMark.Disagreement) =>
        Effect.logWarning(`Removals are stopped: ${StorageMark.sentences[disagreement]}.`)

      const release = Effect.gen(function*() {
        const accounts = yield* repo.release
        yield* removals.enqueueAll(accounts)
        if (known?.hold) yield* Effect.logInfo("Storage and database are of the same time again: removals go on.")
        return null
      })

      const begin = Effect.fnUntraced(function*(looked: Looked, disagreement: StorageMark.Disagreement) {
        const reason = StorageMark.sentences[disagreement]
        const now = yield* DateTime.now
        // Objects of the lost time are named no later than the mark, even if the clock was set back since.
        const time = looked.storage === null ? now : DateTime.max(now, looked.storage.time)
        const since = looked.database?.heldTime ?? (yield* repo.hold(yield* random.uuidV7(), time))
        if (known?.hold?.reason !== reason) {
          yield* tell(disagreement)
          yield* restorations.enqueue("")
        }
        return { reason, since }
      })

      const compare = Effect.gen(function*() {
        const looked = yield* storage.look
        const { database, disagreement } = looked
        const hold = disagreement !== null
          ? yield* begin(looked, disagreement)
          : database === null || database.heldTime === null
          ? null
          : yield* release
        known = { hold, time: yield* DateTime.now }
        return { hold, database }
      }).pipe(WritePurpose.freeing, Effect.withSpan("StorageMarks.compare"))

      /** The gap before this start; undefined: not known yet, null: the database has it. The mark does not advance before that. */
      let gap: StorageMark.Gap | null | undefined

      const advance = Effect.gen(function*() {
        const { database, hold } = yield* compare
        const now = yield* DateTime.now
        if (gap === undefined) {
          gap = hold !== null || database === null
            ? null
            : StorageMark.gapBetween(database.time, now)
        }
        if (hold !== null) return
        if (gap !== null) yield* repo.addGap(gap)
        gap = null
        yield* storage.store(yield* repo.advance(yield* random.uuidV7(), now, false))
        advancedTime = now
      }).pipe(WritePurpose.serving)

      /** Says nothing of a full storage, which others report; it keeps its old mark. */
      const attempt = <A, E>(step: Effect.Effect<A, E>) =>
        Effect.catchCause(Effect.asVoid(step), (cause) =>
          isFull(cause)
            ? Effect.void
            : Effect.logWarning("The marks of storage and database could not be compared or advanced.", cause))

      yield* attempt(advance)
      yield* storageMarkJob.handle(advance)
      yield* Effect.addFinalizer(() =>
        known === undefined || known.hold !== null ? Effect.void : Effect.timeoutOption(attempt(advance), closingTime)
      )

      /** Not in the transaction of whoever made the object. */
      const apart = (effect: Effect.Effect<void>): Effect.Effect<void> => Effect.updateContext(effect, () => context)

      const noteActivity = Effect.gen(function*() {
        const now = yield* DateTime.now
        if (isAdvancing || Duration.isLessThan(DateTime.distance(advancedTime, now), activeInterval)) return
        isAdvancing = true
        const end = Effect.sync(() => {
          isAdvancing = false
          advancedTime = now
        })
        yield* Effect.forkIn(apart(Effect.ensuring(attempt(advance), end)), scope)
      })

      const hold = Effect.gen(function*() {
        const now = yield* DateTime.now
        if (known !== undefined) {
          const isFresh = Duration.isLessThan(DateTime.distance(known.time, now), heldInterval)
          if (known.hold === null || isFresh) return known.hold
        }
        return (yield* compare).hold
      })

      return StorageMarks.of({
        hold,
        isHeld: Effect.sync(() => known !== undefined && known.hold !== null),
        compare: Effect.map(compare, ({ hold }) => hold),
        noteActivity,
        gaps: repo.gaps
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide(StorageMarksRepo.layerNoDeps),
    Layer.provide(PendingDeletionsRepo.layer)
  )
}

const isFull = (cause: Cause.Cause<unknown>): boolean => {
  const error: unknown = Cause.squash(cause)
  return typeof error === "object" && error !== null && "code" in error && error.code === "no_space"
}
