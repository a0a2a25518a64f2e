/**
 * What `@effect/sql-pg` keeps private and the drive cannot do without: it has no other way to end a connection for those who wait on
 * it, to cancel a statement, or to send the statements of a transaction ahead.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Effect, type Semaphore } from "effect"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"

type Connection = PgConnection.PgConnection

interface Internals {
  readonly session: { readonly socket: Duplex }
  /** A statement takes it to join the queue of the connection; who holds it alone may send. */
  readonly owner: Semaphore.Semaphore
  readonly cancel: Effect.Effect<void>
  readonly waitPipelineIdle: Effect.Effect<void>
  /** The statements that were sent, with their rows; those before `pipelineHead` have been answered. */
  readonly pipelineInFlight: Array<unknown>
  pipelineHead: number
}

const of = (connection: Connection): Internals => {
  const internals = connection as unknown as Partial<Internals>
  const { cancel, owner, pipelineHead, pipelineInFlight, session, waitPipelineIdle } = internals
  if (
    session === undefined || owner === undefined || cancel === undefined || waitPipelineIdle === undefined ||
    !Array.isArray(pipelineInFlight) || pipelineHead === undefined
  ) {
    throw new Error("This release of @effect/sql-pg is not one the drive knows.")
  }
  return internals as Internals
}

export const socketOf = (connection: Connection): Duplex => of(connection).session.socket

/** Lets a connection keep the process running, or not. The embedded database in this thread has nothing that could. */
export const keepRunning = (connection: Connection, isKept: boolean): void => {
  const socket = socketOf(connection) as Partial<Pick<Socket, "ref" | "unref">>
  ;(isKept ? socket.ref : socket.unref)?.call(socket as Socket)
}

/** Asks the server, on a connection of its own, to cancel the running statement of this one. It never fails, and takes five seconds at most. */
export const cancel = (connection: Connection): Effect.Effect<void> => of(connection).cancel

/** Waits until every statement that was sent ahead has its answer. */
export const idle = (connection: Connection): Effect.Effect<void> => of(connection).waitPipelineIdle

/**
 * Frees the answers that have been handed out. The driver keeps every answered statement with all its rows until a connection has
 * nothing to answer; one that is always busy would keep them for good.
 */
export const freeAnswers = (connection: Connection): void => {
  const internals = of(connection)
  if (internals.pipelineHead === 0) return
  internals.pipelineInFlight.splice(0, internals.pipelineHead)
  internals.pipelineHead = 0
}

/**
 * Lets statements be sent ahead on a connection that is pinned, until the scope closes: a pin sends one statement at a time. Who pinned
 * it must see that nobody else uses it.
 */
export const sendAhead = (connection: Connection) =>
  Effect.acquireRelease(of(connection).owner.release(1), () => of(connection).owner.take(1))
