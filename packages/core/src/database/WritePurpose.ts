/**
 * The purpose of a write, on a database that shares a disk with the files. To delete a row PostgreSQL writes first; so when
 * the disk fills up, the last room must be kept for what makes room again, and for what takes access away.
 *
 * Adapters with such a disk obey it, and refuse the rest as a full disk would (SQLSTATE 53100). Others ignore it.
 */
import { Context, Effect } from "effect"

/**
 * - `adds`: something is there afterwards that was not before. Refused while only the reserve is left.
 * - `serves`: a little is noted so that somebody can read, or a host make its users. It may use half of the reserve.
 * - `frees`: something is deleted, ended or no longer shared, somebody signs in to do that, or a job of the drive's continues. It
 *   may use all of it.
 */
export type Purpose = "adds" | "serves" | "frees"

/** Of the statements that follow. */
export const WritePurpose = Context.Reference<Purpose>("@filedrive/core/database/WritePurpose", {
  defaultValue: () => "adds"
})

/** The statements of `effect` may use all of the reserve. */
export const freeing = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, WritePurpose, "frees")

/** The statements of `effect` may use half of the reserve, or all where they are part of what frees. */
export const serving = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) =>
    fiber.getRef(WritePurpose) === "adds" ? Effect.provideService(effect, WritePurpose, "serves") : effect
  )

/** Whether the database takes what adds something; for `/readyz`, and for signing in. A database on a disk of its own always does. */
export const TakesMore = Context.Reference<Effect.Effect<boolean>>("@filedrive/core/database/TakesMore", {
  defaultValue: () => Effect.succeed(true)
})
