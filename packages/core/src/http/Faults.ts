/** Handles causes that no handler foresaw: the answer tells nothing of the cause, the log all of it. */
import { Cause, Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { HttpServerResponse } from "effect/http"
import * as DatabaseFault from "../database/DatabaseFault.ts"
import * as HostTransaction from "../database/HostTransaction.ts"
import { isWireError, type WireError } from "./Answers.ts"
import { fromDriveError, ServerFault } from "./ApiError.ts"
import { ErrorAnswer } from "./ErrorAnswer.ts"

/**
 * The answer to `cause`: a wire error as itself, a database that is away
 * or full as 503, everything else as 500 with a reference that the log carries too.
 * A cause that is only an interruption stays one: the caller has gone.
 *
 * Contract: "Errors", `internal`, `unavailable` and `no_space`.
 */
export const answer = Effect.fnUntraced(function*(
  cause: Cause.Cause<unknown>,
  route: string,
  random: SecureRandom.SecureRandom["Service"]
): Effect.fn.Return<HttpServerResponse.HttpServerResponse> {
  if (Cause.hasInterruptsOnly(cause)) return yield* Effect.failCause(cause as Cause.Cause<never>)
  const answer = yield* ErrorAnswer
  return answer(yield* of(cause, route, random))
})

/** The wire error of `cause`, which is more than an interruption. */
export const of = Effect.fnUntraced(function*(
  cause: Cause.Cause<unknown>,
  route: string,
  random: SecureRandom.SecureRandom["Service"]
): Effect.fn.Return<WireError> {
  const squashed = Cause.squash(cause)
  if (isWireError(squashed)) return squashed
  const fault = DatabaseFault.ofCause(cause)
  if (fault !== undefined) {
    // A host is told the whole cause of what fails in its own transaction, which may be that transaction and not the database.
    yield* HostTransaction.unlessInHosts(undefined)(
      Effect.logWarning(fault.code === "no_space" ? "The database's disk is full" : "The database is away", cause)
    ).pipe(Effect.annotateLogs({ route }))
    return fromDriveError(fault)
  }
  const reference = yield* random.uuidV7()
  yield* Effect.logError("A request failed", cause).pipe(Effect.annotateLogs({ reference, route }))
  return new ServerFault({
    error: "Something went wrong on our side; try again.",
    code: "internal",
    retryable: true,
    reference
  })
})
