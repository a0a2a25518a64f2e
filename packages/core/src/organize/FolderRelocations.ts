/**
 * Renames and moves folders with everything inside: each folder's row contains its path. With few folders inside, in one
 * transaction. With many, the folder itself is changed first, and those inside follow in batches, so that no other call waits for all of them; until
 * then they are found by their former paths as well as by the new ones. Only one folder of an account is being moved at a time:
 * the next rename, move or deletion first finishes the running one.
 */
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as Pace from "../database/Pace.ts"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import { AccountId, type FolderId } from "../shared/Ids.ts"
import type { FolderLocation, StoredFolder } from "./Folder.ts"
import { FoldersRepo } from "./FoldersRepo.ts"

/** Folders inside that one transaction moves. */
const takenAtOnce: Pace.Range = { least: 250, most: 2_000 }

/** Folders inside that are moved in the folder's own transaction: with so few, all of it happens or nothing. */
const takenAtFirst = 500

/** One of each call: another that renames the folder after this one has its own. */
export const folderRelocationJob = Job.define("folders.follow", {
  description: "Moves what is inside a folder that was renamed or moved.",
  when: "a minute after a call that was interrupted",
  key: Job.key({ accountId: AccountId, callId: Schema.String.check(Schema.isUUID()) }),
  concurrency: 1
})

type JobKey = typeof folderRelocationJob.key.Type

/** The delay of that job: a call that is still running does the same work meanwhile. */
const jobDelay = Duration.minutes(1)

/** How far the call is with the folder that is being moved; those inside follow in the order of their former paths. */
interface Progress {
  readonly pace: Pace.Pace
  folderId: FolderId | null
  after: string | null
}

const begin = (): Progress => ({ pace: Pace.make(takenAtOnce, takenAtFirst), folderId: null, after: null })

export class FolderRelocations extends Context.Service<FolderRelocations, {
  /** Runs `work` inside `AccountTransaction.run` while no folder of the account is being moved; a running move is finished before. */
  readonly settled: <A, E, R>(accountId: AccountId, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

  /**
   * Moves a folder; inside {@link settled}. Returns the job key for {@link finish}, which is to be called after the commit:
   * null when everything inside it has been moved too.
   */
  readonly relocate: (folder: StoredFolder, to: FolderLocation) => Effect.Effect<JobKey | null>

  /** Moves the folders inside that have not followed yet. */
  readonly finish: (accountId: AccountId, job: JobKey | null) => Effect.Effect<void>
}>()("@filedrive/core/organize/FolderRelocations") {
  static readonly layerNoDeps = Layer.effect(
    FolderRelocations,
    Effect.gen(function*() {
      const repo = yield* FoldersRepo
      const relocations = yield* folderRelocationJob.queue
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom

      /** Moves some more folders inside the account's folder that is being moved. Returns whether no folder is being moved, or no longer. */
      const followSome = Effect.fnUntraced(function*(accountId: AccountId, progress: Progress) {
        const found = yield* repo.moving(accountId)
        if (Option.isNone(found)) return true
        const folder = found.value
        if (progress.folderId !== folder.id) Object.assign(progress, { folderId: folder.id, after: null })
        const size = progress.pace.size()
        const { last, passed } = yield* progress.pace.timed(
          repo.follow(folder, progress.after, size),
          ({ passed }) => passed
        )
        // No folder can be created before this position: a folder made inside another one has a path after it.
        progress.after = last
        if (passed === size) return false
        yield* repo.settle(folder)
        return true
      })

      const followAll = (accountId: AccountId) => {
        const progress = begin()
        const some = transaction.run(accountId, () => followSome(accountId, progress))
        return Effect.asVoid(Effect.repeat(some, { until: (isDone) => isDone }))
      }

      yield* folderRelocationJob.handle(({ accountId }) => Effect.as(followAll(accountId), done))

      const settled = Effect.fnUntraced(function*<A, E, R>(accountId: AccountId, work: Effect.Effect<A, E, R>) {
        const progress = begin()
        while (true) {
          const outcome = yield* transaction.run(accountId, () =>
            Effect.gen(function*() {
              if (Option.isNone(yield* repo.moving(accountId))) return Option.some(yield* work)
              yield* followSome(accountId, progress)
              return Option.none<A>()
            }))
          if (Option.isSome(outcome)) return outcome.value
        }
      })

      const relocate = Effect.fnUntraced(function*(folder: StoredFolder, to: FolderLocation) {
        yield* repo.move(folder, to)
        if (yield* followSome(folder.accountId, begin())) return null
        const key = { accountId: folder.accountId, callId: yield* random.uuidV7() }
        yield* relocations.enqueue(key, DateTime.addDuration(yield* DateTime.now, jobDelay))
        return key
      })

      const finish = Effect.fnUntraced(function*(accountId: AccountId, job: JobKey | null) {
        if (job === null) return
        yield* followAll(accountId)
        yield* relocations.cancel(job)
      })

      return FolderRelocations.of({ settled, relocate, finish })
    })
  )
}
