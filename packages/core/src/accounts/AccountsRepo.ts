/** What accounts hold, in SQL: their rows of `accounts`, which are locked before anything of theirs changes. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { Balance } from "./Balance.ts"
import { noTasks } from "./HeldAccount.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const columns = sql.literal(`used_bytes::float8 AS "usedBytes", held_bytes::float8 AS "heldBytes"`)

  /** Makes the row if it is not there. */
  const insert = (accountId: AccountId) =>
    sql`INSERT INTO ${t.accounts} (id) VALUES (${accountId}) ON CONFLICT (id) DO NOTHING`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  /** Locks the row and increases the account's revision. The key does not change, so rows that only refer to the account, such as a new session, need not wait for it. */
  const lock = (accountId: AccountId) =>
    sql<Balance & { readonly tasksActive: number; readonly tasksWaiting: number }>`
      UPDATE ${t.accounts} SET revision = revision + 1 WHERE id = ${accountId}
      RETURNING ${columns}, tasks_active AS "tasksActive", tasks_waiting AS "tasksWaiting"
    `.pipe(Effect.map((rows) => rows[0]), Effect.orDie)

  const balance = (accountId: AccountId) =>
    sql<Balance>`SELECT ${columns} FROM ${t.accounts} WHERE id = ${accountId}`.pipe(
      Effect.map((rows) => rows[0]),
      Effect.orDie
    )

  const add = (accountId: AccountId, { heldBytes, usedBytes }: Balance, { active, waiting } = noTasks) =>
    sql`
      UPDATE ${t.accounts}
      SET used_bytes = used_bytes + ${usedBytes}::bigint, held_bytes = held_bytes + ${heldBytes}::bigint,
        tasks_active = tasks_active + ${active}::int, tasks_waiting = tasks_waiting + ${waiting}::int
      WHERE id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  return { insert, lock, balance, add }
})

export class AccountsRepo extends Context.Service<AccountsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/accounts/AccountsRepo"
) {
  static readonly layer = Layer.effect(AccountsRepo, make)
}
