/**
 * Which objects in storage the files account for: their bytes, copies under
 * way, and what is doomed already. Read across every account, by the sweep that
 * looks for objects nobody knows.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /** Those of `storeKeys` that are accounted for. */
  const among = (storeKeys: ReadonlyArray<string>) =>
    sql<{ readonly key: string }>`
      SELECT store_key AS key FROM ${t.files} WHERE store_key = ANY(${storeKeys}::text[])
      UNION ALL
      SELECT store_key FROM ${t.file_moves} WHERE store_key = ANY(${storeKeys}::text[])
      UNION ALL
      SELECT store_key FROM ${t.doomed_objects}
      WHERE bucket IN ('private', 'public') AND store_key = ANY(${storeKeys}::text[])
    `.pipe(
      Effect.map((rows): ReadonlySet<string> => new Set(rows.map((row) => row.key))),
      Effect.orDie
    )

  return { among }
})

export class KnownObjects extends Context.Service<KnownObjects, Effect.Success<typeof make>>()(
  "@filedrive/core/files/KnownObjects"
) {
  static readonly layer = Layer.effect(KnownObjects, make)
}
