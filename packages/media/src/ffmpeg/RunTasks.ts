/**
 * Runs a program on a file from a process that exists for that: tasks of the sandbox. Starting one from the drive's own,
 * which is large, would stop it for 5 to 15 ms, and the program's output would pass through its memory.
 */
import type { MediaTools } from "@filedrive/core"
import type { Task } from "../sandbox/Task.ts"
import { Peaks } from "../sound/Peaks.ts"
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

export interface Peaked extends Omit<Ran, "output"> {
  /** Null when the file has no sound. */
  readonly peaks: ReadonlyArray<number> | null
}

/** So many pairs of peaks of the decoded samples of a program, of 16 bits. They are read as they come, and none is kept. */
export const peaks: Task<RunOptions & { readonly pairs: number }, Peaked> = async (_, options) => {
  const { args, environment, limits, pairs, path } = options
  const found = new Peaks(pairs)
  const { output: _none, ...ran } = await start(path, args, limits, false, environment, (chunk) => found.take(chunk))
    .ended
  return { ...ran, peaks: ran.passed === null ? found.pairs() : null }
}
