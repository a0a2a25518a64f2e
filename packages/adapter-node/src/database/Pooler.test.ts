import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { type Client, sharesSessions } from "./Pooler.ts"

/** A pooler of this many sessions, for two clients; `pick` chooses among the sessions that are free. */
const pooler = (sessions: number, pick: (free: ReadonlyArray<number>) => number, keepsSession = false) => {
  const free = Array.from({ length: sessions }, (_, at) => 1_000 + at)
  const waiting: Array<() => void> = []
  const take = (): number => {
    const pid = pick(free)
    free.splice(free.indexOf(pid), 1)
    return pid
  }
  const giveBack = (pid: number) => {
    free.push(pid)
    waiting.shift()?.()
  }
  const client = (): Client => {
    let session: number | undefined
    let isInTransaction = false
    return {
      ask: (sql) =>
        Effect.gen(function*() {
          if (session === undefined) {
            while (free.length === 0) {
              yield* Effect.callback<void>((resume) => void waiting.push(() => resume(Effect.void)))
            }
            session = take()
          }
          const pid = session
          if (sql === "BEGIN") isInTransaction = true
          if (sql === "ROLLBACK") isInTransaction = false
          if (!isInTransaction && !keepsSession) {
            session = undefined
            giveBack(pid)
          }
          return sql.includes("pg_backend_pid") ? [{ pid }] : []
        })
    }
  }
  return [client(), client()] as const
}

const lastUsed = (free: ReadonlyArray<number>) => free.at(-1)!
const longestFree = (free: ReadonlyArray<number>) => free[0]!
const pseudoRandom = () => {
  let seed = 7
  return (free: ReadonlyArray<number>) => free[(seed = (seed * 48_271) % 2_147_483_647) % free.length]!
}

describe("sessions behind a pooler", () => {
  it.live.each(
    [
      ["that are given to the next, last used first", () => pooler(5, lastUsed), true],
      ["that are given in turns", () => pooler(5, longestFree), true],
      ["that are given by chance", () => pooler(5, pseudoRandom()), true],
      ["of which there are two, given in turns", () => pooler(2, longestFree), true],
      ["of which there is one", () => pooler(1, lastUsed), true],
      ["that clients keep", () => pooler(5, lastUsed, true), false],
      ["that clients keep, given in turns", () => pooler(2, longestFree, true), false],
      // The other client never gets one: that sessions are kept can't be seen.
      ["that clients keep, of which there is one", () => pooler(1, lastUsed, true), true]
    ] as const
  )(
    "DB-119 %s: they are shared, or not",
    ([, clients, shared]) => Effect.map(sharesSessions(...clients()), (found) => assert.strictEqual(found, shared)),
    20_000
  )

  it.effect("DB-119 a pooler that takes no transactions is refused with an error message", () =>
    Effect.gen(function*() {
      const cause = Object.assign(new Error("transaction blocks not allowed in statement pooling mode"), {
        code: "08P01",
        severity: "FATAL"
      })
      const refused = new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, operation: "query" }) })
      const [one] = pooler(2, lastUsed)
      const other: Client = { ask: (sql) => sql === "BEGIN" ? Effect.fail(refused) : one.ask(sql) }
      const error = yield* Effect.flip(sharesSessions(one, other))
      assert.match(
        (error.reason.cause as Error).message,
        /pooler .* takes no transactions: set it to session or transaction mode/
      )
      assert.strictEqual(error.reason.operation, "connect")
    }))
})
