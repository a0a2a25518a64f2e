/**
 * Checks once a week whether the bytes of every file are still those that were stored, so that damage is known before they
 * are needed. A turn checks some, then rests long enough to keep the rate low; the database records how far it is,
 * so any process can continue, within a large file too.
 */
import { Context, DateTime, Duration, Effect, Layer, Result } from "effect"
import * as Job from "../jobs/Job.ts"
import { done, retry } from "../jobs/Jobs.ts"
import { type ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { ScrubRepo } from "./ScrubRepo.ts"
import type { ScrubState } from "./ScrubState.ts"

const MiB = 1024 * 1024

/** How often all files are checked. */
export const scrubInterval = Duration.days(7)

export const scrubJob = Job.every("storage.scrub", {
  description: "Begins to check whether the bytes of all files are still those that were stored.",
  interval: scrubInterval
})

export const scrubTurnJob = Job.define("storage.scrub.turn", {
  description: "Checks the bytes of some files, 32 MiB a second in the long run.",
  when: "from the beginning of a check to its end",
  key: Job.noKey,
  concurrency: 1
})

/** So much is read a second, in the long run. */
const bytesPerSecond = 32 * MiB
/** What checking a file costs besides its bytes. */
const bytesPerFile = MiB / 16
/** After so many bytes or files a turn ends. */
const turnBytes = 64 * MiB
const turnFiles = 200

type ObjectCheck = Result.Result<{ readonly readBytes: number; readonly next: number | null }, Unavailable>

/** How far the check is, or the result of the last one. */
export interface ScrubProgress {
  readonly startTime: DateTime.Utc
  /** Null while it is under way. */
  readonly endTime: DateTime.Utc | null
  readonly files: number
  readonly bytes: number
  /** Files known to be lost or damaged. */
  readonly lostFiles: number
}

export class Scrub extends Context.Service<Scrub, {
  /** Begins to check all files, unless a check is running. A job does it weekly. */
  readonly begin: Effect.Effect<void>
  /** The last check; null when there was none yet. */
  readonly progress: Effect.Effect<ScrubProgress | null>
}>()("@filedrive/core/files/Scrub") {
  static readonly layerNoDeps = Layer.effect(
    Scrub,
    Effect.gen(function*() {
      const turns = yield* scrubTurnJob.queue
      const repo = yield* ScrubRepo
      const store = yield* ObjectStore

      const begin = Effect.gen(function*() {
        yield* repo.begin(yield* DateTime.now)
        yield* turns.enqueue("")
      }).pipe(Effect.withSpan("Scrub.begin"))

      const verify = (at: ObjectAddress, from: number): Effect.Effect<ObjectCheck> =>
        Effect.result(store.verify(at, from))

      /** Fails when storage itself can't be used: then nothing is known of the file, and the turn is tried again later. */
      const storageWorks = Effect.suspend(() =>
        Effect.catchIf(store.check, ({ code }) => code === "no_space", () => Effect.void)
      )

      /** Checks some files from where the last turn ended; null when there are no more. Fails while storage is away. */
      const turn = Effect.fn("Scrub.turn")(
        function*(from: ScrubState): Effect.fn.Return<ScrubState | null, Unavailable> {
          const files = yield* repo.after(from.afterId, turnFiles)
          if (files.length === 0) return null
          let { afterId, bytes, files: count, fromByte } = from
          const reached = () => ({ ...from, afterId, bytes, files: count, fromByte })
          for (const file of files) {
            const at = { bucket: file.isPublic ? "public" : "private", key: file.storeKey } as const
            for (let next: number | null = fromByte; next !== null;) {
              if (bytes - from.bytes >= turnBytes) return reached()
              let looked: ObjectCheck = yield* verify(at, next)
              if (Result.isFailure(looked) && looked.failure.isLost !== true) {
                yield* repo.advance(reached())
                yield* storageWorks
                looked = yield* verify(at, next)
              }
              if (Result.isFailure(looked) && looked.failure.isLost !== true) {
                yield* storageWorks
                // Only this file is affected; the others are still checked.
                yield* Effect.logError(`The bytes of the file ${file.id} can't be read`, looked.failure.cause)
                next = null
              } else if (Result.isFailure(looked)) {
                // It was deleted or moved meanwhile; the next check finds it where it is then.
                if (yield* repo.setLost(file, yield* DateTime.now)) {
                  yield* Effect.logError(`The bytes of the file ${file.id} are lost or damaged`, looked.failure.cause)
                }
                next = null
              } else {
                next = looked.success.next
                bytes += looked.success.readBytes
                fromByte = next ?? 0
                if (next === null) yield* repo.setSound(file)
              }
            }
            afterId = file.id
            fromByte = 0
            count++
          }
          return reached()
        }
      )

      const run = Effect.gen(function*() {
        const state = yield* repo.find
        if (state === undefined || state.endTime !== null) return done
        const next = yield* turn(state)
        const now = yield* DateTime.now
        if (next === null) {
          yield* repo.end(now)
          yield* Effect.logInfo(`Checked the stored bytes of ${state.files} files`)
          return done
        }
        yield* repo.advance(next)
        const cost = next.bytes - state.bytes + bytesPerFile * (next.files - state.files)
        return retry(DateTime.addDuration(now, Duration.seconds(cost / bytesPerSecond)))
      })

      yield* scrubTurnJob.handle(() => run)
      yield* scrubJob.handle(begin)

      const progress = Effect.gen(function*() {
        const state = yield* repo.find
        if (state === undefined) return null
        const { bytes, endTime, files, startTime } = state
        return {
          startTime: DateTime.fromDateUnsafe(startTime),
          endTime: endTime === null ? null : DateTime.fromDateUnsafe(endTime),
          files,
          bytes,
          lostFiles: yield* repo.lostCount
        }
      })

      return Scrub.of({ begin, progress })
    })
  )
}
