/** The drive itself can't be reached: its database is away, or too many wait. That says nothing of what was asked. */
import { Data } from "effect"
import type { ToolResult } from "../tasks/TaskRun.ts"

export class Away extends Data.TaggedError("Away")<{
  /** What the call is answered with when the drive stays away. */
  readonly outcome: ToolResult
}> {}

/** Whether an operation was refused for that reason. */
export const isAway = ({ code }: { readonly code: unknown }): boolean => code === "unavailable"
