/** Upload forms in SQL. The only module that reads or writes `upload_forms`. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"

/** A form that was given out, kept until it has lapsed: until then bytes may arrive under its key. */
export interface Form {
  readonly id: string
  readonly accountId: AccountId
  readonly objectKey: string
  readonly storeKey: string
  readonly sizeBytes: number
  readonly insertTime: DateTime.Utc
  readonly expireTime: DateTime.Utc
}

type StoredForm = Pick<Form, "id" | "accountId" | "storeKey" | "sizeBytes">

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const columns = sql.literal(`id, account_id AS "accountId", store_key AS "storeKey", size::float8 AS "sizeBytes"`)

  const insert = (form: Form) =>
    sql`
      INSERT INTO ${t.upload_forms} (id, account_id, object_key, store_key, size, insert_time, expire_time)
      VALUES (${form.id}, ${form.accountId}, ${form.objectKey}, ${form.storeKey}, ${form.sizeBytes}::bigint,
        ${DateTime.toDateUtc(form.insertTime)}, ${DateTime.toDateUtc(form.expireTime)})
    `.pipe(Effect.asVoid, Effect.orDie)

  /** The newest forms given for a key, newest first. */
  const findByObjectKey = (accountId: AccountId, objectKey: string, limit: number) =>
    sql<StoredForm>`
      SELECT ${columns} FROM ${t.upload_forms}
      WHERE account_id = ${accountId} AND object_key = ${objectKey}
      ORDER BY insert_time DESC, id DESC LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  const lapsedSince = (before: DateTime.Utc, limit: number) =>
    sql<StoredForm>`
      SELECT ${columns} FROM ${t.upload_forms}
      WHERE expire_time <= ${DateTime.toDateUtc(before)} ORDER BY expire_time LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  const remove = (ids: ReadonlyArray<string>) =>
    sql`DELETE FROM ${t.upload_forms} WHERE id = ANY(${ids}::uuid[])`.pipe(Effect.asVoid, Effect.orDie)

  /** Those of `storeKeys` that belong to a form which has not been swept yet. */
  const known = (storeKeys: ReadonlyArray<string>) =>
    sql<{ readonly key: string }>`
      SELECT store_key AS key FROM ${t.upload_forms} WHERE store_key = ANY(${storeKeys}::text[])
    `.pipe(Effect.map((rows) => new Set(rows.map((row) => row.key))), Effect.orDie)

  return { insert, findByObjectKey, lapsedSince, remove, known }
})

export class FormsRepo extends Context.Service<FormsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/uploads/FormsRepo"
) {
  static readonly layer = Layer.effect(FormsRepo, make)
}
