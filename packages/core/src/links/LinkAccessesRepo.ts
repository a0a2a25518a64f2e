/** Access tokens of links in SQL. The only module that writes `link_accesses`. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { Link } from "./Link.ts"

export class LinkAccessesRepo extends Context.Service<LinkAccessesRepo, {
  /** Records a token; of more than `maxCount` of the link the ones that end first go. */
  readonly insert: (
    access: {
      readonly link: Link
      readonly hash: Uint8Array
      readonly expireTime: DateTime.Utc
      readonly maxCount: number
    }
  ) => Effect.Effect<void>
  /** Whether there is such a token of the link that ends after `now`. */
  readonly isLive: (link: Link, hash: Uint8Array, now: DateTime.Utc) => Effect.Effect<boolean>
  /** Removes the tokens of a link. */
  readonly removeAll: (accountId: AccountId, linkId: string) => Effect.Effect<void>
  /** Removes tokens that ended before `now`. */
  readonly sweep: (now: DateTime.Utc) => Effect.Effect<void>
}>()("@filedrive/core/links/LinkAccessesRepo") {
  static readonly layer = Layer.effect(
    LinkAccessesRepo,
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database

      const insert: LinkAccessesRepo["Service"]["insert"] = ({ expireTime, hash, link, maxCount }) =>
        sql`
          WITH inserted AS (
            INSERT INTO ${t.link_accesses} (token_hash, account_id, link_id, expire_time)
            VALUES (${hash}, ${link.accountId}, ${link.id}, ${DateTime.toDateUtc(expireTime)})
          )
          DELETE FROM ${t.link_accesses} WHERE token_hash IN (
            SELECT a.token_hash FROM ${t.link_accesses} a
            WHERE a.link_id = ${link.id} AND a.account_id = ${link.accountId}
            -- The statement does not see the row that it inserts.
            ORDER BY a.expire_time DESC, a.token_hash OFFSET ${maxCount - 1}::int
          )
        `.pipe(Effect.asVoid, Effect.orDie)

      const isLive = (link: Link, hash: Uint8Array, now: DateTime.Utc) =>
        sql`
          SELECT 1 FROM ${t.link_accesses}
          WHERE token_hash = ${hash} AND account_id = ${link.accountId} AND link_id = ${link.id}
            AND expire_time > ${DateTime.toDateUtc(now)}
        `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

      const removeAll = (accountId: AccountId, linkId: string) =>
        sql`DELETE FROM ${t.link_accesses} WHERE account_id = ${accountId} AND link_id = ${linkId}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      const sweep = (now: DateTime.Utc) =>
        sql`DELETE FROM ${t.link_accesses} WHERE expire_time <= ${DateTime.toDateUtc(now)}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      return LinkAccessesRepo.of({ insert, isLive, removeAll, sweep })
    })
  )
}
