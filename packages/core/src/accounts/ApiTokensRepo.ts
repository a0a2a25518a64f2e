/**
 * API tokens in SQL. The only module that writes `api_tokens`, but for the mark of use that a new session leaves. Only
 * {@link "./TokenLifetimes.ts"} inserts, extends and removes them.
 */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId, ApiTokenId, FolderId } from "../shared/Ids.ts"
import type { ApiToken } from "./ApiToken.ts"
import type { Credential } from "./Credential.ts"
import type { Permission } from "./CurrentAccount.ts"

interface Row {
  readonly id: ApiTokenId
  readonly accountId: AccountId
  readonly name: string
  readonly permissions: ReadonlyArray<Permission> | null
  readonly folderId: FolderId | null
  readonly insertTime: Date
  readonly expireTime: Date | null
  readonly lastUsedTime: Date | null
  readonly clientId: string | null
}

type CredentialRow = Pick<Row, "id" | "accountId" | "name" | "permissions" | "folderId">

const toCredential = ({ folderId, permissions, ...row }: CredentialRow): Credential => ({
  ...row,
  limits: { permissions, folderId }
})

/** A token that is shown with each request is marked as used only so often. */
const markInterval = Duration.minutes(1)

const utc = (date: Date | null) => date && DateTime.fromDateUnsafe(date)

const fromRow = ({ folderId, permissions, ...row }: Row): ApiToken => ({
  ...row,
  limits: { permissions, folderId },
  insertTime: DateTime.fromDateUnsafe(row.insertTime),
  expireTime: utc(row.expireTime),
  lastUsedTime: utc(row.lastUsedTime)
})

type TokenOfAccount = Pick<Row, "id" | "accountId">

export class ApiTokensRepo extends Context.Service<ApiTokensRepo, {
  /** `hash`: null for a grant. False when the folder is not the account's or a token with this hash is there; then nothing changes. */
  readonly insert: (token: ApiToken, hash: Uint8Array | null) => Effect.Effect<boolean>
  /** Marks a token of the account's as the host's configuration's. */
  readonly markConfigured: (accountId: AccountId, hash: Uint8Array) => Effect.Effect<void>
  /**
   * The token of this hash where it is the account's and has other limits or another end, or is another account's by the host's
   * configuration.
   */
  readonly findUnlike: (
    accountId: AccountId,
    hash: Uint8Array,
    token: Pick<ApiToken, "limits" | "expireTime">
  ) => Effect.Effect<TokenOfAccount | null>
  /** Every configured token, of whatever account, whose hash is not among these. */
  readonly configuredBeside: (hashes: ReadonlyArray<Uint8Array>) => Effect.Effect<ReadonlyArray<TokenOfAccount>>
  readonly findByHash: (hash: Uint8Array) => Effect.Effect<Option.Option<ApiToken>>
  /** The token of this hash that is valid at `now`, marked as used when it wasn't within the last minute; null without one. */
  readonly use: (hash: Uint8Array, now: DateTime.Utc) => Effect.Effect<Credential | null>
  /** The account's token of this id that is valid at `now`. */
  readonly find: (accountId: AccountId, id: ApiTokenId, now: DateTime.Utc) => Effect.Effect<Credential | null>
  /** The account's token of a client that has one at most, and that never expires. */
  readonly findOfClient: (accountId: AccountId, clientId: string) => Effect.Effect<Credential | null>
  /** The account's tokens, newest first. */
  readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ApiToken>>
  /** Whether the account has so many tokens, expired ones too. */
  readonly hasAtLeast: (accountId: AccountId, count: number) => Effect.Effect<boolean>
  /** The account's grants that are valid at `now`. */
  readonly countGrants: (accountId: AccountId, now: DateTime.Utc) => Effect.Effect<number>
  /** Has the grant end at `expireTime`. False when it is gone or has expired. */
  readonly extend: (
    accountId: AccountId,
    id: ApiTokenId,
    expireTime: DateTime.Utc,
    now: DateTime.Utc
  ) => Effect.Effect<boolean>
  /** When the token expires; null when it never does or is gone. */
  readonly expireTime: (accountId: AccountId, id: ApiTokenId) => Effect.Effect<DateTime.Utc | null>
  /**
   * The tokens that are limited to one of these folders. Their rows are locked: an exchange that is running has locked its token's before it
   * reads the folder.
   */
  readonly lockOfFolders: (
    accountId: AccountId,
    folderIds: ReadonlyArray<FolderId>
  ) => Effect.Effect<ReadonlyArray<ApiTokenId>>
  /** Removes a token, and with it every session it was exchanged for. False when it is not the account's. */
  readonly remove: (accountId: AccountId, id: ApiTokenId) => Effect.Effect<boolean>
  /** Removes the tokens that expired before `time`. Their jobs have ended what they had, or will. */
  readonly sweep: (time: DateTime.Utc) => Effect.Effect<void>
}>()("@filedrive/core/accounts/ApiTokensRepo") {
  static readonly layer = Layer.effect(
    ApiTokensRepo,
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const columns = sql.literal(
        `id, account_id AS "accountId", name, permissions, folder_id AS "folderId", insert_time AS "insertTime",
         expire_time AS "expireTime", last_used_time AS "lastUsedTime", client_id AS "clientId"`
      )

      const insert: ApiTokensRepo["Service"]["insert"] = (
        { accountId, clientId, expireTime, id, insertTime, limits, name },
        hash
      ) =>
        sql`
          INSERT INTO ${t.api_tokens}
            (id, account_id, name, token_hash, client_id, permissions, folder_id, insert_time, expire_time)
          SELECT ${id}::uuid, ${accountId}::uuid, ${name}::text, ${hash}::bytea, ${clientId}::text,
            ${limits.permissions}::text[], ${limits.folderId}::uuid, ${DateTime.toDateUtc(insertTime)}::timestamptz,
            ${expireTime && DateTime.toDateUtc(expireTime)}::timestamptz
          WHERE ${limits.folderId}::uuid IS NULL OR EXISTS (
            -- Asked and held in this statement: the folder can be neither another's nor going.
            SELECT FROM ${t.folders} WHERE id = ${limits.folderId}::uuid AND account_id = ${accountId}::uuid
            FOR KEY SHARE
          )
          ON CONFLICT (token_hash) DO NOTHING RETURNING 1
        `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

      const markConfigured = (accountId: AccountId, hash: Uint8Array) =>
        sql`
          UPDATE ${t.api_tokens} SET is_configured = TRUE
          WHERE account_id = ${accountId} AND token_hash = ${hash}
        `.pipe(Effect.asVoid, Effect.orDie)

      const findUnlike: ApiTokensRepo["Service"]["findUnlike"] = (accountId, hash, { expireTime, limits }) =>
        sql<TokenOfAccount>`
          SELECT id, account_id AS "accountId" FROM ${t.api_tokens}
          WHERE token_hash = ${hash} AND CASE WHEN account_id = ${accountId} THEN
            permissions IS DISTINCT FROM ${limits.permissions}::text[]
              OR folder_id IS DISTINCT FROM ${limits.folderId}::uuid
              OR expire_time IS DISTINCT FROM ${expireTime && DateTime.toDateUtc(expireTime)}::timestamptz
            ELSE is_configured END
        `.pipe(Effect.map(([row]) => row ?? null), Effect.orDie)

      const configuredBeside = (hashes: ReadonlyArray<Uint8Array>) =>
        sql<TokenOfAccount>`
          SELECT id, account_id AS "accountId" FROM ${t.api_tokens}
          WHERE is_configured AND ${hashes.length === 0 ? sql`TRUE` : sql`NOT ${sql.in("token_hash", hashes)}`}
        `.pipe(Effect.orDie)

      const findByHash = (hash: Uint8Array) =>
        sql<Row>`SELECT ${columns} FROM ${t.api_tokens} WHERE token_hash = ${hash}`.pipe(
          Effect.map(([row]) => Option.map(Option.fromUndefinedOr(row), fromRow)),
          Effect.orDie
        )

      const credential = sql.literal(
        `id, account_id AS "accountId", name, permissions, folder_id AS "folderId"`
      )

      const use = (hash: Uint8Array, now: DateTime.Utc) =>
        sql<CredentialRow>`
          WITH used AS (
            UPDATE ${t.api_tokens} SET last_used_time = ${DateTime.toDateUtc(now)}
            WHERE token_hash = ${hash} AND (expire_time IS NULL OR expire_time > ${DateTime.toDateUtc(now)})
              AND coalesce(last_used_time <= ${DateTime.toDateUtc(DateTime.subtractDuration(now, markInterval))}, TRUE)
          )
          SELECT ${credential} FROM ${t.api_tokens}
          WHERE token_hash = ${hash} AND (expire_time IS NULL OR expire_time > ${DateTime.toDateUtc(now)})
        `.pipe(Effect.map(([row]) => row === undefined ? null : toCredential(row)), Effect.orDie)

      const find = (accountId: AccountId, id: ApiTokenId, now: DateTime.Utc) =>
        sql<CredentialRow>`
          SELECT ${credential} FROM ${t.api_tokens}
          WHERE account_id = ${accountId} AND id = ${id} AND (expire_time IS NULL OR expire_time > ${
          DateTime.toDateUtc(now)
        })
        `.pipe(Effect.map(([row]) => row === undefined ? null : toCredential(row)), Effect.orDie)

      const findOfClient = (accountId: AccountId, clientId: string) =>
        sql<CredentialRow>`
          SELECT ${credential} FROM ${t.api_tokens}
          WHERE account_id = ${accountId} AND client_id = ${clientId} AND expire_time IS NULL
        `.pipe(Effect.map(([row]) => row === undefined ? null : toCredential(row)), Effect.orDie)

      const hasAtLeast = (accountId: AccountId, count: number) =>
        sql`SELECT 1 FROM ${t.api_tokens} WHERE account_id = ${accountId} OFFSET ${count - 1}::int LIMIT 1`.pipe(
          Effect.map((found) => found.length > 0),
          Effect.orDie
        )

      const list = (accountId: AccountId) =>
        sql<Row>`
          SELECT ${columns} FROM ${t.api_tokens} WHERE account_id = ${accountId} ORDER BY insert_time DESC, id DESC
        `.pipe(Effect.map((rows) => rows.map(fromRow)), Effect.orDie)

      const countGrants = (accountId: AccountId, now: DateTime.Utc) =>
        sql<{ readonly count: number }>`
          SELECT count(*)::int AS count FROM ${t.api_tokens}
          WHERE account_id = ${accountId} AND client_id IS NOT NULL AND expire_time > ${DateTime.toDateUtc(now)}
        `.pipe(Effect.map(([row]) => row!.count), Effect.orDie)

      const extend = (accountId: AccountId, id: ApiTokenId, expireTime: DateTime.Utc, now: DateTime.Utc) =>
        sql`
          UPDATE ${t.api_tokens} SET expire_time = ${DateTime.toDateUtc(expireTime)}
          WHERE account_id = ${accountId} AND id = ${id} AND client_id IS NOT NULL AND expire_time > ${
          DateTime.toDateUtc(now)
        } RETURNING 1
        `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

      const expireTime = (accountId: AccountId, id: ApiTokenId) =>
        sql<Pick<Row, "expireTime">>`
          SELECT expire_time AS "expireTime" FROM ${t.api_tokens} WHERE account_id = ${accountId} AND id = ${id}
        `.pipe(Effect.map(([row]) => utc(row?.expireTime ?? null)), Effect.orDie)

      const lockOfFolders = (accountId: AccountId, folderIds: ReadonlyArray<FolderId>) =>
        sql<Pick<Row, "id">>`
          SELECT id FROM ${t.api_tokens} WHERE account_id = ${accountId} AND folder_id = ANY(${folderIds}::uuid[])
          ORDER BY id FOR UPDATE
        `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

      const remove = (accountId: AccountId, id: ApiTokenId) =>
        sql`DELETE FROM ${t.api_tokens} WHERE account_id = ${accountId} AND id = ${id} RETURNING 1`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.orDie
        )

      const sweep = (time: DateTime.Utc) =>
        sql`DELETE FROM ${t.api_tokens} WHERE expire_time < ${DateTime.toDateUtc(time)}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      return ApiTokensRepo.of({
        insert,
        markConfigured,
        findUnlike,
        configuredBeside,
        findByHash,
        use,
        find,
        findOfClient,
        list,
        hasAtLeast,
        countGrants,
        extend,
        expireTime,
        lockOfFolders,
        remove,
        sweep
      })
    })
  )
}
