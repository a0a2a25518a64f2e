/**
 * Runs a program on a file from a process that exists for that: tasks of the sandbox. Starting one from the drive's own,
 * which is large, would stop it for 5 to 15 ms, and the program's output would pass through its memory.
 */
import type { MediaTools } from "@filedrive/core"
import { endianness } from "node:os"
import type { Colour } from "../image/Colour.ts"
import type { Jpeg } from "../image/Jpeg.ts"
import { finishPixels } from "../image/Sharp.ts"
import type { Task } from "../sandbox/Task.ts"
import type { Size } from "../Size.ts"
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

/** How ffmpeg writes a picture for {@link frame}: three numbers of 16 bits a pixel. */
export const framePixels = endianness() === "LE" ? "rgb48le" : "rgb48be"
const bytesPerPixel = 6

export const bytesOfFrame = ({ height, width }: Size): number => width * height * bytesPerPixel

export interface FramePicture extends Size {
  readonly colour: Colour | null
  readonly maxBytes: number | undefined
}

export interface Pictured extends Omit<Ran, "output"> {
  /** Null when the program wrote no picture of that size. */
  readonly jpeg: Jpeg | null
}

/** The picture that a program writes, as a JPEG in sRGB. */
export const frame: Task<RunOptions & { readonly picture: FramePicture }, Pictured> = async (_, options) => {
  const { colour, height, maxBytes, width } = options.picture
  const { output, ...ran } = await program(new Uint8Array(), options)
  if (output.byteLength !== bytesOfFrame(options.picture) || ran.passed !== null) return { ...ran, jpeg: null }
  return {
    ...ran,
    jpeg: await finishPixels({ width, height, channels: 3, colour, data: new Uint16Array(output.buffer) }, maxBytes)
  }
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
