/** Soundprints in SQL. The only module that writes `soundprints`. */
import { Context, Effect, Layer } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { byIds } from "../database/ByIds.ts"
import { Database } from "../database/Database.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"

/** Tracks that one key is looked up for. What more have in common says nothing of the recording: a jingle, silence. */
const tracksPerKey = 200

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  const write = (accountId: AccountId, fileId: FileId, print: Uint8Array | null, keys: ReadonlyArray<number>) =>
    sql`
      INSERT INTO ${t.soundprints} (file_id, account_id, print, keys)
      SELECT f.id, f.account_id, ${print}::bytea, ${keys}::int[] FROM ${t.files} f
      WHERE f.id = ${fileId} AND f.account_id = ${accountId}
      ON CONFLICT (file_id) DO UPDATE SET print = excluded.print, keys = excluded.keys
    `.pipe(Effect.asVoid, Effect.orDie)

  /** The soundprint of a track of any account: undefined when it was not analysed, null when it has none. */
  const find = (fileId: FileId) =>
    sql<{ readonly print: Uint8Array | null }>`
      SELECT print FROM ${t.soundprints} WHERE file_id = ${fileId}
    `.pipe(Effect.map((rows) => rows[0]?.print), Effect.orDie)

  /**
   * Tracks in view that share keys, those that share most first, with their soundprints.
   *
   * Each key is looked up by itself in the index, and brings a limited number of tracks: so the rows that are read are
   * bounded by the number of keys, whatever the account holds. Of a key that a hundred thousand tracks have, as of a jingle,
   * the index still lists all, some 10 ms; none of their rows is read but the first. (Asking for all tracks that overlap
   * with the keys would read every one of those, and count what each shares by unpacking its keys.)
   * The soundprints themselves lie outside the rows, and are read of the few that are chosen.
   */
  const candidates = (
    accountId: AccountId,
    limits: Limits,
    { besides, keys, limit }: {
      readonly besides: FileId
      readonly keys: ReadonlyArray<number>
      readonly limit: number
    }
  ) =>
    sql<{ readonly id: FileId; readonly print: Uint8Array }>`
      WITH shared AS MATERIALIZED (
        SELECT found.file_id, count(*) AS keys
        FROM unnest(${keys}::int[]) AS k (key)
        CROSS JOIN LATERAL (
          SELECT s.file_id FROM ${t.soundprints} s
          WHERE s.keys @> ARRAY[k.key] AND s.account_id = ${accountId} LIMIT ${tracksPerKey}::int
        ) found
        WHERE found.file_id <> ${besides}
        GROUP BY found.file_id
      ), chosen AS MATERIALIZED (
        SELECT f.id, shared.keys FROM shared JOIN ${t.files} f ON f.id = shared.file_id
        WHERE f.account_id = ${accountId} AND f.trash_time IS NULL AND f.derivative_of IS NULL AND f.type = 'Audio'
          AND ${StoredFileSql.within(database, limits)}
        ORDER BY shared.keys DESC, f.id DESC LIMIT ${limit}::int
      )
      SELECT c.id, s.print FROM chosen c JOIN ${t.soundprints} s ON s.file_id = c.id
      WHERE s.print IS NOT NULL ORDER BY c.keys DESC, c.id DESC
    `.pipe(Effect.orDie)

  const files = (accountId: AccountId, ids: ReadonlyArray<FileId>) =>
    sql<StoredFile>`
      SELECT ${StoredFileSql.columns(database)} FROM ${StoredFileSql.from(database)}
      WHERE ${byIds(database, "f", accountId, ids)} AND f.trash_time IS NULL
    `.pipe(Effect.orDie)

  return { write, find, candidates, files }
})

export class SoundprintsRepo extends Context.Service<SoundprintsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/media/SoundprintsRepo"
) {
  static readonly layer = Layer.effect(SoundprintsRepo, make)
}
