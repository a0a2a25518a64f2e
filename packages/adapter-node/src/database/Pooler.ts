/**
 * Poolers between the drive and the server. One in transaction mode gives each transaction whichever of its connections to the server is
 * free. So everything that a session keeps from one transaction to the next is lost: names of statements, settings, channels that it listens on.
 *
 * Poolers have no name in common, so they are recognised by their behaviour: two clients get the same session of the server.
 */
import { Effect, Option } from "effect"
import { SqlError } from "effect/sql"
import { after } from "./MachineTimer.ts"

/** A client's connection, to the server or to a pooler. */
export interface Client {
  readonly ask: (sql: string) => Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>
}

/** How often the sessions are compared: by chance a pooler may give a client the same session again. */
const rounds = 4

/** A statement without an answer by then waits for a session that the other client has. */
const waitMillis = 2_000

const sessionOf = (client: Client) =>
  Effect.map(
    client.ask("SELECT pg_backend_pid() AS pid"),
    ([row]) => (row as { readonly pid: number }).pid
  )

/** None when `work` takes too long by the machine's clock, since the program's own clock may stand still. */
const inTime = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<Option.Option<A>, E> =>
  Effect.raceFirst(
    Effect.asSome(work),
    Effect.callback<Option.Option<A>, E>((resume) => {
      const cancelTimer = after(waitMillis, () => resume(Effect.succeedNone))
      return Effect.sync(cancelTimer)
    })
  )

const noTransactions = (cause: SqlError.SqlError) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: new Error(
        "The pooler in front of the database takes no transactions: set it to session or transaction mode.",
        { cause }
      ),
      operation: "connect"
    })
  })

/** PgBouncer in statement mode hangs up at the beginning of a transaction, so no code of an error tells more. */
const begin = (client: Client): Effect.Effect<unknown, SqlError.SqlError> =>
  Effect.mapError(client.ask("BEGIN"), noTransactions)

/**
 * Whether two clients, which both stay connected, get one session of the server, or one of them gets several. If one of them gets no session at
 * all, sessions count as shared: everything works with shared sessions.
 */
export const sharesSessions = (one: Client, other: Client): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.gen(function*() {
    const first = yield* sessionOf(one)
    for (let round = 0; round < rounds; round++) {
      const others = yield* inTime(Effect.andThen(begin(other), sessionOf(other)))
      if (Option.isNone(others) || others.value === first) return true
      // While the other client has a transaction, its session is given to nobody.
      const again = yield* inTime(sessionOf(one))
      if (Option.isNone(again) || again.value !== first) return true
      yield* other.ask("ROLLBACK")
    }
    return false
  })

/** The warning if sessions are shared; logged once. */
export const sharing =
  "A pooler in front of the database gives each transaction another session, so statements have no names and the drive doesn't " +
  "listen: polls find jobs and events of other processes after up to five seconds. A pooler in session mode, or none, is faster."

const list = (settings: Readonly<Record<string, string>>, isLocal: boolean): string =>
  `SELECT ${
    Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`).join(", ")
  }`

/** A statement that sets the session's settings until its end. */
export const setSession = (settings: Readonly<Record<string, string>>): string => list(settings, false)

/** A statement that sets them until the end of the transaction. */
export const setTransaction = (settings: Readonly<Record<string, string>>): string => list(settings, true)
