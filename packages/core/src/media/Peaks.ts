/**
 * The peaks of a file's sound, from which a player draws its waveform: made by a job once the file was looked into, kept as
 * a derivative, and given out by signed links. JSON: one list of numbers from -1 to 1, the least and the greatest value of
 * each of {@link "../ports/MediaTools.ts"}'s `peakPairs` stretches, one after the other.
 */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Derivatives } from "../files/Derivatives.ts"
import { Files } from "../files/Files.ts"
import * as StoredFile from "../files/StoredFile.ts"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import * as Limits from "../limits/Limits.ts"
import { NewObjects } from "../objects/NewObjects.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { isKilled, killedMax, MediaTools, type Streams } from "../ports/MediaTools.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { AccountId, FileId } from "../shared/Ids.ts"
import type { StreamLink } from "./Preview.ts"
import { PreviewsRepo } from "./PreviewsRepo.ts"
import * as Source from "./Source.ts"

type File = StoredFile.StoredFile

/** Of two accounts at a time: a long track of one doesn't hold up another's. */
export const peaksJob = Job.define("media.peaks", {
  description: "Makes the peaks of a file's sound, for its waveform.",
  when: "when a file with sound was looked into",
  key: Job.key({ accountId: AccountId, fileId: FileId }),
  concurrency: 2,
  concurrencyOfAccount: 1
})

const named = { fileName: "peaks.json", mimeType: "application/json" }

export class Peaks extends Context.Service<Peaks, {
  /** Where the peaks of a file are; none while they are not made, or when it has no sound that can be decoded. */
  readonly of: (file: Pick<File, "id" | "accountId">) => Effect.Effect<Option.Option<StoredFile.StoredFile["storeKey"]>>

  /** A link to the peaks that works for six hours; null as {@link of} says. */
  readonly link: (file: Pick<File, "id" | "accountId">) => Effect.Effect<StreamLink | null, Unavailable>

  /** Has the peaks of a file made, unless they are; for files that were looked into before there were any. */
  readonly request: (file: Pick<File, "id" | "accountId">) => Effect.Effect<void>

  /** Keeps how a file is encoded, and enqueues the job when it has sound. Only inside `AccountTransaction.run`. */
  readonly onProbed: (accountId: AccountId, fileId: FileId, streams: Streams) => Effect.Effect<void>
}>()("@filedrive/core/media/Peaks") {
  static readonly layerNoDeps = Layer.effect(
    Peaks,
    Effect.gen(function*() {
      const derivatives = yield* Derivatives
      const deletions = yield* PendingDeletions
      const files = yield* Files
      const jobs = yield* peaksJob.queue
      const newObjects = yield* NewObjects
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* PreviewsRepo
      const store = yield* ObjectStore
      const tools = yield* MediaTools
      const transaction = yield* AccountTransaction

      const find = ({ accountId, id }: Pick<File, "id" | "accountId">) => derivatives.find(accountId, id, "peaks")

      const link = Effect.fn("Peaks.link")(function*(file: Pick<File, "id" | "accountId">) {
        const found = Option.getOrUndefined(yield* find(file))
        if (found === undefined) return null
        const lifetime = Limits.downloadUrlLifetime
        const expireTime = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, lifetime))
        const url = yield* store.signGet({
          at: StoredFile.address(found),
          headers: ObjectHeaders.of(found, "private"),
          lifetime
        })
        return { url, mimeType: found.mimeType, expireTime }
      })

      const request = Effect.fn("Peaks.request")(function*({ accountId, id }: Pick<File, "id" | "accountId">) {
        if (Option.isSome(yield* find({ accountId, id }))) return
        yield* jobs.enqueue({ accountId, fileId: id })
      })

      const onProbed = Effect.fnUntraced(function*(accountId: AccountId, fileId: FileId, streams: Streams) {
        yield* repo.setStreams(accountId, fileId, streams)
        if (streams.audio !== null) yield* jobs.enqueue({ accountId, fileId })
      })

      /** Stores the peaks, and adopts them unless the file was deleted meanwhile. */
      const keep = Effect.fnUntraced(function*(accountId: AccountId, fileId: FileId, peaks: ReadonlyArray<number>) {
        const storeKey = StoreKey.make("files", accountId, yield* random.uuidV7())
        const at = StoreKey.inPrivate(storeKey)
        const body = new TextEncoder().encode(JSON.stringify(peaks))
        const adoption = yield* newObjects.make(accountId, at, {
          create: store.put({
            at,
            headers: ObjectHeaders.of(named, at.bucket),
            sizeBytes: body.length,
            body: Stream.make(body)
          }),
          adopt: ({ etag, sizeBytes }) =>
            transaction.share(accountId, () =>
              derivatives.adoptAs("peaks", {
                ...named,
                accountId,
                of: fileId,
                isPublic: false,
                publicKey: null,
                storeKey,
                etag,
                sizeBytes
              })),
          isAdopted: ({ _tag }) => _tag === "Adopted"
        })
        if (adoption._tag === "Adopted") yield* deletions.removeNow(accountId, adoption.former)
      })

      const run = Effect.fn("Peaks.run")(function*(accountId: AccountId, fileId: FileId) {
        const current = Effect.flatMap(files.find(accountId, fileId), Effect.fromOption)
        if (Option.isSome(yield* find({ accountId, id: fileId }))) return
        const file = yield* current
        if (file.sizeBytes === 0) return
        const peaks = yield* Source.wherever(file, current, (file) => tools.peaks(Source.of(store, file)))
        if (peaks !== null) yield* keep(accountId, fileId, peaks)
      }, Effect.catchTag("NoSuchElementError", () => Effect.void))

      yield* peaksJob.handle(({ accountId, fileId }, { attempt }) =>
        run(accountId, fileId).pipe(
          // The file has no waveform then. Trying again would give the same.
          Effect.catchTag("Unreadable", (error) => Effect.logDebug(error.message)),
          Effect.catchIf(
            (error) => isKilled(error) && attempt >= killedMax,
            (error) => Effect.logWarning(`The peaks of the file ${fileId} were given up.`, error)
          ),
          Effect.as(done)
        )
      )

      return Peaks.of({
        of: (file) => Effect.map(find(file), Option.map(({ storeKey }) => storeKey)),
        link,
        request,
        onProbed
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PreviewsRepo.layer))
}
