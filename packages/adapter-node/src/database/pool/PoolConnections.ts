/** Takes connections from a host's pool for the drive, and gives all of them back. */
import { StatementTime } from "@filedrive/core"
import { Duration, Effect, type Scope } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { type Client, sharesSessions, sharing } from "../Pooler.ts"
import type { HostClient, HostPool, TakenClient } from "./HostPool.ts"
import { lost, PoolSession } from "./PoolSession.ts"
import { PoolStatement } from "./PoolStatement.ts"
import { encode } from "./PoolValues.ts"

/** A caller waits for a connection as long as its statement may take, and this time longer. */
const graceMillis = 5_000

/** The settings of a session that the drive depends on. They are read once for each connection. */
const facts = `
  SELECT pg_backend_pid() AS pid, current_setting('server_version_num')::int AS version,
    current_setting('DateStyle') AS datestyle, current_setting('bytea_output') AS bytea,
    current_setting('extra_float_digits')::int AS digits, current_setting('default_transaction_isolation') AS isolation,
    pg_is_in_recovery() AS standby`

interface Facts {
  readonly pid: number
  readonly version: number
  readonly datestyle: string
  readonly bytea: string
  readonly digits: number
  readonly isolation: string
  readonly standby: boolean
}

/** A setting by which the drive would read or write something else than it means. */
interface Misfit {
  readonly setting: string
  readonly value: string
  readonly needed: string
}

const misfit = ({ bytea, datestyle, digits }: Facts): Misfit | undefined => {
  if (!datestyle.startsWith("ISO")) return { setting: "DateStyle", value: datestyle, needed: "ISO" }
  if (bytea !== "hex") return { setting: "bytea_output", value: bytea, needed: "hex" }
  if (digits < 1) return { setting: "extra_float_digits", value: String(digits), needed: "1 or more" }
  return undefined
}

const unfit = (facts: Facts): string | undefined => {
  const { isolation, version } = facts
  if (version < 150_000) return "The drive needs PostgreSQL 15 or later."
  const wrong = misfit(facts)
    ?? (isolation === "read committed"
      ? undefined
      : { setting: "default_transaction_isolation", value: isolation, needed: "read committed" })
  return wrong &&
    `The sessions of the host's pool have ${wrong.setting} ${wrong.value}; the drive needs ${wrong.needed}.`
}

/** Which database a session is of: no two databases of any two servers have the same `id`, but for a server and its standbys. */
const place = `
  SELECT current_database() AS name, oid::text || ' ' || system_identifier::text AS id
  FROM pg_control_system(), pg_database WHERE datname = current_database()`

interface Place {
  readonly name: string
  readonly id: string
}

const placeOf = (session: SqlConnection.Connection): Effect.Effect<Place, SqlError.SqlError> =>
  Effect.map(session.execute(place, [], undefined), ([found]) => found as unknown as Place)

/** Whether the user of a session may not ask for something. */
export const isForbidden = ({ reason }: SqlError.SqlError): boolean => reason._tag === "AuthorizationError"

/** Without a listener an error of a taken connection would end the process. Its statements fail with that error. */
const ignored = (): void => {}

export interface PoolConnections {
  readonly take: Effect.Effect<PoolSession, SqlError.SqlError, Scope.Scope>
  /** A connection that stays taken, and doesn't keep the process running. */
  readonly takeIdle: Effect.Effect<
    { readonly client: TakenClient; readonly session: PoolSession },
    SqlError.SqlError,
    Scope.Scope
  >
  /** Whether a pooler gives a client's transactions the sessions of others. Found out by the first who asks, with two connections. */
  readonly areShared: Effect.Effect<boolean, SqlError.SqlError>
  /** A connection of the pool that the host has taken itself, and gives back itself. */
  readonly ofHost: (client: HostClient) => PoolSession
  /**
   * Why the drive can't work on a client that the host has given, undefined when it can. Asked by `session`, in a savepoint of
   * its own; fails with an `AuthorizationError` when the client's user may not ask.
   */
  readonly foreign: (
    client: HostClient,
    session: SqlConnection.Connection
  ) => Effect.Effect<string | undefined, SqlError.SqlError>
}

export const make = (pool: HostPool, statementMillis: number): PoolConnections => {
  const known = new WeakMap<HostClient, Facts>()
  /** Clients of the host's own that are of the same database. */
  const accepted = new WeakMap<HostClient, Facts>()
  /** Of the newest connection: after a failover others may lead elsewhere. Undefined where the drive's user may not ask. */
  let home: Place | undefined

  /** Undefined until it is known. */
  let shared: boolean | undefined

  /** A pooler has numbers of its own for its clients. */
  const isDirect = (client: HostClient, pid: number): boolean => {
    const { processID } = client as Partial<TakenClient>
    return processID === undefined || processID === null || processID === pid
  }

  /**
   * Asks the server by another connection of the pool, if one is free before the statement has ended. Not where the session may be
   * another client's by now.
   */
  const cancel = async (client: HostClient, isRunning: () => boolean): Promise<void> => {
    const pid = (known.get(client) ?? accepted.get(client))?.pid
    if (pid === undefined || (shared !== false && !isDirect(client, pid))) return
    const other = await pool.connect()
    try {
      other.on("error", ignored)
      if (!isRunning()) return
      await new Promise<void>((resolve) => {
        other.query(new PoolStatement("SELECT pg_cancel_backend($1)", encode([pid]), () => resolve()))
      })
    } finally {
      other.removeListener("error", ignored)
      other.release()
    }
  }

  const sessionOf = (client: HostClient, destroy?: () => void): PoolSession =>
    new PoolSession(client, {
      statementMillis,
      ...destroy !== undefined && { destroy },
      // When this is not answered the statement ends by itself, or with its connection.
      cancel: (isRunning) => cancel(client, isRunning).catch(ignored)
    })

  /** A request can't be removed from the pool's queue, so a client that comes too late is given back at once. */
  const connect = Effect.withFiber<TakenClient, SqlError.SqlError>((fiber) => {
    const time = fiber.getRef(StatementTime.StatementTime)
    const limitMillis = (time === null ? statementMillis : Duration.toMillis(time)) + graceMillis
    return Effect.callback((resume) => {
      let isWanted = true
      // The system's time: a server is also watched in programs whose test clock stands still.
      // @effect-diagnostics-next-line globalTimersInEffect:off
      const timer = setTimeout(() => {
        isWanted = false
        resume(
          Effect.fail(
            lost(new Error(`The host's pool has given no connection for ${limitMillis / 1000} seconds.`), "connect")
          )
        )
      }, limitMillis)
      pool.connect().then(
        (client) => {
          clearTimeout(timer)
          if (isWanted) resume(Effect.succeed(client))
          else client.release()
        },
        (error: unknown) => {
          clearTimeout(timer)
          resume(Effect.fail(lost(error, "connect")))
        }
      )
      return Effect.sync(() => {
        clearTimeout(timer)
        isWanted = false
      })
    })
  })

  const check = Effect.fnUntraced(function*(client: HostClient, session: PoolSession) {
    const before = known.get(client)
    if (before !== undefined) {
      session.isStandby = before.standby
      return
    }
    const [found] = (yield* session.execute(facts, [], undefined)) as ReadonlyArray<Facts>
    const because = unfit(found!)
    if (because !== undefined) return yield* Effect.fail(lost(new Error(because), "connect"))
    home = yield* Effect.catchIf(placeOf(session), isForbidden, () => Effect.succeed(undefined))
    known.set(client, found!)
    session.isStandby = found!.standby
  })

  const foreign: PoolConnections["foreign"] = Effect.fnUntraced(function*(client, session) {
    if (known.has(client) || accepted.has(client)) return undefined
    const [found] = (yield* session.execute(facts, [], undefined)) as ReadonlyArray<Facts>
    const wrong = misfit(found!)
    if (wrong !== undefined) return `must have ${wrong.setting} ${wrong.needed}; its session has ${wrong.value}`
    const there = home && (yield* placeOf(session))
    if (there !== undefined && there.id !== home!.id) {
      return `must be connected to the drive's database, "${
        home!.name
      }"; it is connected to another one, "${there.name}"`
    }
    accepted.set(client, found!)
    return undefined
  })

  const taken = Effect.acquireRelease(
    Effect.map(connect, (client) => {
      client.on("error", ignored)
      return { client, session: sessionOf(client, () => void client.end().catch(ignored)) }
    }),
    ({ client, session }) =>
      Effect.sync(() => {
        client.removeListener("error", ignored)
        client.release(session.isSpoiled)
      }),
    { interruptible: true }
  ).pipe(Effect.tap(({ client, session }) => check(client, session)))

  const asked = ({ session }: Effect.Success<typeof taken>): Client => ({
    ask: (sql) => session.execute(sql, [], undefined)
  })
  const areShared = Effect.scoped(Effect.gen(function*() {
    if (shared !== undefined) return shared
    const one = yield* taken
    if (isDirect(one.client, known.get(one.client)!.pid)) return shared = false
    shared = yield* sharesSessions(asked(one), asked(yield* taken))
    if (shared) yield* Effect.logWarning(sharing)
    return shared
  }))

  return {
    areShared,
    take: Effect.map(taken, ({ session }) => session),
    takeIdle: Effect.tap(
      taken,
      ({ client }) =>
        Effect.acquireRelease(Effect.sync(() => client.unref?.()), () => Effect.sync(() => client.ref?.()))
    ),
    ofHost: (client) => sessionOf(client),
    foreign
  }
}
