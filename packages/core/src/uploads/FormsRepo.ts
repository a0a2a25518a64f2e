/** Upload forms in SQL. The only module that reads or writes `upload_forms`. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { isLive } from "../accounts/LiveCredential.ts"
import { byIds } from "../database/ByIds.ts"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import type { LiveKeysQuery } from "../objects/LiveKeys.ts"
import type { AccountId, ApiTokenId, FormId } from "../shared/Ids.ts"
import type { Form, OpenForm, StoredForm } from "./Form.ts"
import { isWithin, ofTokens } from "./UploadsSql.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  // As `f`, like files: so that what a call sees of files holds for forms too.
  const columns = sql.literal(
    `f.id, f.account_id AS "accountId", f.store_key AS "storeKey", f.size::float8 AS "sizeBytes"`
  )

  const insert = (accountId: AccountId, forms: ReadonlyArray<Form>) =>
    sql`
      INSERT INTO ${t.upload_forms} (account_id, id, object_key, store_key, size, insert_time, expire_time, folder_id,
        permissions, request_id, drop_id, api_token_id)
      SELECT ${accountId}::uuid, f.id, f.object_key, f.store_key, f.size, f.insert_time, f.expire_time, f.folder_id,
        f.permissions::text[], f.request_id, f.drop_id, f.api_token_id
      FROM unnest(
        ${Column.of(forms.map(({ id }) => id))}::text::uuid[],
        ${Column.of(forms.map(({ objectKey }) => objectKey))}::text::text[],
        ${Column.of(forms.map(({ storeKey }) => storeKey))}::text::text[],
        ${Column.of(forms.map(({ sizeBytes }) => sizeBytes))}::text::bigint[],
        ${Column.of(forms.map(({ insertTime }) => DateTime.toDateUtc(insertTime)))}::text::timestamptz[],
        ${Column.of(forms.map(({ expireTime }) => DateTime.toDateUtc(expireTime)))}::text::timestamptz[],
        ${Column.of(forms.map(({ folderId }) => folderId))}::text::uuid[],
        ${Column.of(forms.map(({ permissions }) => permissions && Column.of(permissions)))}::text::text[],
        ${Column.of(forms.map(({ deliveredTo }) => deliveredTo?.requestId ?? null))}::text::uuid[],
        ${Column.of(forms.map(({ deliveredTo }) => deliveredTo?.dropId ?? null))}::text::uuid[],
        ${Column.of(forms.map(({ tokenId }) => tokenId))}::text::uuid[]
      ) f (id, object_key, store_key, size, insert_time, expire_time, folder_id, permissions, request_id, drop_id,
        api_token_id)
    `.pipe(Effect.asVoid, Effect.orDie)

  /** The open forms of these keys, at most one for each. */
  const findOpen = (accountId: AccountId, objectKeys: ReadonlyArray<string>, limits: Limits) =>
    sql<OpenForm>`
      SELECT ${columns}, f.object_key AS "objectKey", f.permissions, f.folder_id AS "folderId", ${
      isWithin(database, limits)
    } AS "isWithin" FROM ${t.upload_forms} f
      WHERE f.account_id = ${accountId} AND f.object_key = ANY(${objectKeys}::text[]) AND f.state = 'open'
    `.pipe(Effect.orDie)

  /** How many are the account's own, without those of senders, and whether the calling token {@link isLive}. */
  const countOpen = (accountId: AccountId, tokenId: ApiTokenId | null, now: DateTime.Utc) =>
    sql<{ readonly count: number; readonly isLive: boolean }>`
      SELECT count(*)::int AS count, ${isLive(database, accountId, tokenId, now)} AS "isLive" FROM ${t.upload_forms}
      WHERE account_id = ${accountId} AND state = 'open' AND request_id IS NULL
    `.pipe(Effect.map(([row]) => row!), Effect.orDie)

  /** The open forms that were issued to this token of the account; null: to any. */
  const openOfToken = (accountId: AccountId, tokenId: ApiTokenId | null) =>
    sql<StoredForm>`
      SELECT ${columns} FROM ${t.upload_forms} f
      WHERE f.account_id = ${accountId} AND f.state = 'open' AND ${ofTokens(database, tokenId)}
    `.pipe(Effect.orDie)

  /** Closes those of the account's forms that are open, and returns them. */
  const close = (accountId: AccountId, ids: ReadonlyArray<FormId>) =>
    sql<StoredForm>`
      UPDATE ${t.upload_forms} AS f SET state = 'closed'
      WHERE ${byIds(database, "f", accountId, ids)} AND f.state = 'open' RETURNING ${columns}
    `.pipe(Effect.orDie)

  /** Open forms of any account that expired before `before`, from the oldest. */
  const expiredSince = (before: DateTime.Utc, limit: number) =>
    sql<StoredForm>`
      SELECT ${columns} FROM ${t.upload_forms} f
      WHERE f.state = 'open' AND f.expire_time <= ${
      DateTime.toDateUtc(before)
    } ORDER BY f.expire_time LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Closed forms of any account, in order of id. */
  const closedAfter = (id: FormId, limit: number) =>
    sql<StoredForm>`
      SELECT ${columns} FROM ${t.upload_forms} f
      WHERE f.state = 'closed' AND f.id > ${id}::uuid ORDER BY f.id LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Deletes closed forms of which storage has nothing. */
  const forget = (accountId: AccountId, ids: ReadonlyArray<FormId>) =>
    sql`
      DELETE FROM ${t.upload_forms} WHERE account_id = ${accountId} AND id = ANY(${ids}::uuid[]) AND state = 'closed'
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Those of `storeKeys` that belong to an open form, with which something may still be uploaded. */
  const open = (storeKeys: ReadonlyArray<string>) =>
    sql<{ readonly key: string }>`
      SELECT store_key AS key FROM ${t.upload_forms} WHERE store_key = ANY(${storeKeys}::text[]) AND state = 'open'
    `.pipe(Effect.map((rows) => new Set(rows.map((row) => row.key))), Effect.orDie)

  /** The objects that were or may be uploaded with forms that are not deleted yet. */
  const liveKeys: LiveKeysQuery = (_, storeKeys) =>
    sql`SELECT store_key AS key FROM ${t.upload_forms} WHERE store_key = ANY(${storeKeys}::text[])`

  return {
    insert,
    findOpen,
    countOpen,
    openOfToken,
    close,
    expiredSince,
    closedAfter,
    forget,
    open,
    liveKeys
  }
})

export class FormsRepo extends Context.Service<FormsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/uploads/FormsRepo"
) {
  static readonly layer = Layer.effect(FormsRepo, make)
}
