/**
 * After a restore of the database, storage may have public objects of a file that the database knows as private, or under another key.
 * While removals are held these stay. But when the file is made private, trashed or deleted, its links have to end, those too: a job
 * moves such objects to the private bucket.
 */
import { Context, type DateTime, Effect, Layer, Schema, Stream } from "effect"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { AccountId } from "../shared/Ids.ts"
import { objectRemovalJob } from "./ObjectJobs.ts"
import { PublicOrphans } from "./PublicOrphans.ts"
import { StorageMarks } from "./StorageMarks.ts"
import * as StoreKey from "./StoreKey.ts"

export const strayLinksJob = Job.define("objects.links", {
  description: "Ends links of a file at public objects that the database does not know.",
  when: "when the file is made private, trashed or deleted while removals are held",
  /** `name`: the last part of how all keys of the file's bytes begin. */
  key: Job.key({ accountId: AccountId, name: Schema.String }),
  concurrency: 1
})

export class StrayLinks extends Context.Service<StrayLinks, {
  /** The links of these files and their pictures end now. Selects them only while removals are held. Only inside `AccountTransaction.run`. */
  readonly follow: (
    accountId: AccountId,
    files: Effect.Effect<ReadonlyArray<Omit<StoreKey.KeyOwner, "accountId">>>
  ) => Effect.Effect<void>
}>()("@filedrive/core/objects/StrayLinks") {
  static readonly layerNoDeps = Layer.effect(
    StrayLinks,
    Effect.gen(function*() {
      const marks = yield* StorageMarks
      const orphans = yield* PublicOrphans
      const links = yield* strayLinksJob.queue
      const removals = yield* objectRemovalJob.queue

      const follow: StrayLinks["Service"]["follow"] = Effect.fnUntraced(function*(accountId, files) {
        if (!(yield* marks.isHeld)) return
        const names = (yield* files).map((file) => StoreKey.baseOfFile({ ...file, accountId }).split("/").at(-1)!)
        yield* links.enqueueAll([...new Set(names)].map((name) => ({ accountId, name })))
      })

      /** What was found during a hold. Nothing is added to it while the drive lists each object before it makes one. */
      let found: { readonly since: DateTime.Utc; readonly keys: ReadonlyMap<string, ReadonlyArray<string>> } | undefined

      const strays = Effect.fnUntraced(function*(since: DateTime.Utc) {
        if (found?.since.epochMilliseconds === since.epochMilliseconds) return found.keys
        const keys = yield* Stream.runFold(orphans.keys, () => new Map<string, Array<string>>(), (keys, some) => {
          for (const key of some) {
            const base = StoreKey.baseOf(key)
            if (base === undefined) continue
            const others = keys.get(base)
            if (others === undefined) keys.set(base, [key])
            else others.push(key)
          }
          return keys
        })
        found = { since, keys }
        return keys
      })

      yield* strayLinksJob.handle(({ accountId, name }) =>
        Effect.gen(function*() {
          const hold = yield* marks.hold
          if (hold === null) return done
          const keys = (yield* strays(hold.since)).get(StoreKey.make("files", accountId, name)) ?? []
          const { left } = yield* orphans.end(keys)
          if (left === 0) return done
          yield* removals.enqueue(accountId)
          return yield* new Unavailable({
            code: "storage_unavailable",
            cause: new Error(`storage still holds ${left} public objects whose links have to end`)
          })
        })
      )

      return StrayLinks.of({ follow })
    })
  )
}
