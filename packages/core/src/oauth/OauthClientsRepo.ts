/** Registered apps in SQL. The only module that writes `oauth_clients`. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { OauthClient } from "./OauthClient.ts"

interface Row extends Omit<OauthClient, "insertTime"> {
  readonly insertTime: Date
  readonly lastUsedTime: Date
}

export class OauthClientsRepo extends Context.Service<OauthClientsRepo, {
  readonly insert: (client: OauthClient) => Effect.Effect<void>
  readonly find: (id: string) => Effect.Effect<OauthClient & { readonly lastUsedTime: DateTime.Utc } | null>
  readonly markUsed: (id: string, now: DateTime.Utc) => Effect.Effect<void>
  /** Removes those without a grant but the `maxCount` that were used last. */
  readonly keepUnused: (maxCount: number) => Effect.Effect<void>
  /** Removes those without a grant that were not used since `time`. */
  readonly sweep: (time: DateTime.Utc) => Effect.Effect<void>
}>()("@filedrive/core/oauth/OauthClientsRepo") {
  static readonly layer = Layer.effect(
    OauthClientsRepo,
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const unused = sql`NOT EXISTS (SELECT FROM ${t.api_tokens} g WHERE g.client_id = c.id)`

      const insert = ({ id, insertTime, name, redirectUris }: OauthClient) => {
        const now = DateTime.toDateUtc(insertTime)
        return sql`
          INSERT INTO ${t.oauth_clients} (id, name, redirect_uris, insert_time, last_used_time)
          VALUES (${id}, ${name}, ${redirectUris}::text[], ${now}, ${now})
        `.pipe(Effect.asVoid, Effect.orDie)
      }

      const find = (id: string) =>
        sql<Row>`
          SELECT id, name, redirect_uris AS "redirectUris", insert_time AS "insertTime", last_used_time AS "lastUsedTime"
          FROM ${t.oauth_clients} WHERE id = ${id}
        `.pipe(
          Effect.map(([row]) =>
            row === undefined ? null : {
              ...row,
              insertTime: DateTime.fromDateUnsafe(row.insertTime),
              lastUsedTime: DateTime.fromDateUnsafe(row.lastUsedTime)
            }
          ),
          Effect.orDie
        )

      const markUsed = (id: string, now: DateTime.Utc) =>
        sql`UPDATE ${t.oauth_clients} SET last_used_time = ${DateTime.toDateUtc(now)} WHERE id = ${id}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      const keepUnused = (maxCount: number) =>
        sql`
          DELETE FROM ${t.oauth_clients} WHERE id IN (
            SELECT c.id FROM ${t.oauth_clients} c WHERE ${unused} ORDER BY c.last_used_time DESC, c.id OFFSET ${maxCount}
          )
        `.pipe(Effect.asVoid, Effect.orDie)

      const sweep = (time: DateTime.Utc) =>
        sql`DELETE FROM ${t.oauth_clients} c WHERE c.last_used_time < ${DateTime.toDateUtc(time)} AND ${unused}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      return OauthClientsRepo.of({ insert, find, markUsed, keepUnused, sweep })
    })
  )
}
