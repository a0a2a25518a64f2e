/**
 * Which objects in storage the files account for: their bytes, copies and
 * imports under way, and what is listed for deletion already. Read across every account, by the sweep that
 * looks for objects nobody knows.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { Bucket } from "../ports/ObjectStore.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /** Those of a bucket's keys that are accounted for. */
  const among = (bucket: Bucket, storeKeys: ReadonlyArray<string>) =>
    sql<{ readonly key: string }>`
      SELECT store_key AS key FROM ${t.files}
      WHERE store_key = ANY(${storeKeys}::text[]) AND is_public = ${bucket === "public"}
      UNION ALL
      SELECT store_key FROM ${t.bucket_transfers}
      WHERE store_key = ANY(${storeKeys}::text[]) AND to_public = ${bucket === "public"}
      UNION ALL
      SELECT store_key FROM ${t.imports}
      WHERE store_key = ANY(${storeKeys}::text[]) AND state = 'working' AND ${bucket === "private"}
      UNION ALL
      SELECT store_key FROM ${t.archives}
      WHERE store_key = ANY(${storeKeys}::text[]) AND state <> 'failed' AND ${bucket === "private"}
      UNION ALL
      SELECT store_key FROM ${t.pending_deletions}
      WHERE bucket = ${bucket} AND store_key = ANY(${storeKeys}::text[])
    `.pipe(
      Effect.map((rows): ReadonlySet<string> => new Set(rows.map((row) => row.key))),
      Effect.orDie
    )

  return { among }
})

export class LiveKeys extends Context.Service<LiveKeys, Effect.Success<typeof make>>()(
  "@filedrive/core/objects/LiveKeys"
) {
  static readonly layer = Layer.effect(LiveKeys, make)
}
