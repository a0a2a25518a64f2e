/**
 * The life of a multipart upload, as a function of (state, event). Pure.
 *
 * ```text
 *   (none) ──opened──▶ Open ──completed, every part fits──▶ Complete ──discarded──▶ Gone
 *                      │  ▲                                                          ▲
 *                      └──┘ opened again, parts fit                                  │
 *                      └───── aborted │ idle 7 days │ opened again, parts don't fit ─┘
 * ```
 *
 * An open or complete upload whose key a file gets in another way is gone too: it could never become a file.
 *
 * | state    | Opened: fits | doesn't fit | Completed: fits | doesn't fit | Aborted  | Swept: idle | Unclaimed | Superseded |
 * |----------|--------------|-------------|-----------------|-------------|----------|-------------|-----------|------------|
 * | open     | open         | gone        | complete        | refused     | gone     | gone        | open      | gone       |
 * | complete | complete     | gone        | complete        | complete    | complete | complete    | gone      | gone       |
 * | gone     | gone         | gone        | not found       | not found   | gone     | gone        | gone      | gone       |
 *
 * A complete upload fits a file when it is that very file.
 * Spec: "States and transitions", Multipart upload.
 */
import { DateTime, Duration, Result } from "effect"
import * as Limits from "../limits/Limits.ts"
import { PartsMismatch, UploadNotFound } from "../shared/DriveError.ts"
import * as PartPlan from "./PartPlan.ts"

export type UploadState = "open" | "complete" | "gone"

export type UploadEvent =
  /** `/create-multipart-upload` with the same object key, for a file of this plan. */
  | { readonly _tag: "Opened"; readonly plan: PartPlan.PartPlan; readonly stored: ReadonlyArray<PartPlan.PlacedPart> }
  | {
    readonly _tag: "Completed"
    readonly plan: PartPlan.PartPlan
    readonly stored: ReadonlyArray<PartPlan.PlacedPart>
  }
  | { readonly _tag: "Aborted" }
  | { readonly _tag: "Swept"; readonly lastPartTime: DateTime.Utc; readonly now: DateTime.Utc }
  /** It has been complete for long, and no file was made of it. */
  | { readonly _tag: "Unclaimed" }
  /** A file has its key now, of bytes that came by a form or an import. */
  | { readonly _tag: "Superseded" }

/** The next state, or why the event is refused. Repeating what already happened succeeds. */
export const next = (
  state: UploadState,
  event: UploadEvent
): Result.Result<UploadState, UploadNotFound | PartsMismatch> => {
  switch (event._tag) {
    case "Opened":
      return Result.succeed(continues(state, event) ? state : "gone")
    case "Completed":
      return state === "open" ? complete(event.plan, event.stored) : state === "complete"
        ? Result.succeed(state)
        : Result.fail(new UploadNotFound())
    case "Aborted":
      return Result.succeed(state === "open" ? "gone" : state)
    case "Swept":
      return Result.succeed(state === "open" && isIdle(event.lastPartTime, event.now) ? "gone" : state)
    case "Unclaimed":
      return Result.succeed(state === "complete" ? "gone" : state)
    case "Superseded":
      return Result.succeed("gone")
  }
}

/** An open upload continues when its parts fit; a complete one only for this very file. */
const continues = (
  state: UploadState,
  { plan, stored }: { readonly plan: PartPlan.PartPlan; readonly stored: ReadonlyArray<PartPlan.PlacedPart> }
): boolean =>
  stored.every((part) => PartPlan.fits(plan, part)) &&
  (state === "open" || (state === "complete" && PartPlan.missing(plan, stored, 1).length === 0))

/** Whether an upload whose newest part arrived at `lastPartTime` has been idle too long. */
export const isIdle = (lastPartTime: DateTime.Utc, now: DateTime.Utc): boolean =>
  Duration.isGreaterThanOrEqualTo(DateTime.distance(lastPartTime, now), Limits.idleUploadLifetime)

const complete = (plan: PartPlan.PartPlan, stored: ReadonlyArray<PartPlan.PlacedPart>) => {
  const invalid = stored.filter((part) => !PartPlan.fits(plan, part)).map((part) => part.partNumber)
  if (invalid.length > 0) return Result.fail(new PartsMismatch({ code: "parts_invalid", partNumbers: invalid }))
  const missing = PartPlan.missing(plan, stored)
  return missing.length > 0
    ? Result.fail(new PartsMismatch({ code: "parts_missing", partNumbers: missing }))
    : Result.succeed<UploadState>("complete")
}
