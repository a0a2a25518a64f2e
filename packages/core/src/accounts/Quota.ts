/** What an account holds, and whether more fits. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"

/** What an account holds, in bytes. */
export interface Balance {
  /** Bytes of its files, those in trash included, derivatives not. */
  readonly usedBytes: number
  /** Bytes planned by uploads that are not files yet. */
  readonly heldBytes: number
}

/** The columns of {@link Balance} in `accounts`. */
export const balanceColumns = `used_bytes::float8 AS "usedBytes", held_bytes::float8 AS "heldBytes"`

/** Of an account that has no row yet. */
export const nothing: Balance = { usedBytes: 0, heldBytes: 0 }

/** Whether `bytes` more fit an account with this quota (null: no limit). */
export const fits = (balance: Balance, quotaBytes: number | null, bytes: number): boolean =>
  quotaBytes === null || balance.usedBytes + balance.heldBytes + bytes <= quotaBytes

export class Quota extends Context.Service<Quota, {
  /** What the account holds, as of now and without a lock: good for showing, not for deciding. */
  readonly balance: (accountId: AccountId) => Effect.Effect<Balance>

  /** Changes the counts; only inside `AccountTransaction.run`. */
  readonly add: (accountId: AccountId, change: Partial<Balance>) => Effect.Effect<void>
}>()("@filedrive/core/accounts/Quota") {
  static readonly layer = Layer.effect(
    Quota,
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database

      const balance = Effect.fn("Quota.balance")(function*(accountId: AccountId) {
        const [row] = yield* sql<Balance>`
          SELECT ${sql.literal(balanceColumns)} FROM ${t.accounts} WHERE id = ${accountId}
        `.pipe(Effect.orDie)
        return row ?? nothing
      })

      const add = (accountId: AccountId, { heldBytes = 0, usedBytes = 0 }: Partial<Balance>) =>
        sql`
          UPDATE ${t.accounts}
          SET used_bytes = used_bytes + ${usedBytes}::bigint, held_bytes = held_bytes + ${heldBytes}::bigint
          WHERE id = ${accountId}
        `.pipe(Effect.asVoid, Effect.orDie)

      return Quota.of({ balance, add })
    })
  )
}
