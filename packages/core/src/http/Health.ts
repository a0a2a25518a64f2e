/** `/healthz`: the process answers. `/readyz`: what it leans on answers too. */
import { Duration, Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Database } from "../database/Database.ts"
import type { ObjectStore } from "../ports/ObjectStore.ts"
import { json } from "./Answers.ts"

/** A part that says nothing for this long counts as away. */
const patience = Duration.seconds(5)

export const live = Effect.succeed(json(200, { status: "ok" }))

/** 200 when everything answers, else 503 with an ApiError body whose `away` names what does not. */
export const ready = (
  { sql }: Database["Service"],
  store: ObjectStore["Service"]
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const answers = <E>(check: Effect.Effect<unknown, E>) =>
    check.pipe(
      Effect.timeout(patience),
      Effect.as(true),
      Effect.catchCause((cause) => Effect.logWarning("Not ready", cause).pipe(Effect.as(false)))
    )
  return Effect.all({ database: answers(sql`SELECT 1`), storage: answers(store.check) }, { concurrency: 2 }).pipe(
    Effect.map(({ database, storage }) => {
      const away = [...(database ? [] : ["database"]), ...(storage ? [] : ["storage"])]
      return away.length === 0
        ? json(200, { status: "ok" })
        : json(503, {
          error: `Not ready: the ${away.join(" and the ")} cannot be reached.`,
          code: "unavailable",
          retryable: true,
          away
        })
    })
  )
}
