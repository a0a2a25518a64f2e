/**
 * Running a program on a file in a process that is there for that: tasks of the sandbox. Starting one from the drive's own,
 * which is large, would stop it for 5 to 15 ms, and what the program answers would pass through its memory.
 */
import type { MediaTools } from "@filedrive/core"
import type { Task } from "../sandbox/Task.ts"
import { sound } from "../sound/Sound.ts"
import { type ProgramLimits, type Ran, start } from "./ProgramStart.ts"

export interface RunOptions {
  readonly path: string
  readonly args: ReadonlyArray<string>
  /** What the program is told that nobody else on the machine may see, as they see its arguments. */
  readonly environment: Readonly<Record<string, string>>
  readonly limits: ProgramLimits
}

/** What a program made of a file. */
export const program: Task<RunOptions, Ran> = (_, { args, environment, limits, path }) =>
  start(path, args, limits, false, environment).ended

export interface Listened extends Omit<Ran, "output"> {
  /** Null when there was nothing to be heard of. */
  readonly sound: MediaTools.Sound | null
}

/** How that sounds which a program decoded: samples as {@link sound} takes them. */
export const listen: Task<RunOptions, Listened> = async (_, options) => {
  const { output, ...ran } = await program(new Uint8Array(), options)
  return { ...ran, sound: output.byteLength === 0 || ran.passed !== null ? null : await sound(output) }
}
