/**
 * What a failure of the database means to a caller: that it is away, that its
 * disk is full, or, which is neither, that it refused a statement of ours.
 *
 * The driver tells only some of it by its reasons; the rest is in the codes:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
import { Cause, Effect, Stream } from "effect"
import { SqlError } from "effect/sql"
import { Unavailable } from "../shared/DriveError.ts"

/** How deep the causes of an error are followed. */
const depth = 8

/** The error and those it was caused by, the outermost first. */
const chain = (error: unknown): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  for (let at = error; at instanceof Error && found.length < depth; at = at.cause) found.push(at)
  return found
}

const codeOf = (error: unknown): string => {
  const code = (error as { readonly code?: unknown }).code
  return typeof code === "string" ? code : ""
}

const isFull = (code: string) => code === "53100" || code === "ENOSPC" || code === "EDQUOT"

/** A server that takes no writes: a standby, or one whose transactions are set to be read-only. */
const isReadOnly = (code: string) => code === "25006"

/**
 * Lost connections (08), too few resources (53), a server that stops, starts or was ended by somebody (57P) or can't reach
 * its files (58), sessions that the server ended because they took too long (25P03, 25P04), and {@link isReadOnly}.
 */
const isAway = (code: string) => /^(08|53|57P|58|25P0[34])/.test(code) || isReadOnly(code)

const codesOf = ({ reason }: SqlError.SqlError): ReadonlyArray<string> => chain(reason.cause).map(codeOf)

/** Undefined when `error` is not a failure of the database, or one that a retry would not fix. */
export const of = (error: unknown): Unavailable | undefined => {
  const sqlError = chain(error).find(SqlError.isSqlError)
  if (sqlError === undefined) return undefined
  const codes = codesOf(sqlError)
  if (codes.some(isFull)) return new Unavailable({ code: "no_space", cause: sqlError })
  // Whatever keeps us from connecting, be it a login that was taken away, the caller could do nothing about it.
  const away = sqlError.isRetryable || sqlError.reason.operation === "connect" || codes.some(isAway)
  return away ? new Unavailable({ code: "unavailable", cause: sqlError }) : undefined
}

/** The same of a cause: of the first of its failures and defects that is one. */
export const ofCause = (cause: Cause.Cause<unknown>): Unavailable | undefined => {
  for (const reason of cause.reasons) {
    const fault = Cause.isFailReason(reason)
      ? of(reason.error)
      : Cause.isDieReason(reason)
      ? of(reason.defect)
      : undefined
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Whether the database reads and takes no changes: its disk is full, or it is read-only. */
const takesNone = ({ cause, code }: Unavailable): boolean =>
  code === "no_space" || SqlError.isSqlError(cause) && codesOf(cause).some(isReadOnly)

/** Skips `effect` where the database takes no changes: for what is only recorded beside a call that reads. */
export const unlessReadOnly =
  <A>(instead: A) => <B, E, R>(effect: Effect.Effect<B, E, R>): Effect.Effect<A | B, E, R> =>
    Effect.catchCause(effect, (cause) => {
      const fault = ofCause(cause)
      return fault !== undefined && takesNone(fault) ? Effect.succeed(instead) : Effect.failCause(cause)
    })

const toldCause = <E>(cause: Cause.Cause<E>): Cause.Cause<E | Unavailable> => {
  const fault = ofCause(cause)
  return fault === undefined ? cause : Cause.fail(fault)
}

/** Translates failures and defects of `effect` that mean the database is away or full into the drive's errors. */
export const told = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Unavailable, R> =>
  Effect.catchCause(effect, (cause) => Effect.failCause(toldCause(cause)))

/** {@link told} of a stream. */
export const toldByStream = <A, E, R>(stream: Stream.Stream<A, E, R>): Stream.Stream<A, E | Unavailable, R> =>
  Stream.catchCause(stream, (cause) => Stream.failCause(toldCause(cause)))
