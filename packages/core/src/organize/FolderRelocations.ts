/**
 * A folder that gets another name or place takes what is inside it along: their paths are kept with them. Of few, in one
 * transaction. Of many the folder goes first, and those inside follow some at a time, so that nobody waits for all of them; until
 * then they are found by their former paths as well as by the new ones. Of an account one folder is on its way at a time:
 * whoever would rename, move or delete one takes the other to its end first.
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

/** Folders inside that one transaction takes along. */
const takenAtOnce: Pace.Range = { least: 250, most: 2_000 }

/** Those that go together with the folder itself: so all of that happens or nothing. */
const takenAtFirst = 500

/** One of each call: another that renames the folder after this one has its own. */
export const folderRelocationJob = Job.define("folders.follow", {
  description: "Moves what is inside a folder that was renamed or moved.",
  when: "a minute after a call that was interrupted",
  key: Job.key({ accountId: AccountId, callId: Schema.String.check(Schema.isUUID()) }),
  concurrency: 1
})

type JobKey = typeof folderRelocationJob.key.Type

/** When that job looks: a call that is still at it does the same meanwhile. */
const jobDelay = Duration.minutes(1)

/** How far the call is with the folder that is on its way; those inside follow in the order of their former paths. */
interface Progress {
  readonly pace: Pace.Pace
  folderId: FolderId | null
  after: string | null
}

const begin = (): Progress => ({ pace: Pace.make(takenAtOnce, takenAtFirst), folderId: null, after: null })

export class FolderRelocations extends Context.Service<FolderRelocations, {
  /** Runs `work` inside `AccountTransaction.run` while no folder of the account is on its way: one that is, is taken to its end before. */
  readonly settled: <A, E, R>(accountId: AccountId, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

  /**
   * Puts a folder in another place; inside {@link settled}. Answers what {@link finish} needs, to be called after the commit:
   * null when all that is inside it has come along.
   */
  readonly relocate: (folder: StoredFolder, to: FolderLocation) => Effect.Effect<JobKey | null>

  /** Takes along what is left behind. */
  readonly finish: (accountId: AccountId, job: JobKey | null) => Effect.Effect<void>
}>()("@filedrive/core/organize/FolderRelocations") {
  static readonly layerNoDeps = Layer.effect(
    FolderRelocations,
    Effect.gen(function*() {
      const repo = yield* FoldersRepo
      const relocations = yield* folderRelocationJob.queue
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom

      /** Takes some more along with the account's folder that is on its way; whether there is none, or none any more. */
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
        // None can come to be behind this one: what is made inside a folder has a path after that folder's.
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
        yield* repo.place(folder, to)
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
