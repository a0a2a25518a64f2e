/**
 * Builds archives, in jobs: part by part into a multipart upload, with a checkpoint after each part, from which any
 * process continues. A build takes turns with the others, so that a large one delays none of them for long.
 *
 * ```text
 *   open the upload ─▶ next part ─▶ checkpoint ─▶ … ─▶ complete ─▶ adopt
 *                       │   ▲                             │
 *        a file is lost └───┘ back to before it           └─ parts changed, upload gone: back, or anew
 * ```
 */
import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as Pace from "../database/Pace.ts"
import * as Job from "../jobs/Job.ts"
import { done, type JobOutcome, retry, yieldToOthers } from "../jobs/Jobs.ts"
import * as MultipartObject from "../objects/MultipartObject.ts"
import * as PendingDeletion from "../objects/PendingDeletion.ts"
import { adoptionLifetime, PendingDeletions } from "../objects/PendingDeletions.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { AccountId, ArchiveId } from "../shared/Ids.ts"
import { address, type Archive, placed } from "./Archive.ts"
import { ArchiveBuildsRepo } from "./ArchiveBuildsRepo.ts"
import { ArchiveEnds } from "./ArchiveEnds.ts"
import type { LostEntry, PlannedEntry } from "./ArchiveEntry.ts"
import * as ArchivePlan from "./ArchivePlan.ts"
import * as ArchiveSource from "./ArchiveSource.ts"
import { ArchivesRepo } from "./ArchivesRepo.ts"
import { Crc32 } from "./Crc32.ts"
import * as ZipPlan from "./ZipPlan.ts"
import * as ZipStream from "./ZipStream.ts"

/** One of an account at a time: so no account's archives delay another's. */
export const archiveBuildJob = Job.define("archive.build", {
  description: "Builds an archive, part by part, in turns of ten seconds.",
  when: "when requested",
  key: Job.key({ accountId: AccountId, id: ArchiveId }),
  concurrency: 2,
  concurrencyOfAccount: 1
})

/** How long one build continues before another has its turn; a part is always finished. */
const turn = Duration.seconds(10)

/** Blocks, of a megabyte at most, that are read before they are stored. */
const readAhead = 4

/** How often a part that is being stored says how far it is. */
const progressEvery = Duration.seconds(2)

/** How long a build waits that found another build of its archive: its own lease or the other's is about to end. */
const asideFor = Duration.seconds(5)

/**
 * Files after one whose bytes are gone that are checked as well: a file is seldom lost alone, and each time that some
 * are left out the part begins again.
 */
const checkedAhead = 1_000

/** Entries that one statement reads, or leaves out of an archive. */
const readAtOnce = 2_000

/** Entries that one transaction notes as finished. */
const finishedAtOnce: Pace.Range = { least: 250, most: 10_000 }

/** How a turn at an archive ended. */
type Pass = "ended" | "once more" | "next turn" | "aside"

/** A build under way. */
interface Work {
  readonly entries: ReadonlyArray<PlannedEntry>
  readonly positions: ReadonlyArray<number>
  readonly plan: ZipPlan.ZipPlan
  readonly crcs: Uint32Array
}

export class ArchiveBuilds extends Context.Service<ArchiveBuilds, {
  /** Enqueues the build of an archive, in the caller's transaction. */
  readonly begin: (accountId: AccountId, id: ArchiveId) => Effect.Effect<void>

  /** One turn at an archive, as the job takes it. Fails when storage does; the next continues from the last part. */
  readonly run: (accountId: AccountId, id: ArchiveId) => Effect.Effect<JobOutcome, Unavailable>
}>()("@filedrive/core/archives/ArchiveBuilds") {
  static readonly layerNoDeps = Layer.effect(
    ArchiveBuilds,
    Effect.gen(function*() {
      const archives = yield* ArchivesRepo
      const repo = yield* ArchiveBuildsRepo
      const ends = yield* ArchiveEnds
      const deletions = yield* PendingDeletions
      const transaction = yield* AccountTransaction
      const builds = yield* archiveBuildJob.queue
      const multipart = yield* MultipartObject.make
      const store = yield* ObjectStore
      const random = yield* SecureRandom.SecureRandom
      const crc32 = yield* Crc32

      const begin = (accountId: AccountId, id: ArchiveId) => builds.enqueue({ accountId, id })

      /** The archive with its upload open, or none when it has changed meanwhile. */
      const open = Effect.fnUntraced(function*(archive: Archive) {
        if (archive.storageId !== "") return Option.some(archive)
        if (!archive.isOpening && !(yield* repo.setOpening(archive))) return Option.none()
        const opened = yield* multipart.open({
          ...placed(archive),
          mayBeOpen: archive.isOpening,
          name: (storageId) => repo.setStorageId(archive, storageId),
          isNamed: (storageId) =>
            Effect.map(
              archives.find(archive.accountId, archive.id),
              Option.exists((now) => now.storageId === storageId)
            )
        })
        return Option.map(opened, (storageId): Archive => ({ ...archive, storageId }))
      })

      const load = Effect.fnUntraced(function*(archive: Archive): Effect.fn.Return<Work> {
        const entries: Array<PlannedEntry> = []
        const last = yield* repo.lastPosition(archive)
        for (let first = 0; first <= last; first += readAtOnce) {
          for (const entry of yield* repo.entries(archive, first, first + readAtOnce - 1)) entries.push(entry)
        }
        const plan = ZipPlan.make(entries)
        const crcs = Uint32Array.from(entries, ({ crc }) => crc ?? 0)
        const position = archive.partsDone * archive.partSizeBytes
        const current = ZipPlan.entryAt(plan, position)
        if (current < plan.count) crcs[current] = yield* repo.crcAt(archive, archive.partsDone)
        return { entries, positions: entries.map(({ position }) => position), plan, crcs }
      })

      const sourceOf = (archive: Archive, { positions }: Work) =>
        ArchiveSource.make({ archive, positions, repo, store })

      /** These files, and those right behind them that storage has lost too. */
      const withThoseBehind = Effect.fnUntraced(
        function*(archive: Archive, work: Work, lost: ReadonlyArray<LostEntry>) {
          const last = lost.at(-1)
          if (last?.reason !== "bytes_missing") return lost
          const from = work.positions.indexOf(last.position) + 1
          const behind = yield* sourceOf(archive, work).missing(from, Math.min(from + checkedAhead, work.plan.count))
          return [...lost, ...behind]
        }
      )

      /** Continues without these files, from before the first of them; false when the archive has changed meanwhile. */
      const leaveOut = Effect.fnUntraced(function*(archive: Archive, work: Work, lost: ReadonlyArray<LostEntry>) {
        const gone = new Set(lost.map(({ position }) => position))
        const left = work.entries.filter(({ position }) => !gone.has(position))
        const first = work.entries.findIndex(({ position }) => gone.has(position))
        if (first === -1) return false
        const partsDone = Math.min(archive.partsDone, ArchivePlan.partsBefore(work.plan, archive.partSizeBytes, first))
        return yield* transaction.run(archive.accountId, () =>
          repo.leaveOut(archive, lost, {
            fileCount: left.length,
            bytes: ZipPlan.make(left).totalBytes,
            partsDone,
            receivedBytes: partsDone * archive.partSizeBytes
          }))
      })

      /** Begins again under a fresh key and abandons what was made. */
      const restart = Effect.fnUntraced(function*(archive: Archive) {
        const storeKey = StoreKey.make("archives", archive.accountId, yield* random.uuidV7())
        const now = yield* DateTime.now
        yield* transaction.run(archive.accountId, () =>
          Effect.gen(function*() {
            if (!(yield* repo.restart(archive, storeKey))) return
            const left = PendingDeletion.ofUpload(address(archive), archive.storageId)
            yield* deletions.schedule(archive.accountId, left, now)
          }))
      })

      /** Counts bytes as they pass, and tells how far the archive is every few seconds. */
      const told = Effect.fnUntraced(function*(archive: Archive, from: number) {
        const clock = yield* Clock.Clock
        let [sent, toldMillis] = [from, clock.currentTimeMillisUnsafe()]
        return (bytes: Uint8Array) => {
          sent += bytes.length
          const nowMillis = clock.currentTimeMillisUnsafe()
          if (nowMillis - toldMillis < Duration.toMillis(progressEvery)) return Effect.void
          toldMillis = nowMillis
          return repo.setReceived(archive, sent, DateTime.makeUnsafe(nowMillis))
        }
      })

      /** Stores the next part and notes it; undefined when the archive has changed meanwhile. */
      const storePart = Effect.fnUntraced(function*(archive: Archive, work: Work) {
        const { crcs, plan, positions } = work
        const partNumber = archive.partsDone + 1
        const { from, to } = ArchivePlan.range(plan.totalBytes, archive.partSizeBytes, partNumber)
        const [first, end] = ArchivePlan.entriesIn(plan, from, to)
        for (let at = first; at < end; at += readAtOnce) {
          const lost = yield* repo.lost(archive, positions[at]!, positions[Math.min(at + readAtOnce, end) - 1]!)
          if (lost.length > 0) return yield* new ArchiveSource.FilesLost({ lost })
        }
        const source = sourceOf(archive, work)
        const etag = yield* store.putPart({
          at: address(archive),
          uploadId: archive.storageId,
          partNumber,
          sizeBytes: to - from,
          body: ZipStream.stretch({ plan, source, crcs, crc32, from, to }).pipe(
            // What comes next is read while this is stored.
            Stream.buffer({ capacity: readAhead }),
            Stream.tap(yield* told(archive, from))
          )
        })
        const current = ZipPlan.entryAt(plan, to)
        const finished = positions.slice(first, current).map((position, at) => ({ position, crc: crcs[first + at]! }))
        const pace = Pace.make(finishedAtOnce)
        for (let at = 0; at < finished.length;) {
          const some = finished.slice(at, at + pace.size())
          const note = repo.noteFinished(archive, some)
          yield* transaction.run(archive.accountId, () => pace.timed(note, () => some.length))
          at += some.length
        }
        const now = yield* DateTime.now
        const checkpoint = { etag, crc: crcs[current] ?? 0, receivedBytes: to, current: positions[current] }
        return (yield* transaction.run(archive.accountId, () => repo.advance(archive, checkpoint, now)))
          ? { ...archive, partsDone: partNumber, receivedBytes: to }
          : undefined
      })

      /** Whether all parts are stored as they were noted; where one is not, the archive goes back to before it. */
      const checkParts = Effect.fnUntraced(function*(archive: Archive, stored: ReadonlyMap<number, string>) {
        const parts = yield* repo.parts(archive)
        const bad = parts.find(({ etag, partNumber }) => stored.get(partNumber) !== etag)
        if (bad === undefined) return Option.some(parts)
        const partsDone = bad.partNumber - 1
        const rewind = repo.rewind(archive, partsDone, partsDone * archive.partSizeBytes)
        yield* transaction.run(archive.accountId, () => rewind)
        return Option.none()
      })

      /** Lists for deletion the object that is about to be made; false when the archive has changed meanwhile, and may have it already. */
      const announce = Effect.fnUntraced(function*(archive: Archive) {
        const now = yield* DateTime.now
        return yield* transaction.run(archive.accountId, () =>
          Effect.gen(function*() {
            if (!(yield* repo.setReceived(archive, archive.bytes, now))) return false
            const object = PendingDeletion.ofObject(address(archive))
            yield* deletions.schedule(archive.accountId, [object], DateTime.addDuration(now, adoptionLifetime))
            return true
          }))
      })

      /** Makes the object from the parts, and adopts it for the archive. */
      const finish = Effect.fnUntraced(function*(archive: Archive): Effect.fn.Return<Pass, Unavailable> {
        const at = address(archive)
        const made = yield* multipart.complete(at, archive.storageId, (stored) =>
          Effect.gen(function*() {
            const etags = new Map(stored.map(({ etag, partNumber }) => [partNumber, etag]))
            const parts = yield* checkParts(archive, etags)
            if (Option.isNone(parts)) return yield* Effect.fail("once more" as const)
            if (!(yield* announce(archive))) return yield* Effect.fail("aside" as const)
            return parts.value
          })).pipe(Effect.catchIf((error) => typeof error === "string", Effect.succeed))
        if (typeof made === "string") return made
        const object = Option.getOrUndefined(made)
        const isWhole = object?.sizeBytes === archive.bytes
        if (isWhole && (yield* ends.complete(archive))) return "ended"
        yield* restart(archive)
        if (isWhole) return "once more"
        return yield* new Unavailable({
          code: "storage_unavailable",
          cause: new Error(`storage has ${object?.sizeBytes ?? "none"} of the ${archive.bytes} bytes of ${at.key}`)
        })
      })

      /** Storage did not accept a part: the upload may be gone, and then no part will ever be accepted. */
      const refused = Effect.fnUntraced(function*(archive: Archive, error: Unavailable) {
        if (Option.isNone(yield* store.listParts(address(archive), archive.storageId))) yield* restart(archive)
        return yield* error
      })

      const pass = Effect.fnUntraced(
        function*(wanted: Archive, until: DateTime.Utc): Effect.fn.Return<Pass, Unavailable> {
          const opened = Option.getOrUndefined(yield* open(wanted))
          if (opened === undefined) return "aside"
          let archive: Archive = opened
          const work = yield* load(archive)
          if (work.plan.count === 0) {
            return yield* Effect.as(ends.fail(archive, { _tag: "NothingLeft" }), "ended" as const)
          }
          const count = ArchivePlan.partCount(work.plan.totalBytes, archive.partSizeBytes)
          while (archive.partsDone < count) {
            const current = archive
            const stored = yield* storePart(current, work).pipe(
              Effect.map((next) => next ?? "aside" as const),
              Effect.catchTag(
                "FilesLost",
                ({ lost }) =>
                  withThoseBehind(current, work, lost).pipe(
                    Effect.flatMap((all) => leaveOut(current, work, all)),
                    Effect.map((left) => left ? "once more" as const : "aside" as const)
                  )
              ),
              Effect.catchTag("Unavailable", (error) => refused(current, error))
            )
            if (typeof stored === "string") return stored
            archive = stored
            if (archive.partsDone < count && DateTime.isGreaterThan(yield* DateTime.now, until)) return "next turn"
          }
          return yield* finish(archive)
        }
      )

      const run = Effect.fn("ArchiveBuilds.run")(function*(accountId: AccountId, id: ArchiveId) {
        const until = DateTime.addDuration(yield* DateTime.now, turn)
        while (true) {
          const archive = Option.getOrUndefined(yield* archives.find(accountId, id))
          if (archive?.status !== "working") return done
          const came = yield* pass(archive, until)
          if (came === "ended") return done
          const now = yield* DateTime.now
          if (came === "aside") return retry(DateTime.addDuration(now, asideFor))
          if (came === "next turn" || DateTime.isGreaterThan(now, until)) return yieldToOthers
        }
      })

      yield* archiveBuildJob.handle(({ accountId, id }) => run(accountId, id))

      return ArchiveBuilds.of({ begin, run })
    })
  )
}
