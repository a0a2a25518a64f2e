/** `/healthz`: the process answers. `/readyz`: the services it depends on answer too. */
import { Cause, Context, Duration, Effect } from "effect"
import { Headers, type HttpServerResponse } from "effect/http"
import type { Database } from "../database/Database.ts"
import type { Hold } from "../objects/StorageMarks.ts"
import type { ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { json, uncached } from "./Answers.ts"
import { fullRetryAfterSeconds } from "./ApiError.ts"

/** A part that does not answer for this long counts as away. */
const patience = Duration.seconds(5)

/** A shortage of the process itself, as a sentence; null without one. `isShort` is false for a shortage that is over since a moment. */
export const Shortage = Context.Reference<
  Effect.Effect<{ readonly isShort: boolean; readonly sentence: string } | null>
>("@filedrive/core/http/Health/Shortage", { defaultValue: () => Effect.succeed(null) })

/**
 * The drive uses the database's clock and would work. But S3 checks links by the machine's clock, and so do certificates and logs.
 */
const clockDistanceMax = Duration.seconds(60)

export const live = Effect.succeed(json(200, { status: "ok" }))

/** Whether a part answers, or answers but accepts no more bytes, or no changes at all. */
type State = "there" | "full" | "read-only" | "away"

const isFull = (error: unknown): boolean => error instanceof Unavailable && error.code === "no_space"

const readOnly = "Not ready: the database is read-only, as a standby is. Changes are refused; reading works."

const full = {
  database: "Not ready: the disk of the database is full. Additions are refused; reading and deleting work.",
  storage: "Not ready: the storage is full. Uploads, imports and archives are refused, all else works."
}

/**
 * 200 when everything answers and takes uploads, else 503 with an ApiError body: `away` names the parts that do not answer. If all answer,
 * the sentence says which part takes no changes or is full (`no_space`), and what still works. `detail` explains a shortage of the
 * process and why removals from storage are held.
 */
export const ready = (
  { takesChanges }: Database["Service"],
  store: ObjectStore["Service"],
  takesMore: Effect.Effect<boolean>,
  shortage: typeof Shortage.Service,
  clockDistance: () => number,
  hold: Effect.Effect<Hold | null, Unavailable>
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const answers = <E>(check: Effect.Effect<unknown, E>) => stateOf(Effect.as(check, "there" as const))
  const stateOf = <E>(check: Effect.Effect<State, E>) =>
    check.pipe(
      Effect.timeout(patience),
      Effect.catchCause((cause) =>
        Effect.as(
          Effect.logWarning("Not ready", cause),
          isFull(Cause.squash(cause)) ? "full" as const : "away" as const
        )
      )
    )
  const hasRoom = Effect.filterOrFail(
    takesMore,
    (takes) => takes,
    () =>
      new Unavailable({
        code: "no_space",
        cause: new Error("What is left on the database's disk is kept for deletions.")
      })
  )
  const database = stateOf(Effect.flatMap(
    takesChanges,
    (takes) => takes ? Effect.as(hasRoom, "there" as const) : Effect.succeed("read-only" as const)
  ))
  const held = hold.pipe(
    Effect.timeout(patience),
    Effect.match({ onFailure: () => undefined, onSuccess: (hold) => hold?.reason })
  )
  return Effect.all({ database, storage: answers(store.check), lacks: shortage, held }, { concurrency: 4 }).pipe(
    Effect.map(({ database, held, lacks, storage }) => {
      const sentences = [lacks?.sentence, held].filter((sentence) => sentence !== undefined)
      const detail = sentences.length === 0 ? {} : { detail: sentences.join(" ") }
      const parts = Object.entries({ database, storage })
      const away = parts.filter(([, state]) => state === "away").map(([part]) => part)
      if (away.length === 0 && database === "read-only") {
        return json(503, { error: readOnly, code: "unavailable", retryable: true, away })
      }
      if (away.length === 0 && (database === "full" || storage === "full")) {
        const error = database === "full" ? full.database : full.storage
        const headers = Headers.set(uncached, "retry-after", String(fullRetryAfterSeconds))
        return json(503, { error, code: "no_space", retryable: true, away }, headers)
      }
      const ahead = clockDistance()
      if (away.length === 0 && Math.abs(ahead) >= Duration.toMillis(clockDistanceMax)) {
        const distance = `${Math.round(Math.abs(ahead) / 1_000)} s ${ahead > 0 ? "ahead of" : "behind"}`
        const error = `Not ready: this machine's clock is ${distance} the database's.`
        return json(503, { error, code: "unavailable", retryable: true, away })
      }
      if (away.length === 0 && lacks?.isShort !== true) return json(200, { status: "ok", ...detail })
      return json(503, {
        error: away.length === 0
          ? `Not ready: ${lacks?.sentence}`
          : `Not ready: the ${away.join(" and the ")} cannot be reached.`,
        code: "unavailable",
        retryable: true,
        away,
        ...detail
      })
    })
  )
}
