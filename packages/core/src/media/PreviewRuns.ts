/**
 * Makes previews, in jobs: one run makes all of a preview, and stores it while it is made. A run that is killed is followed by one
 * that begins anew; what the first stored is removed.
 *
 * ```text
 *   begin ─▶ how is it encoded? ─▶ make, store, save the progress ─▶ adopt ─▶ done
 *               └ plays: none          │         └ the file is gone: stop
 *                                      └ unreadable, no tool: failed
 * ```
 */
import { Cause, Context, Data, DateTime, Duration, Effect, Exit, Layer, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Derivatives } from "../files/Derivatives.ts"
import { Files } from "../files/Files.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import { NewObjects } from "../objects/NewObjects.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import * as PendingDeletion from "../objects/PendingDeletion.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { isKilled, killedMax, MediaTools } from "../ports/MediaTools.ts"
import { type ObjectAddress, ObjectStore, type StoredObject } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import * as FairPlaces from "../shared/FairPlaces.ts"
import { AccountId, FileId } from "../shared/Ids.ts"
import * as FilePlaces from "./FilePlaces.ts"
import * as Playable from "./Playable.ts"
import * as Preview from "./Preview.ts"
import { PreviewsRepo } from "./PreviewsRepo.ts"
import * as PreviewUpload from "./PreviewUpload.ts"
import * as Source from "./Source.ts"

/** How many previews one process makes at once. Those that take longer than a turn are in extra places. */
export const PreviewPlaces = Context.Reference<FairPlaces.Places>("@filedrive/core/media/PreviewPlaces", {
  defaultValue: () => ({ inTurn: 1, aside: 2 })
})

export const previewJob = Job.define("media.preview", {
  description: "Makes the preview of a track or a video that browsers don't play by themselves.",
  when: "when it is asked for",
  key: Job.key({ accountId: AccountId, fileId: FileId }),
  concurrency: "three, or as the host says",
  concurrencyOfAccount: "half of them"
})

/** How long the others wait for a preview, where there is an extra place. */
export const turn = Duration.seconds(30)

/** How often a run saves its progress, and notices that its file was deleted. */
const beat = Duration.seconds(2)

/** Longer than any run: then nobody needs what it stored. */
const uploadLifetime = Duration.hours(12)

/** How accounts share the places. One has at most half of them, and no more wait here than jobs run. */
export const rulesOf = ({ aside, inTurn }: FairPlaces.Places) => {
  const concurrency = inTurn + aside
  return {
    places: inTurn,
    asideMax: aside,
    ofGroup: Math.max(Math.floor(concurrency / 2), 1),
    waitingOfGroup: concurrency,
    waitingMax: concurrency,
    // What was made would be lost.
    preempts: false
  }
}

/** The file, or the wish for its preview, is gone; or another run is at it. */
class Lost extends Data.TaggedError("Lost") {}

const isOfKill = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && isKilled(reason.error))

interface Run {
  readonly accountId: AccountId
  readonly fileId: FileId
  readonly runId: string
  readonly at: ObjectAddress
  /** The progress that was shown when it began. It makes all of the preview, whatever the run before had made. */
  readonly shownBefore: number
}

export class PreviewRuns extends Context.Service<PreviewRuns, {
  /** Makes a preview that is wanted, as its job does. Fails when storage does, or a tool can't be run now; run it again then. */
  readonly run: (accountId: AccountId, fileId: FileId) => Effect.Effect<void, Unavailable>
}>()("@filedrive/core/media/PreviewRuns") {
  static readonly layerNoDeps = Layer.effect(
    PreviewRuns,
    Effect.gen(function*() {
      const derivatives = yield* Derivatives
      const deletions = yield* PendingDeletions
      const files = yield* Files
      const newObjects = yield* NewObjects
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* PreviewsRepo
      const store = yield* ObjectStore
      const tools = yield* MediaTools
      const transaction = yield* AccountTransaction

      const nowDate = Effect.map(DateTime.now, DateTime.toDateUtc)

      /** Abandons what a run stored and did not finish. */
      const abandon = Effect.fnUntraced(function*(accountId: AccountId, at: ObjectAddress, uploadId: string) {
        const left = PendingDeletion.ofUpload(at, uploadId)
        const now = yield* DateTime.now
        yield* transaction.share(accountId, () => deletions.schedule(accountId, left, now))
        yield* deletions.removeNow(accountId, left)
      }, WritePurpose.freeing)

      /** Abandons what the run before left. Where it ended while it opened an upload, storage tells whether there is one. */
      const abandonFormer = Effect.fnUntraced(
        function*(accountId: AccountId, { uploadId, uploadKey }: Preview.PreviewRow) {
          if (uploadKey === null) return
          const at = StoreKey.inPrivate(uploadKey)
          if (uploadId !== null) return yield* abandon(accountId, at, uploadId)
          const found = yield* store.listUploads(at.bucket).pipe(
            Stream.filter(({ key }) => key === at.key),
            Stream.runHead
          )
          if (Option.isSome(found)) yield* abandon(accountId, at, found.value.uploadId)
        }
      )

      const end = ({ accountId, fileId, runId }: Run, end: Preview.PreviewEnd) =>
        Effect.flatMap(nowDate, (now) => repo.end(accountId, fileId, runId, end, now))

      /** Names an upload in the run's row, and lists it for deletion. */
      const opening = ({ accountId, at, fileId, runId }: Run) =>
        Effect.flatMap(
          repo.setUpload(accountId, fileId, runId, { key: at.key, id: null }),
          (isAt) => isAt ? Effect.void : Effect.fail(new Lost())
        )

      const opened = (run: Run) => (uploadId: string) =>
        transaction.share(run.accountId, () =>
          Effect.gen(function*() {
            const { accountId, at, fileId, runId } = run
            if (!(yield* repo.setUpload(accountId, fileId, runId, { key: at.key, id: uploadId }))) {
              return yield* new Lost()
            }
            const due = DateTime.addDuration(yield* DateTime.now, uploadLifetime)
            yield* deletions.schedule(
              accountId,
              [{ ...PendingDeletion.ofObject(at), storageId: uploadId, fileId }],
              due
            )
          }))

      /** Takes the finished object for the file. False when the run is no longer at it, or the file is gone. */
      const adopt = Effect.fnUntraced(
        function*(run: Run, named: { readonly fileName: string; readonly mimeType: string }, object: StoredObject) {
          const { accountId, at, fileId } = run
          if (!(yield* end(run, { status: "done" }))) return null
          const adoption = yield* derivatives.adoptAs("preview", {
            ...named,
            accountId,
            of: fileId,
            isPublic: false,
            publicKey: null,
            storeKey: at.key,
            etag: object.etag,
            sizeBytes: object.sizeBytes
          })
          return adoption._tag === "Adopted" ? adoption.former : null
        }
      )

      /** Saves the progress while `work` runs, and ends it when the run is no longer at it. */
      const beating = <A, E, R>(run: Run, progress: () => number, work: Effect.Effect<A, E, R>) => {
        const { accountId, fileId, runId } = run
        const save = Effect.gen(function*() {
          const isAt = yield* repo.setProgress(accountId, fileId, runId, progress(), yield* nowDate)
          if (!isAt) return yield* new Lost()
        })
        return Effect.raceFirst(work, Effect.forever(Effect.andThen(Effect.sleep(beat), save)))
      }

      /** Makes and stores the preview, unless browsers play the file itself. */
      const make = Effect.fnUntraced(function*(run: Run, file: StoredFile) {
        const { accountId, at, fileId } = run
        if (file.sizeBytes === 0) return yield* end(run, { status: "none" })
        const source = Source.of(store, file)
        const known = yield* repo.findStreams(accountId, fileId)
        const streams = known ?? (yield* tools.streams(source))
        if (known === null) yield* repo.setStreams(accountId, fileId, streams)
        if (Playable.of(streams, file.mimeType) !== "needs preview") return yield* end(run, { status: "none" })
        const mimeType = streams.video === null ? "audio/mp4" : "video/mp4"
        const named = { fileName: streams.video === null ? "preview.m4a" : "preview.mp4", mimeType }
        let fraction = 0
        let uploadId: string | undefined
        const upload = yield* PreviewUpload.make(at, ObjectHeaders.of(named, at.bucket), {
          opening: opening(run),
          opened: (id) => {
            uploadId = id
            return opened(run)(id)
          }
        }).pipe(Effect.provideService(ObjectStore, store))
        const made = Effect.gen(function*() {
          const { head } = yield* tools.preview(source, {
            write: upload.write,
            progress: (now) => Effect.sync(() => void (fraction = Math.min(Math.max(now, 0), 0.99)))
          })
          const former = yield* newObjects.make(accountId, at, {
            create: upload.finish(head),
            adopt: (object) => transaction.share(accountId, () => adopt(run, named, object)),
            isAdopted: (former) => former !== null
          })
          if (former === null) return yield* new Lost()
          yield* deletions.removeNow(accountId, former)
        })
        yield* beating(run, () => Preview.progressOf(run.shownBefore, fraction), made).pipe(
          Effect.onExit((exit) =>
            uploadId === undefined || Exit.isSuccess(exit) ? Effect.void : abandon(accountId, at, uploadId)
          )
        )
        if (uploadId !== undefined) {
          const left = { ...PendingDeletion.ofObject(at), storageId: uploadId }
          yield* transaction.share(accountId, () => deletions.cancel(accountId, left))
        }
      })

      const run = Effect.fn("PreviewRuns.run")(function*(accountId: AccountId, fileId: FileId) {
        const runId = yield* random.uuidV7()
        const at = StoreKey.inPrivate(StoreKey.make("files", accountId, yield* random.uuidV7()))
        const now = yield* nowDate
        const begun = Option.getOrUndefined(yield* repo.begin(accountId, fileId, runId, now))
        if (begun === undefined) return
        const run: Run = { accountId, fileId, runId, at, shownBefore: begun.progress }
        yield* abandonFormer(accountId, begun)
        if (begun.runs >= killedMax) {
          yield* end(run, { status: "failed", error: "The preview could not be made: it was interrupted too often." })
          return
        }
        const current = Effect.flatMap(files.find(accountId, fileId), Effect.fromOption)
        yield* Effect.flatMap(current, (file) => Source.wherever(file, current, (file) => make(run, file))).pipe(
          Effect.catchTags({
            Unreadable: ({ because, missingTool }) =>
              end(run, {
                status: "failed",
                error: because,
                ...(missingTool === undefined ? {} : { missingTool })
              }),
            NoSuchElementError: () => Effect.void,
            Lost: () => Effect.void
          }),
          // Not by the file: storage failed, or this process ends. It may be the cause of a tool that was killed.
          Effect.onError((cause) => isOfKill(cause) ? Effect.void : repo.giveBack(accountId, fileId, runId))
        )
      })

      const rules = rulesOf(yield* PreviewPlaces)
      const places = yield* FairPlaces.make(rules, { turn, waitMax: Duration.infinity }, FilePlaces.causes)
      yield* previewJob.handle(
        ({ accountId, fileId }) => Effect.as(places.run(accountId, run(accountId, fileId)), done),
        { concurrency: rules.places + rules.asideMax, concurrencyOfAccount: rules.ofGroup }
      )

      return PreviewRuns.of({ run })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PreviewsRepo.layer))
}
