/** What becomes of a cause no handler foresaw: an answer that says nothing of it, and a log that says all. */
import { Cause, Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { HttpServerResponse } from "effect/http"
import { SqlError } from "effect/sql"
import { ofError } from "./Answers.ts"
import { ServerFault, ServiceUnavailable } from "./ApiError.ts"

/** Whether the database could not be reached, rather than refused a statement. */
const isDatabaseAway = (defect: unknown): boolean => SqlError.isSqlError(defect) && defect.isRetryable

/**
 * The answer to `cause`: a wire error as itself, a database that is away as
 * 503, everything else as 500 with a reference that the log carries too.
 * A cause that is only an interruption stays one: nobody waits for an answer.
 *
 * Contract: "Errors", `internal` and `unavailable`.
 */
export const answer = Effect.fnUntraced(function*(
  cause: Cause.Cause<unknown>,
  route: string,
  random: SecureRandom.SecureRandom["Service"]
): Effect.fn.Return<HttpServerResponse.HttpServerResponse> {
  if (Cause.hasInterruptsOnly(cause)) return yield* Effect.failCause(cause as Cause.Cause<never>)
  const squashed = Cause.squash(cause)
  const declared = ofError(squashed)
  if (declared !== undefined) return declared
  if (isDatabaseAway(squashed)) {
    yield* Effect.logWarning("The database is away", cause).pipe(Effect.annotateLogs({ route }))
    return ofError(
      new ServiceUnavailable({
        error: "The drive cannot be reached right now; try again.",
        code: "unavailable",
        retryable: true
      })
    )!
  }
  const reference = yield* random.uuidV7()
  yield* Effect.logError("A request failed", cause).pipe(Effect.annotateLogs({ reference, route }))
  return ofError(
    new ServerFault({
      error: "Something went wrong on our side; try again.",
      code: "internal",
      retryable: true,
      reference
    })
  )!
})
