/** The host's ids of users in SQL. The only module that reads or writes `host_users`. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /** Returns the stored text: the given one, or an earlier one. */
  const insert = (accountId: AccountId, userId: string) =>
    sql<{ readonly userId: string }>`
      WITH made AS (
        INSERT INTO ${t.host_users} (account_id, user_id) VALUES (${accountId}, ${userId})
        ON CONFLICT (account_id) DO NOTHING RETURNING user_id
      )
      SELECT user_id AS "userId" FROM made UNION ALL
      SELECT user_id FROM ${t.host_users} WHERE account_id = ${accountId}
    `.pipe(
      // Another process has just stored it: this statement does not see that row.
      Effect.repeat({ while: (rows) => rows.length === 0 }),
      Effect.map((rows) => rows[0]!.userId),
      Effect.orDie
    )

  const find = (accountIds: ReadonlyArray<AccountId>) =>
    sql<{ readonly accountId: AccountId; readonly userId: string }>`
      SELECT account_id AS "accountId", user_id AS "userId" FROM ${t.host_users}
      WHERE account_id = ANY(${accountIds}::uuid[])
    `.pipe(Effect.orDie)

  return { insert, find }
})

export class HostUsersRepo extends Context.Service<HostUsersRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/accounts/HostUsersRepo"
) {
  static readonly layer = Layer.effect(HostUsersRepo, make)
}
