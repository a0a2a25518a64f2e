/** Soundprints in SQL. The only module that writes `soundprints`. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const write = (accountId: AccountId, fileId: FileId, print: Uint8Array | null, keys: ReadonlyArray<number>) =>
    sql`
      INSERT INTO ${t.soundprints} (file_id, account_id, print, keys)
      SELECT f.id, f.account_id, ${print}::bytea, ${keys}::int[] FROM ${t.files} f
      WHERE f.id = ${fileId} AND f.account_id = ${accountId}
      ON CONFLICT (file_id) DO UPDATE SET print = excluded.print, keys = excluded.keys
    `.pipe(Effect.asVoid, Effect.orDie)

  return { write }
})

export class SoundprintsRepo extends Context.Service<SoundprintsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/media/SoundprintsRepo"
) {
  static readonly layer = Layer.effect(SoundprintsRepo, make)
}
