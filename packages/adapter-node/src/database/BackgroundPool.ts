/**
 * A connection pool that gives background work ({@link Background}) one connection of its own: so the database has at most one
 * statement or transaction of it at a time, and recognises it by the connection's name.
 */
import { type PgConnection, PgPool } from "@effect/sql-pg"
import { Background } from "@filedrive/core"
import { Effect } from "effect"

type Pool = Pick<PgPool.PgPool, "get" | "use" | "invalidate">

export const make = Effect.fnUntraced(function*(config: PgPool.Config, name: string) {
  const callers = yield* PgPool.make(config)
  const background = yield* PgPool.make({ ...config, applicationName: name, maxConnections: 1 })
  const ofBackground = new WeakSet<PgConnection.PgConnection>()
  const noted = (connection: PgConnection.PgConnection) => {
    ofBackground.add(connection)
    return connection
  }
  const pool: Pool = {
    get: Effect.flatMap(
      Background.Background,
      (isBackground) => isBackground ? Effect.map(background.get, noted) : callers.get
    ),
    use: (work) =>
      Effect.flatMap(
        Background.Background,
        (isBackground) => isBackground ? background.use((connection) => work(noted(connection))) : callers.use(work)
      ),
    invalidate: (connection) =>
      ofBackground.has(connection) ? background.invalidate(connection) : callers.invalidate(connection)
  }
  return pool
})
