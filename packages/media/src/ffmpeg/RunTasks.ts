/**
 * Runs a program on a file from a process that exists for that: tasks of the sandbox. Starting one from the drive's own,
 * which is large, would stop it for 5 to 15 ms, and the program's output would pass through its memory.
 */
import type { MediaTools } from "@filedrive/core"
import type { Task } from "../sandbox/Task.ts"
import { sound } from "../sound/Sound.ts"
import { type ProgramLimits, type Ran, start } from "./ProgramStart.ts"

export interface RunOptions {
  readonly path: string
  readonly args: ReadonlyArray<string>
  /** Environment of the program: unlike its arguments, other users of the machine can't see it. */
  readonly environment: Readonly<Record<string, string>>
  readonly limits: ProgramLimits
}

/** The output of a program for a file. */
export const program: Task<RunOptions, Ran> = (_, { args, environment, limits, path }) =>
  start(path, args, limits, false, environment).ended

export interface Listened extends Omit<Ran, "output"> {
  /** Null when the file has no sound. */
  readonly sound: MediaTools.Sound | null
}

/** How the decoded samples of a program sound, in the format that {@link sound} takes. */
export const listen: Task<RunOptions, Listened> = async (_, options) => {
  const { output, ...ran } = await program(new Uint8Array(), options)
  return { ...ran, sound: output.byteLength === 0 || ran.passed !== null ? null : await sound(output) }
}
