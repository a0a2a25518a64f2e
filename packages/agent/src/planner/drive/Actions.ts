/** Doing one thing with many files: in the portions that the drive takes, with an account of what worked. */
import type { ToolCall } from "../Decision.ts"
import { type Plan, type PlanReply, ToolFailed } from "../Plan.ts"
import { callEach, type PlanContext, say } from "../PlanContext.ts"
import { theFiles } from "../Speech.ts"
import type { ToolFailure } from "../Transcript.ts"
import type { FileRecord } from "./Records.ts"

/** Files in one call of most tools; of trashing, deleting and restoring. */
export const perCall = 500
export const perTrashCall = 100

const portions = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

export interface Done<Result> {
  /** Files of calls that worked. */
  readonly files: ReadonlyArray<FileRecord>
  readonly results: ReadonlyArray<Result>
  /** Files of calls that failed. */
  readonly failed: ReadonlyArray<FileRecord>
  readonly failure: ToolFailure | null
}

/** Calls a tool with all files, so many a call. Fails only when every call did. */
export function* onFiles<Result>(
  it: PlanContext,
  tool: string,
  files: ReadonlyArray<FileRecord>,
  args: (ids: ReadonlyArray<string>) => ToolCall["args"],
  size = perCall
): Plan<Done<Result>> {
  const parts = portions(files, size)
  const made = yield* callEach(it, tool, parts.map((part) => args(part.map(({ id }) => id))))
  const results: Array<Result> = []
  const done: Array<FileRecord> = []
  const failed: Array<FileRecord> = []
  let failure: ToolFailure | null = null
  made.forEach((call, at) => {
    if (call.failure === undefined) {
      results.push(call.result as Result)
      done.push(...parts[at]!)
    } else {
      failed.push(...parts[at]!)
      failure ??= call.failure
    }
  })
  if (failure !== null && done.length === 0) throw new ToolFailed(tool, failure)
  return { files: done, results, failed, failure }
}

/** Behind what was done: what was not, and why. */
export const unlessAll = (
  it: PlanContext,
  { failed, failure }: Pick<Done<unknown>, "failed" | "failure">,
  said: PlanReply
): PlanReply =>
  failure === null ? said : {
    ...said,
    text: `${said.text} ${
      say(
        it,
        `${theFiles(it, failed)} could not be changed: ${failure.error}`,
        `Bei ${theFiles(it, failed)} ging es nicht: ${failure.error}`
      )
    }`
  }
