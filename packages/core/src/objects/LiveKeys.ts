/**
 * Which objects in storage are live: some row needs them. Each feature that has objects registers the query that selects its
 * own, so that objects that no row needs are found, and removed, without knowledge of features.
 *
 * A feature that has not registered loses nothing: while one of those that have objects in an area is missing, nothing
 * there counts as unknown.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Bucket } from "../ports/ObjectStore.ts"
import { PendingDeletionsRepo } from "./PendingDeletionsRepo.ts"
import { type Area, areaOf, type Source } from "./StoreKey.ts"

/** Selects, as `key`, those of `storeKeys` in `bucket` that some row needs. */
export type LiveKeysQuery = (bucket: Bucket, storeKeys: ReadonlyArray<string>) => Statement.Fragment

export class LiveKeys extends Context.Service<LiveKeys, {
  /** From now on these keys are live too. */
  readonly register: (source: Source, query: LiveKeysQuery) => Effect.Effect<void>

  /** Those that have objects in the area and have not registered. */
  readonly missing: (area: Area) => ReadonlyArray<Source>

  /**
   * Those of a bucket's keys that no row of any account needs, and that are not listed for deletion. No key outside the
   * drive's areas, and none of an area while a feature is {@link missing} there.
   */
  readonly unknown: (bucket: Bucket, keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
}>()("@filedrive/core/objects/LiveKeys") {
  static readonly layerNoDeps = Layer.effect(
    LiveKeys,
    Effect.gen(function*() {
      const deletions = yield* PendingDeletionsRepo
      const queries = new Map<Source, LiveKeysQuery>()

      const missing = (area: Area) => area.sources.filter((source) => !queries.has(source))

      const unknownIn = Effect.fnUntraced(function*(area: Area | undefined, keys: ReadonlyArray<string>) {
        if (area === undefined || missing(area).length > 0) return []
        const live = yield* deletions.listedOr(
          area.bucket,
          keys,
          area.sources.map((source) => queries.get(source)!(area.bucket, keys))
        )
        return keys.filter((key) => !live.has(key))
      })

      const unknown = Effect.fnUntraced(function*(bucket: Bucket, keys: ReadonlyArray<string>) {
        const byArea = Map.groupBy(keys, (key) => areaOf(bucket, key))
        return (yield* Effect.forEach(byArea, ([area, keys]) => unknownIn(area, keys))).flat()
      })

      return LiveKeys.of({
        register: (source, query) => Effect.sync(() => void queries.set(source, query)),
        missing,
        unknown
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PendingDeletionsRepo.layer))
}

/** Registers the queries of a feature's Repos. They need a database and nothing else of the feature. */
export const registration = <R>(
  queries: Effect.Effect<{ readonly [S in Source]?: LiveKeysQuery }, never, R>
): Layer.Layer<never, never, LiveKeys | R> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const liveKeys = yield* LiveKeys
    const all = yield* queries
    yield* Effect.forEach(
      Object.keys(all) as ReadonlyArray<Source>,
      (source) => liveKeys.register(source, all[source]!),
      { discard: true }
    )
  }))
