/**
 * Ends the links of public objects that no row needs, as they are there after a restore: their bytes go to the private bucket, under
 * the same key, where the sweep finds them. So nothing is removed for good.
 */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { type ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import { LiveKeys } from "./LiveKeys.ts"
import * as ObjectCopy from "./ObjectCopy.ts"
import * as ObjectHeaders from "./ObjectHeaders.ts"
import * as PendingDeletion from "./PendingDeletion.ts"
import { PendingDeletionsRepo } from "./PendingDeletionsRepo.ts"
import * as StoreKey from "./StoreKey.ts"

const batch = 500
const objectsAtOnce = 4

/** How many links were ended, and how many objects storage did not remove. */
export interface Ended {
  readonly ended: number
  readonly left: number
}

const sum = (a: Ended, b: Ended): Ended => ({ ended: a.ended + b.ended, left: a.left + b.left })
const none: Ended = { ended: 0, left: 0 }

export class PublicOrphans extends Context.Service<PublicOrphans, {
  /** Their keys, in batches. */
  readonly keys: Stream.Stream<ReadonlyArray<string>, Unavailable>
  /** Moves those of `keys` that no row needs to the private bucket. */
  readonly end: (keys: ReadonlyArray<string>) => Effect.Effect<Ended, Unavailable>
  /** The same for all. */
  readonly endAll: Effect.Effect<Ended, Unavailable>
}>()("@filedrive/core/objects/PublicOrphans") {
  static readonly layerNoDeps = Layer.effect(
    PublicOrphans,
    Effect.gen(function*() {
      const liveKeys = yield* LiveKeys
      const repo = yield* PendingDeletionsRepo
      const transaction = yield* AccountTransaction
      const store = yield* ObjectStore
      const copy = yield* ObjectCopy.make

      const unknown = (keys: ReadonlyArray<string>) => liveKeys.unknown("public", keys)

      /** Copies an object to the private bucket. `lost`: no link leads to bytes, as they are not there. */
      const keep = Effect.fnUntraced(function*(key: string) {
        const from: ObjectAddress = { bucket: "public", key }
        const to = StoreKey.inPrivate(key)
        const found = yield* store.head(from)
        if (Option.isNone(found)) return "lost"
        const { sizeBytes } = found.value
        const there = yield* store.head(to)
        if (Option.isSome(there)) return there.value.sizeBytes === sizeBytes ? "kept" : "left"
        const fileName = key.slice(key.lastIndexOf("/") + 1)
        const copied = yield* copy(from, to, sizeBytes, ObjectHeaders.of({ fileName }, to.bucket))
        return Option.isSome(copied) ? "kept" : "lost"
      })

      /** Lists those that are still unknown and takes them, so that nobody makes an object under their keys meanwhile. */
      const take = Effect.fnUntraced(function*(accountId: AccountId, keys: ReadonlyArray<string>) {
        const now = yield* DateTime.now
        return yield* transaction.run(accountId, () =>
          Effect.gen(function*() {
            const objects = (yield* unknown(keys)).map((key) => PendingDeletion.ofFileObject({ bucket: "public", key }))
            if (objects.length === 0) return []
            yield* repo.insert(accountId, objects, now)
            return yield* repo.take(accountId, objects, now)
          }))
      })

      const endOf = Effect.fnUntraced(function*(accountId: AccountId, keys: ReadonlyArray<string>) {
        const kept = yield* Effect.forEach(keys, keep, { concurrency: objectsAtOnce })
        const taken = yield* take(accountId, keys.filter((_, at) => kept[at] === "kept"))
        const left = yield* store.remove(taken.map(({ bucket, storeKey }) => ({ bucket, key: storeKey })))
        const leftKeys = new Set(left.map(({ key }) => key))
        const gone = taken.filter(({ storeKey }) => !leftKeys.has(storeKey))
        if (gone.length > 0) yield* transaction.share(accountId, () => repo.forget(accountId, gone))
        if (left.length > 0) {
          const rows = taken.filter(({ storeKey }) => leftKeys.has(storeKey))
          yield* transaction.share(accountId, () => repo.release(accountId, rows))
        }
        return { ended: gone.length, left: left.length + kept.filter((outcome) => outcome === "left").length }
      })

      const end = Effect.fn("PublicOrphans.end")(function*(keys: ReadonlyArray<string>) {
        const ofAccounts = Map.groupBy(yield* unknown(keys), StoreKey.ownerOf)
        const counts = yield* Effect.forEach(
          ofAccounts,
          ([accountId, keys]) => accountId === undefined ? Effect.succeed(none) : endOf(accountId, keys)
        )
        return counts.reduce(sum, none)
      }, WritePurpose.freeing)

      const keys = Stream.fromIterable(StoreKey.areas.filter(({ bucket }) => bucket === "public")).pipe(
        Stream.flatMap(({ bucket, prefix }) => store.list(bucket, prefix)),
        Stream.map(({ key }) => key),
        Stream.grouped(batch),
        Stream.mapEffect(unknown)
      )

      const endAll = keys.pipe(Stream.mapEffect(end), Stream.runFold(() => none, sum))

      return PublicOrphans.of({ keys, end, endAll })
    })
  )

  /** On a database and storage alone, for an operator's command, which brings `LiveKeys` with its features' queries. */
  static readonly layerAloneNoDeps = this.layerNoDeps.pipe(
    Layer.provide([PendingDeletionsRepo.layer, AccountTransaction.layer])
  )
}
