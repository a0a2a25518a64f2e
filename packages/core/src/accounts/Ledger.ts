/**
 * An account's books: the row every mutating transaction locks first.
 *
 * Under that one lock the quota, list orders and every other per-account count
 * are exact without deadlocks. Never wait for storage, HTTP or a sleep inside.
 */
import { Context, Effect, Layer } from "effect"
import { SqlError } from "effect/sql"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"

/** What an account holds, in bytes. */
export interface Balance {
  /** Bytes of its files, those in trash included, derivatives not. */
  readonly usedBytes: number
  /** Bytes planned by uploads that are not files yet. */
  readonly heldBytes: number
}

/** Whether `bytes` more fit an account with this quota (null: no limit). */
export const fits = (balance: Balance, quotaBytes: number | null, bytes: number): boolean =>
  quotaBytes === null || balance.usedBytes + balance.heldBytes + bytes <= quotaBytes

export class Ledger extends Context.Service<Ledger, {
  /** Makes the account's row if it is not there; repeating is safe. Done when an account first signs in. */
  readonly open: (accountId: AccountId) => Effect.Effect<void>

  /** What the account holds, as of now and without a lock: good for showing, not for deciding. */
  readonly balance: (accountId: AccountId) => Effect.Effect<Balance>

  /**
   * Runs `work` in a transaction that holds the account's row from its start.
   * Within a host's own transaction it becomes part of that. Each is counted in
   * the account's revision: what was read at one revision holds until there is another.
   */
  readonly locked: <A, E, R>(
    accountId: AccountId,
    work: (balance: Balance) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>

  /** Changes the counts; only inside {@link locked}. */
  readonly add: (accountId: AccountId, change: Partial<Balance>) => Effect.Effect<void>
}>()("@filedrive/core/accounts/Ledger") {
  static readonly layer = Layer.effect(
    Ledger,
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database

      const open = (accountId: AccountId) =>
        sql`INSERT INTO ${t.accounts} (id) VALUES (${accountId}) ON CONFLICT (id) DO NOTHING`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      const columns = sql.literal(`used_bytes::float8 AS "usedBytes", held_bytes::float8 AS "heldBytes"`)

      // No key changes: rows of others that only name the account, as a new session does, need not wait for it.
      const lock = (accountId: AccountId) =>
        sql<Balance>`
          UPDATE ${t.accounts} SET revision = revision + 1 WHERE id = ${accountId} RETURNING ${columns}
        `.pipe(Effect.map((rows) => rows[0]), Effect.orDie)

      const balance = Effect.fn("Ledger.balance")(function*(accountId: AccountId) {
        const [row] = yield* sql<Balance>`
          SELECT ${columns} FROM ${t.accounts} WHERE id = ${accountId}
        `.pipe(Effect.orDie)
        return row ?? { usedBytes: 0, heldBytes: 0 }
      })

      // @effect-diagnostics-next-line effectFnOpportunity:off
      const locked = <A, E, R>(accountId: AccountId, work: (balance: Balance) => Effect.Effect<A, E, R>) =>
        Effect.gen(function*() {
          let held = yield* lock(accountId)
          if (held === undefined) {
            yield* open(accountId)
            held = yield* lock(accountId)
          }
          return yield* work(held ?? { usedBytes: 0, heldBytes: 0 })
        }).pipe(
          sql.withTransaction,
          // A failing database is a defect here: a caller can only answer 500 or 503.
          Effect.catch((error) => error instanceof SqlError.SqlError ? Effect.die(error) : Effect.fail(error as E)),
          Effect.withSpan("Ledger.locked")
        )

      const add = (accountId: AccountId, { heldBytes = 0, usedBytes = 0 }: Partial<Balance>) =>
        sql`
          UPDATE ${t.accounts}
          SET used_bytes = used_bytes + ${usedBytes}::bigint, held_bytes = held_bytes + ${heldBytes}::bigint
          WHERE id = ${accountId}
        `.pipe(Effect.asVoid, Effect.orDie)

      return Ledger.of({ open, balance, locked, add })
    })
  )
}
