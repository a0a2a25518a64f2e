/**
 * The changes that a run of a generation records. Each step is one transaction under the account's lock, and applies only
 * while the run is the generation's latest: a worker that was thought dead changes nothing.
 */
import { Data, DateTime, Duration, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { type Balance, fits } from "../accounts/Balance.ts"
import { Quota } from "../accounts/Quota.ts"
import { Events } from "../events/Events.ts"
import { FileRecords } from "../files/FileRecords.ts"
import { Files } from "../files/Files.ts"
import * as PendingDeletion from "../objects/PendingDeletion.ts"
import { adoptionLifetime, PendingDeletions } from "../objects/PendingDeletions.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { Folders } from "../organize/Folders.ts"
import type { Finished, ProviderJob } from "../ports/ImageGenerator.ts"
import type { StoredObject } from "../ports/ObjectStore.ts"
import type { AccountId, GenerationId } from "../shared/Ids.ts"
import {
  defaultFolder,
  descriptionOf,
  type FailureCode,
  fileNameOf,
  type Generation,
  kindOf,
  sentenceOf
} from "./Generation.ts"
import { GenerationsRepo } from "./GenerationsRepo.ts"
import { begin, type GenerationEvent, next, type NextState, type RunAction } from "./GenerationState.ts"

/** Another run of the generation has begun, or it has ended. */
export class Superseded extends Data.TaggedError("Superseded") {}

/** A run, with what it is to do. */
export interface Taken {
  readonly current: Generation
  readonly to: Exclude<RunAction, { readonly _tag: "Nothing" | "Fail" }>
}

export const makeSteps = Effect.gen(function*() {
  const deletions = yield* PendingDeletions
  const events = yield* Events
  const files = yield* Files
  const folders = yield* Folders
  const quota = yield* Quota
  const random = yield* SecureRandom.SecureRandom
  const records = yield* FileRecords
  const repo = yield* GenerationsRepo
  const transaction = yield* AccountTransaction

  const save = (changed: Generation) => Effect.as(repo.save(changed), changed)

  const step = <A, E>(
    read: Generation,
    work: (current: Generation, now: DateTime.Utc, balance: Balance) => Effect.Effect<A, E>
  ) =>
    transaction.share(read.accountId, (balance) =>
      Effect.gen(function*() {
        const current = Option.getOrUndefined(yield* repo.find(read.accountId, read.id))
        if (current === undefined || current.run !== read.run) return yield* new Superseded()
        return yield* work(current, yield* DateTime.now, balance)
      }))

  /** Lists what is stored for deletion. A run that still stores it may be a while. */
  const discard = ({ accountId, stored }: Generation, dueTime: DateTime.Utc) =>
    stored === null
      ? Effect.void
      : deletions.schedule(accountId, [PendingDeletion.ofObject(StoreKey.inPrivate(stored.storeKey))], dueTime)

  /** Ends it without an image: given back, and told. */
  const end = Effect.fnUntraced(
    function*(current: Generation, state: "failed" | "cancelled", code: FailureCode, now: DateTime.Utc) {
      yield* save({ ...current, state, code, endTime: now })
      yield* repo.giveBack(current)
      yield* discard(current, DateTime.addDuration(now, adoptionLifetime))
      yield* events.append(current.accountId, [{
        kind: "generation",
        folderId: current.folderId,
        generationId: current.id,
        payload: { status: "failed", error: sentenceOf(code), prompt: current.prompt, image: null }
      }])
    }
  )

  /** Changes the generation to its next state, unless that is `storing` or `done`, which need more. */
  const settle = Effect.fnUntraced(function*(
    current: Generation,
    event: GenerationEvent,
    now: DateTime.Utc,
    change: Partial<Generation> = {}
  ): Effect.fn.Return<NextState, Superseded> {
    const then = next(current, event, now)
    switch (then.state) {
      case "superseded":
        return yield* new Superseded()
      case "failed":
      case "cancelled":
        yield* end({ ...current, ...change }, then.state, then.code, now)
        return then
      case "waiting":
      case "submitted":
        yield* save({
          ...current,
          ...change,
          state: then.state,
          failures: then.failTime === null ? 0 : current.failures + 1,
          failTime: then.failTime
        })
        return then
      default:
        return then
    }
  })

  const folderOf = Effect.fnUntraced(function*({ accountId, folderId, limitId }: Generation) {
    if (folderId === null) return null
    for (const id of limitId === null ? [folderId] : [folderId, limitId]) {
      const found = Option.getOrNull(yield* folders.find(accountId, id))
      if (found !== null) return found.id
      // It was deleted meanwhile: a token that is limited to a folder still finds its image there.
    }
    return (yield* Effect.orDie(folders.ensure(accountId, defaultFolder, "folder")))?.id ?? null
  })

  return {
    /** Begins a run: none when there is nothing to do any more. What it is about to ask is recorded before it asks. */
    take: (accountId: AccountId, id: GenerationId) =>
      transaction.share(accountId, () =>
        Effect.gen(function*(): Effect.fn.Return<Taken | undefined> {
          const found = Option.getOrUndefined(yield* repo.find(accountId, id))
          if (found === undefined) return undefined
          const now = yield* DateTime.now
          const to = begin(found, now)
          const current = { ...found, run: found.run + 1 }
          switch (to._tag) {
            case "Nothing":
              return undefined
            case "Fail":
              yield* end(current, "failed", to.code, now)
              // The provider may still be working on it.
              return current.job === null ? undefined : { current, to: { _tag: "Abandon" } }
            case "Ask":
              return { current: yield* save({ ...current, state: "asking" }), to }
            default:
              return { current: yield* save(current), to }
          }
        })),

    /** Whether this run is still the latest one of a generation that is under way. */
    isCurrent: (read: Generation) =>
      Effect.map(
        repo.find(read.accountId, read.id),
        (found) => Option.exists(found, ({ endTime, run }) => run === read.run && endTime === null)
      ),

    /**
     * Records the provider's job, before it is looked at for the first time. Repeating is safe: a try whose answer was lost may have
     * been committed.
     */
    submitted: (read: Generation, job: ProviderJob) =>
      step(
        read,
        (current, now): Effect.Effect<NextState, Superseded> =>
          current.state === "submitted" && current.job === job
            ? Effect.succeed({ state: "submitted", retryTime: now, failTime: null })
            : settle(current, { _tag: "Submitted" }, now, { job, submitTime: now })
      ),

    /** Changes it by what happened. */
    happened: (read: Generation, event: GenerationEvent) => step(read, (current, now) => settle(current, event, now)),

    /** Records where the image is about to be stored. Repeating is safe, in the same way. */
    storing: (read: Generation, { image }: Finished) =>
      step(read, (current, now) =>
        Effect.gen(function*() {
          if (current.state === "storing") return current
          const then = yield* settle(current, { _tag: "Finished" }, now)
          if (then.state !== "storing") return yield* new Superseded()
          const stored = {
            storeKey: StoreKey.make("generations", current.accountId, yield* random.uuidV7()),
            mimeType: kindOf(image)?.mimeType ?? image.mimeType,
            sizeBytes: image.bytes.length
          }
          // What an earlier run stored, if it comes to be there after all.
          yield* discard(current, DateTime.addDuration(now, adoptionLifetime))
          return yield* save({ ...current, state: "storing", successTime: current.successTime ?? now, stored })
        })),

    /** Records the file: the generation is done. */
    saved: (read: Generation, object: StoredObject, quotaBytes: number | null) =>
      step(read, (current, now, balance) =>
        Effect.gen(function*() {
          const { accountId, stored } = current
          const then = yield* settle(current, { _tag: "Saved" }, now)
          if (then.state !== "done" || stored === null) return
          if (!fits(balance, quotaBytes, object.sizeBytes)) return yield* end(current, "failed", "storage_full", now)
          const folderId = yield* folderOf(current)
          // The generation lists its object for deletion, from which the file adopts it.
          yield* discard(current, DateTime.addDuration(now, Duration.hours(1)))
          const fileId = yield* files.record({
            accountId,
            // Nobody can have uploaded under a key that is only made now.
            objectKey: `users/${accountId}/generations/${yield* random.uuidV7()}`,
            storeKey: stored.storeKey,
            etag: object.etag,
            fileName: fileNameOf(current),
            type: "Image",
            mimeType: stored.mimeType,
            sizeBytes: object.sizeBytes,
            folderId,
            isDelivered: true,
            description: descriptionOf(current)
          })
          yield* quota.add(accountId, { usedBytes: object.sizeBytes })
          yield* save({ ...current, state: "done", folderId, fileId, endTime: now })
          const [image] = yield* records.of(yield* repo.image(accountId, fileId), () => "owner")
          yield* events.append(accountId, [{
            kind: "generation",
            folderId,
            generationId: current.id,
            payload: { status: "done", error: null, prompt: current.prompt, image: image ?? null }
          }])
        })),

    /** Forgets the provider's job of one that has ended. */
    abandoned: (read: Generation) => step(read, (current) => Effect.asVoid(save({ ...current, job: null }))),

    /** Ends a generation that is under way; whether it did. Only inside `AccountTransaction.run`. */
    cancel: (current: Generation) =>
      Effect.flatMap(DateTime.now, (now) =>
        // No run that has begun may change it.
        settle({ ...current, run: current.run + 1 }, { _tag: "Cancelled" }, now)).pipe(
          Effect.as(true),
          Effect.catchTag("Superseded", () => Effect.succeed(false))
        )
  }
})

export type GenerationSteps = Effect.Success<typeof makeSteps>
