/** How archives end: done, failed, and after some days gone. Contract: "Files". */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as Pace from "../database/Pace.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import * as Limits from "../limits/Limits.ts"
import * as PendingDeletion from "../objects/PendingDeletion.ts"
import { adoptionLifetime, PendingDeletions } from "../objects/PendingDeletions.ts"
import { Waits } from "../waits/Waits.ts"
import { address, type Archive, type ArchiveEvent, next } from "./Archive.ts"
import { ArchiveBuildsRepo } from "./ArchiveBuildsRepo.ts"
import { ArchivesRepo } from "./ArchivesRepo.ts"

export const archiveSweepJob = Job.every("archives.sweep", {
  description: "Removes archives of more than 7 days, and fails those that make no progress.",
  interval: Duration.hours(1)
})

const batchSize = 100

/** Entries that one transaction deletes. */
const clearedAtOnce: Pace.Range = { least: 500, most: 10_000 }

const objectOf = (archive: Archive) => PendingDeletion.ofObject(address(archive))

const uploadsOf = (archive: Archive) =>
  archive.storageId === "" ? [] : [{ ...objectOf(archive), storageId: archive.storageId }]

export class ArchiveEnds extends Context.Service<ArchiveEnds, {
  /** Adopts the object that was made. False when the archive has changed meanwhile or its removal has begun. */
  readonly complete: (archive: Archive) => Effect.Effect<boolean>

  /** Fails an archive and removes what is stored of it; does nothing when this event does not end it. */
  readonly fail: (archive: Archive, event: Exclude<ArchiveEvent, { _tag: "Completed" }>) => Effect.Effect<void>

  /** Deletes an archive that nobody has seen yet. */
  readonly discard: (archive: Pick<Archive, "accountId" | "id">) => Effect.Effect<void>

  /** Deletes an archive, also one that is being built, with everything that is stored of it. */
  readonly drop: (archive: Archive) => Effect.Effect<void>

  /** Deletes lapsed archives and fails those that make no progress, of every account. Repeating is safe. */
  readonly sweep: Effect.Effect<void>
}>()("@filedrive/core/archives/ArchiveEnds") {
  static readonly layerNoDeps = Layer.effect(
    ArchiveEnds,
    Effect.gen(function*() {
      const archives = yield* ArchivesRepo
      const builds = yield* ArchiveBuildsRepo
      const deletions = yield* PendingDeletions
      const transaction = yield* AccountTransaction
      const waits = yield* Waits

      /** Deletes entries of an archive that has ended, some at a time. What a crash leaves goes with the archive. */
      const clear = Effect.fnUntraced(
        function*(archive: Pick<Archive, "accountId" | "id">, which: "all" | "built") {
          const pace = Pace.make(clearedAtOnce)
          for (;;) {
            const size = pace.size()
            const cleared = yield* transaction.run(
              archive.accountId,
              () => pace.timed(archives.clear(archive, which, size), (count) => count)
            )
            if (cleared < size) return
          }
        }
      )

      const discard = Effect.fn("ArchiveEnds.discard")(function*(archive: Pick<Archive, "accountId" | "id">) {
        const now = yield* DateTime.now
        yield* transaction.run(archive.accountId, () => archives.lapse(archive, now))
        yield* clear(archive, "all")
        yield* transaction.run(archive.accountId, () => archives.remove(archive))
      }, WritePurpose.freeing)

      const complete = Effect.fn("ArchiveEnds.complete")(function*(archive: Archive) {
        const now = yield* DateTime.now
        const end = next(archive, { _tag: "Completed" }, now)
        if (end._tag !== "Ends") return false
        const isDone = yield* transaction.run(archive.accountId, () =>
          Effect.gen(function*() {
            if (!(yield* archives.end(archive, end, now))) return false
            yield* builds.forget(archive)
            yield* waits.onChanged(archive.accountId, ["archive"], [archive.id])
            // Failing rolls the end back: an archive can't have bytes that are being removed.
            return (yield* deletions.cancel(archive.accountId, objectOf(archive))) ||
              (yield* Effect.fail("late" as const))
          })).pipe(Effect.catch(() => Effect.succeed(false)))
        if (isDone) yield* clear(archive, "built")
        return isDone
      })

      const fail = Effect.fn("ArchiveEnds.fail")(
        function*({ accountId, id }: Archive, event: Exclude<ArchiveEvent, { _tag: "Completed" }>) {
          const now = yield* DateTime.now
          const uploads = yield* transaction.run(accountId, () =>
            Effect.gen(function*() {
              // As it is now: one that made no progress when it was selected may have continued.
              const archive = Option.getOrUndefined(yield* archives.find(accountId, id))
              if (archive === undefined) return []
              const end = next(archive, event, now)
              if (end._tag !== "Ends" || !(yield* archives.end(archive, end, now))) return []
              yield* builds.forget(archive)
              yield* waits.onChanged(accountId, ["archive"], [id])
              yield* deletions.schedule(accountId, [objectOf(archive), ...uploadsOf(archive)], now)
              return uploadsOf(archive)
            }))
          yield* clear({ accountId, id }, "built")
          yield* deletions.removeNow(accountId, uploads)
        },
        WritePurpose.freeing
      )

      const remove = Effect.fnUntraced(function*(archive: Archive) {
        yield* clear(archive, "all")
        const now = yield* DateTime.now
        yield* transaction.run(archive.accountId, () =>
          Effect.gen(function*() {
            if (yield* archives.remove(archive)) yield* deletions.schedule(archive.accountId, [objectOf(archive)], now)
          }))
        yield* deletions.removeNow(archive.accountId, [objectOf(archive)])
      }, WritePurpose.freeing)

      const drop = Effect.fn("ArchiveEnds.drop")(function*({ accountId, id }: Archive) {
        const now = yield* DateTime.now
        const gone = yield* transaction.run(accountId, () =>
          Effect.gen(function*() {
            const archive = Option.getOrUndefined(yield* archives.find(accountId, id))
            if (archive === undefined) return []
            // From now on nobody sees it, and the sweep removes it if this call is interrupted.
            yield* archives.lapse(archive, now)
            yield* waits.onChanged(accountId, ["archive"], [id])
            if (archive.status !== "working") {
              yield* deletions.schedule(accountId, [objectOf(archive)], now)
              return [objectOf(archive)]
            }
            // Its builder may be completing the object at this moment, without noticing the end.
            yield* deletions.schedule(accountId, [objectOf(archive)], DateTime.addDuration(now, adoptionLifetime))
            yield* deletions.schedule(accountId, uploadsOf(archive), now)
            return uploadsOf(archive)
          }))
        yield* clear({ accountId, id }, "all")
        yield* transaction.run(accountId, () => archives.remove({ accountId, id }))
        yield* deletions.removeNow(accountId, gone)
      }, WritePurpose.freeing)

      const sweepBatch = Effect.gen(function*() {
        const now = yield* DateTime.now
        const found = yield* archives.overdue(
          now,
          DateTime.subtractDuration(now, Limits.archiveStallLifetime),
          batchSize
        )
        yield* Effect.forEach(
          found,
          (archive) => archive.status === "working" ? fail(archive, { _tag: "Swept" }) : remove(archive),
          { discard: true }
        )
        return found.length
      })

      const sweep = Effect.repeat(sweepBatch, { while: (found) => found >= batchSize }).pipe(
        Effect.asVoid,
        Effect.withSpan("ArchiveEnds.sweep")
      )
      yield* archiveSweepJob.handle(sweep)

      return ArchiveEnds.of({ complete, fail, discard, drop, sweep })
    })
  )
}
