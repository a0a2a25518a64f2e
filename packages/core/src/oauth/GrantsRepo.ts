/** Grants and codes in SQL. The only module that writes `oauth_grants` and `oauth_codes`. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Permission } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, ApiTokenId, FolderId } from "../shared/Ids.ts"
import type { NewCode, StoredCode, StoredGrant } from "./StoredGrant.ts"

interface CodeRow {
  readonly accountId: AccountId
  readonly clientId: string
  readonly clientName: string
  readonly redirectUri: string
  readonly challenge: string
  readonly resources: ReadonlyArray<string>
  readonly permissions: ReadonlyArray<Permission>
  readonly folderId: FolderId | null
  readonly expireTime: Date
  readonly grantId: ApiTokenId | null
}

interface GrantRow extends Omit<StoredGrant, "expireTime" | "insertTime" | "replacedTime"> {
  readonly replacedTime: Date | null
  readonly insertTime: Date
  readonly expireTime: Date
}

export class GrantsRepo extends Context.Service<GrantsRepo, {
  /** Why it was not inserted, or null: the folder is not the account's, or the page has a code already. */
  readonly insertCode: (accountId: AccountId, code: NewCode) => Effect.Effect<"folder" | "page" | null>
  /** Removes the account's codes but the `maxCount` newest. */
  readonly keepCodes: (accountId: AccountId, maxCount: number) => Effect.Effect<void>
  readonly findCode: (codeHash: Uint8Array) => Effect.Effect<StoredCode | null>
  /** Marks a code as used for the grant. False when it is not there any more, or was used. */
  readonly useCode: (accountId: AccountId, codeHash: Uint8Array, grantId: ApiTokenId) => Effect.Effect<boolean>
  readonly insert: (grant: {
    readonly id: ApiTokenId
    readonly accountId: AccountId
    readonly resources: ReadonlyArray<string>
    readonly familyHash: Uint8Array
    readonly refreshHash: Uint8Array
  }) => Effect.Effect<void>
  readonly findByFamily: (familyHash: Uint8Array) => Effect.Effect<StoredGrant | null>
  /** Replaces the newest refresh token. False when `from` is not it. */
  readonly rotate: (
    grant: Pick<StoredGrant, "accountId" | "id">,
    change: {
      readonly from: Uint8Array
      readonly to: Uint8Array
      readonly salt: Uint8Array
      readonly time: DateTime.Utc
    }
  ) => Effect.Effect<boolean>
  /** Forgets what a replaced token's answer is made again with if it was replaced at `time` or before; else returns when it was. */
  readonly forgetReplaced: (
    accountId: AccountId,
    id: ApiTokenId,
    time: DateTime.Utc
  ) => Effect.Effect<DateTime.Utc | null>
  /** Removes the codes that expired before `time`. */
  readonly sweepCodes: (time: DateTime.Utc) => Effect.Effect<void>
}>()("@filedrive/core/oauth/GrantsRepo") {
  static readonly layer = Layer.effect(
    GrantsRepo,
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database

      const insertCode = Effect.fnUntraced(function*(accountId: AccountId, code: NewCode) {
        const { challenge, clientId, clientName, folderId, permissions, redirectUri, resources } = code.consent
        const [row] = yield* sql<{ readonly isFolder: boolean; readonly isInserted: boolean }>`
          WITH folder AS (
            -- Asked and held in this statement: the folder can be neither another's nor going.
            SELECT 1 FROM ${t.folders} WHERE id = ${folderId}::uuid AND account_id = ${accountId}::uuid FOR KEY SHARE
          ), inserted AS (
            INSERT INTO ${t.oauth_codes} (
              code_hash, account_id, page_hash, client_id, client_name, redirect_uri, challenge, resources, permissions,
              folder_id, expire_time
            )
            SELECT ${code.codeHash}::bytea, ${accountId}::uuid, ${code.pageHash}::bytea, ${clientId}::text,
              ${clientName}::text, ${redirectUri}::text, ${challenge}::text, ${resources}::text[],
              ${permissions}::text[], ${folderId}::uuid, ${DateTime.toDateUtc(code.expireTime)}::timestamptz
            WHERE ${folderId}::uuid IS NULL OR EXISTS (SELECT FROM folder)
            ON CONFLICT (page_hash) DO NOTHING RETURNING 1
          )
          SELECT ${folderId}::uuid IS NULL OR EXISTS (SELECT FROM folder) AS "isFolder",
            EXISTS (SELECT FROM inserted) AS "isInserted"
        `
        return row!.isInserted ? null : row!.isFolder ? "page" as const : "folder" as const
      }, Effect.orDie)

      const keepCodes = (accountId: AccountId, maxCount: number) =>
        sql`
          DELETE FROM ${t.oauth_codes} WHERE account_id = ${accountId} AND code_hash IN (
            SELECT code_hash FROM ${t.oauth_codes} WHERE account_id = ${accountId}
            ORDER BY expire_time DESC, code_hash OFFSET ${maxCount}
          )
        `.pipe(Effect.asVoid, Effect.orDie)

      const findCode = (codeHash: Uint8Array) =>
        sql<CodeRow>`
          SELECT account_id AS "accountId", client_id AS "clientId", client_name AS "clientName",
            redirect_uri AS "redirectUri", challenge, resources, permissions, folder_id AS "folderId",
            expire_time AS "expireTime", grant_id AS "grantId"
          FROM ${t.oauth_codes} WHERE code_hash = ${codeHash}
        `.pipe(
          Effect.map(([row]) =>
            row === undefined ? null : { ...row, expireTime: DateTime.fromDateUnsafe(row.expireTime) }
          ),
          Effect.orDie
        )

      const useCode = (accountId: AccountId, codeHash: Uint8Array, grantId: ApiTokenId) =>
        sql`
          UPDATE ${t.oauth_codes} SET grant_id = ${grantId}
          WHERE account_id = ${accountId} AND code_hash = ${codeHash} AND grant_id IS NULL RETURNING 1
        `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

      const insert: GrantsRepo["Service"]["insert"] = ({ accountId, familyHash, id, refreshHash, resources }) =>
        sql`
          INSERT INTO ${t.oauth_grants} (id, account_id, resources, family_hash, refresh_hash)
          VALUES (${id}, ${accountId}, ${resources}::text[], ${familyHash}, ${refreshHash})
        `.pipe(Effect.asVoid, Effect.orDie)

      const findByFamily = (familyHash: Uint8Array) =>
        sql<GrantRow>`
          SELECT g.id, g.account_id AS "accountId", g.resources, g.refresh_hash AS "refreshHash",
            g.replaced_hash AS "replacedHash", g.replaced_salt AS "replacedSalt", g.replaced_time AS "replacedTime",
            t.client_id AS "clientId",
            t.permissions, t.folder_id AS "folderId", t.insert_time AS "insertTime", t.expire_time AS "expireTime"
          FROM ${t.oauth_grants} g JOIN ${t.api_tokens} t ON t.id = g.id
          WHERE g.family_hash = ${familyHash}
        `.pipe(
          Effect.map(([row]) =>
            row === undefined ? null : {
              ...row,
              insertTime: DateTime.fromDateUnsafe(row.insertTime),
              expireTime: DateTime.fromDateUnsafe(row.expireTime),
              replacedTime: row.replacedTime && DateTime.fromDateUnsafe(row.replacedTime)
            }
          ),
          Effect.orDie
        )

      const rotate: GrantsRepo["Service"]["rotate"] = ({ accountId, id }, { from, salt, time, to }) =>
        sql`
          UPDATE ${t.oauth_grants}
          SET refresh_hash = ${to}, replaced_hash = ${from}, replaced_salt = ${salt}, replaced_time = ${
          DateTime.toDateUtc(time)
        }
          WHERE account_id = ${accountId} AND id = ${id} AND refresh_hash = ${from} RETURNING 1
        `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

      const forgetReplaced = Effect.fnUntraced(function*(accountId: AccountId, id: ApiTokenId, time: DateTime.Utc) {
        yield* sql`
          UPDATE ${t.oauth_grants} SET replaced_hash = NULL, replaced_salt = NULL, replaced_time = NULL
          WHERE account_id = ${accountId} AND id = ${id} AND replaced_time <= ${DateTime.toDateUtc(time)}
        `
        const [row] = yield* sql<{ readonly time: Date }>`
          SELECT replaced_time AS time FROM ${t.oauth_grants}
          WHERE account_id = ${accountId} AND id = ${id} AND replaced_time IS NOT NULL
        `
        return row === undefined ? null : DateTime.fromDateUnsafe(row.time)
      }, Effect.orDie)

      const sweepCodes = (time: DateTime.Utc) =>
        sql`DELETE FROM ${t.oauth_codes} WHERE expire_time < ${DateTime.toDateUtc(time)}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      return GrantsRepo.of({
        insertCode,
        keepCodes,
        findCode,
        useCode,
        insert,
        findByFamily,
        rotate,
        forgetReplaced,
        sweepCodes
      })
    })
  )
}
