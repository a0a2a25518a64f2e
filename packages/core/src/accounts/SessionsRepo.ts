/** Sessions in SQL. The only module that writes `sessions`. */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import type { Statement } from "effect/sql"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, ApiTokenId, FolderId, SessionId } from "../shared/Ids.ts"
import type { Limits, Permission } from "./CurrentAccount.ts"
import type { AccessLimits, SessionItem, SessionMaxCount, StoredAccess, StoredSession } from "./Session.ts"

interface Row {
  readonly accountId: AccountId
  readonly tokenId: ApiTokenId | null
  readonly permissions: ReadonlyArray<Permission> | null
  readonly folderId: FolderId | null
  readonly expireTime: Date
  readonly resources: ReadonlyArray<string> | null
}

const stored = ({ accountId, expireTime, folderId, permissions, resources, tokenId }: Row): StoredSession => ({
  account: { id: accountId, tokenId, limits: { permissions, folderId } },
  expireMillis: expireTime.getTime(),
  resources
})

export class SessionsRepo extends Context.Service<SessionsRepo, {
  /** False when the folder is not the account's; then nothing changes. */
  readonly insert: (session: {
    readonly hash: Uint8Array
    readonly accountId: AccountId
    readonly limits: Limits
    readonly insertTime: DateTime.Utc
    readonly expireTime: DateTime.Utc
    readonly maxCount: SessionMaxCount
  }) => Effect.Effect<boolean>

  /**
   * Copies the token's account and limits into a new session and marks the
   * token as used, in one statement. Returns when the session ends, or none
   * when the token is gone or has expired. `access`: for an access token, which may do less than its grant.
   */
  readonly insertFor: (session: {
    readonly hash: Uint8Array
    readonly tokenId: ApiTokenId
    readonly insertTime: DateTime.Utc
    readonly expireTime: DateTime.Utc
    readonly maxCount: SessionMaxCount
    readonly access: AccessLimits | null
  }) => Effect.Effect<Option.Option<DateTime.Utc>>

  readonly find: (hash: Uint8Array) => Effect.Effect<StoredSession | undefined>

  readonly findAccess: (hash: Uint8Array) => Effect.Effect<StoredAccess | undefined>

  /** Those of the ids whose sessions are there and end after `now`. */
  readonly alive: (ids: ReadonlyArray<SessionId>, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<SessionId>>

  readonly list: (accountId: AccountId, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<SessionItem>>
  /** Whose it was; undefined when there is none. */
  readonly remove: (hash: Uint8Array) => Effect.Effect<AccountId | undefined>
  readonly removeById: (accountId: AccountId, id: SessionId) => Effect.Effect<boolean>
  readonly removeAll: (accountId: AccountId) => Effect.Effect<void>
  /** Removes those that are of no token and were opened for no longer than this. */
  readonly removeShortLived: (accountId: AccountId, lifetime: Duration.Duration) => Effect.Effect<void>
  /** Forgets sessions that ended before `time`. */
  readonly sweep: (time: DateTime.Utc) => Effect.Effect<void>
}>()("@filedrive/core/accounts/SessionsRepo") {
  static readonly layer = Layer.effect(
    SessionsRepo,
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database

      const find = (hash: Uint8Array) =>
        sql<Row>`
          SELECT account_id AS "accountId", api_token_id AS "tokenId", permissions, folder_id AS "folderId",
            expire_time AS "expireTime", resources
          FROM ${t.sessions} WHERE token_hash = ${hash}
        `.pipe(Effect.map(([row]) => row && stored(row)), Effect.orDie)

      const findAccess = (hash: Uint8Array) =>
        sql<
          Row & {
            readonly tokenId: ApiTokenId
            readonly name: string
            readonly clientId: string
            readonly insertTime: Date
            readonly resources: ReadonlyArray<string>
          }
        >`
          SELECT s.account_id AS "accountId", s.api_token_id AS "tokenId", s.permissions, s.folder_id AS "folderId",
            s.expire_time AS "expireTime", s.resources, s.insert_time AS "insertTime", g.name, g.client_id AS "clientId"
          FROM ${t.sessions} s JOIN ${t.api_tokens} g ON g.id = s.api_token_id
          WHERE s.token_hash = ${hash} AND s.resources IS NOT NULL
        `.pipe(
          Effect.map(([row]) => {
            if (row === undefined) return undefined
            const { clientId, insertTime, name, resources, tokenId } = row
            return { ...stored(row), clientId, insertMillis: insertTime.getTime(), name, resources, tokenId }
          }),
          Effect.orDie
        )

      /** Part of a statement that has put a row of the account in `inserted`: removes the session whose place that takes. */
      const replaced = (accountId: Statement.Fragment, tokenId: ApiTokenId | null, maxCount: SessionMaxCount) =>
        maxCount === null ? sql`` : sql`
          , replaced AS (
            DELETE FROM ${t.sessions} WHERE token_hash = (
              SELECT s.token_hash FROM ${t.sessions} s
              WHERE s.account_id = (${accountId}) AND s.api_token_id IS NOT DISTINCT FROM ${tokenId}::uuid
              ORDER BY s.expire_time, s.token_hash LIMIT 1
            ) AND EXISTS (SELECT FROM inserted) AND EXISTS (
              SELECT FROM ${t.sessions} s
              WHERE s.account_id = (${accountId}) AND s.api_token_id IS NOT DISTINCT FROM ${tokenId}::uuid
              OFFSET ${maxCount - 1}::int
            )
          )
        `

      const insert: SessionsRepo["Service"]["insert"] = (
        { accountId, expireTime, hash, insertTime, limits, maxCount }
      ) =>
        sql`
          WITH inserted AS (
            INSERT INTO ${t.sessions} (token_hash, account_id, permissions, folder_id, insert_time, expire_time)
            SELECT ${hash}::bytea, ${accountId}::uuid, ${limits.permissions}::text[], ${limits.folderId}::uuid,
              ${DateTime.toDateUtc(insertTime)}::timestamptz, ${DateTime.toDateUtc(expireTime)}::timestamptz
            WHERE ${limits.folderId}::uuid IS NULL OR EXISTS (
              -- Asked and held in this statement: the folder can be neither another's nor going.
              SELECT FROM ${t.folders} WHERE id = ${limits.folderId}::uuid AND account_id = ${accountId}::uuid
              FOR KEY SHARE
            ) RETURNING 1
          ) ${replaced(sql`${accountId}::uuid`, null, maxCount)}
          SELECT 1 FROM inserted
        `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

      const insertFor: SessionsRepo["Service"]["insertFor"] = (
        { access, expireTime, hash, insertTime, maxCount, tokenId }
      ) => {
        const now = DateTime.toDateUtc(insertTime)
        // The update waits for a revocation that is under way, and then finds no token.
        return sql<{ readonly expireTime: Date }>`
          WITH token AS (
            UPDATE ${t.api_tokens} SET last_used_time = ${now}
            WHERE id = ${tokenId} AND (expire_time IS NULL OR expire_time > ${now})
            RETURNING id, account_id, permissions, folder_id, expire_time
          ), inserted AS (
            INSERT INTO ${t.sessions}
              (token_hash, account_id, api_token_id, permissions, folder_id, insert_time, expire_time, resources)
            SELECT ${hash}::bytea, account_id, id, coalesce(${
          access?.permissions ?? null
        }::text[], permissions), folder_id,
              ${now}::timestamptz, least(${DateTime.toDateUtc(expireTime)}::timestamptz, expire_time),
              ${access?.resources ?? null}::text[]
            FROM token
            RETURNING expire_time
          ) ${replaced(sql`SELECT account_id FROM token`, tokenId, maxCount)}
          SELECT expire_time AS "expireTime" FROM inserted
        `.pipe(
          Effect.map(([row]) =>
            row === undefined ? Option.none() : Option.some(DateTime.fromDateUnsafe(row.expireTime))
          ),
          Effect.orDie
        )
      }

      const alive = (ids: ReadonlyArray<SessionId>, now: DateTime.Utc) =>
        sql<{ readonly id: SessionId }>`
          SELECT asked.id
          FROM unnest(${Column.of(ids)}::text::text[]) asked (id)
          JOIN ${t.sessions} s ON s.token_hash = decode(asked.id, 'hex')
          WHERE s.expire_time > ${DateTime.toDateUtc(now)}
        `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

      const list = (accountId: AccountId, now: DateTime.Utc) =>
        sql<
          {
            readonly id: SessionId
            readonly apiTokenId: ApiTokenId | null
            readonly insertTime: Date
            readonly expireTime: Date
          }
        >`
          SELECT encode(token_hash, 'hex') AS id, api_token_id AS "apiTokenId", insert_time AS "insertTime",
            expire_time AS "expireTime"
          FROM ${t.sessions} WHERE account_id = ${accountId} AND expire_time > ${DateTime.toDateUtc(now)}
          ORDER BY insert_time DESC, token_hash
        `.pipe(
          Effect.map((rows) =>
            rows.map((row) => ({
              ...row,
              insertTime: DateTime.fromDateUnsafe(row.insertTime),
              expireTime: DateTime.fromDateUnsafe(row.expireTime)
            }))
          ),
          Effect.orDie
        )

      const remove = (hash: Uint8Array) =>
        sql<{ readonly accountId: AccountId }>`
          DELETE FROM ${t.sessions} WHERE token_hash = ${hash} RETURNING account_id AS "accountId"
        `.pipe(Effect.map(([row]) => row?.accountId), Effect.orDie)

      const removeById = (accountId: AccountId, id: SessionId) =>
        sql`
          DELETE FROM ${t.sessions} WHERE account_id = ${accountId} AND encode(token_hash, 'hex') = ${id}
          RETURNING 1
        `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

      const removeAll = (accountId: AccountId) =>
        sql`DELETE FROM ${t.sessions} WHERE account_id = ${accountId}`.pipe(Effect.asVoid, Effect.orDie)

      const removeShortLived = (accountId: AccountId, lifetime: Duration.Duration) =>
        sql`
          DELETE FROM ${t.sessions} WHERE account_id = ${accountId} AND api_token_id IS NULL
            AND expire_time <= insert_time + ${Duration.toSeconds(lifetime)}::int * interval '1 second'
        `.pipe(Effect.asVoid, Effect.orDie)

      const sweep = (time: DateTime.Utc) =>
        sql`DELETE FROM ${t.sessions} WHERE expire_time < ${DateTime.toDateUtc(time)}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      return SessionsRepo.of({
        alive,
        find,
        findAccess,
        insert,
        insertFor,
        list,
        remove,
        removeById,
        removeAll,
        removeShortLived,
        sweep
      })
    })
  )
}
