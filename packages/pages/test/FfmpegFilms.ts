/** Films as people upload them, made by ffmpeg where it is installed. The bars at the foot of each frame are its number, as in Film.ts. */
import { execFileSync, spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { haveChromium } from "./Browser.ts"

const haveFfmpeg = ["ffmpeg", "ffprobe"].every((program) => spawnSync(program, ["-version"]).status === 0)

/** Whether films can be made and shown; `describe.runIf(canShowFilms)`. */
export const canShowFilms = haveChromium && haveFfmpeg

/** Of a title of tests that may be skipped. */
export const because = canShowFilms
  ? ""
  : ` (skipped: there is no ${
    haveChromium ? "ffmpeg; scripts/media/install.sh" : "Chromium; scripts/browser/install.sh"
  } brings it)`

export interface FilmOptions {
  readonly fileName: string
  /** Frames a second, as ffmpeg reads it: `30000/1001`. */
  readonly rate: string
  readonly seconds: number
  readonly width?: number
  readonly height?: number
  /** The codecs, as ffmpeg's arguments. */
  readonly codecs: ReadonlyArray<string>
}

const bars = 10

/** A test picture with a tone. */
export const makeFilm = async (
  directory: string,
  { codecs, fileName, height = 360, rate, seconds, width = 640 }: FilmOptions
): Promise<Buffer> => {
  const path = join(directory, fileName)
  const barHeight = Math.round(height / 15)
  const numbers = `color=black:s=${bars}x1:r=${rate}:d=${seconds},format=gray,geq=lum='255*mod(floor(N/pow(2,X)),2)'`
  const inputs = [
    `testsrc2=s=${width}x${height}:r=${rate}:d=${seconds}`,
    `${numbers},scale=${width}:${barHeight}:flags=neighbor`,
    `sine=d=${seconds}`
  ]
  execFileSync("ffmpeg", [
    "-nostdin",
    "-y",
    "-v",
    "error",
    ...inputs.flatMap((input) => ["-f", "lavfi", "-i", input]),
    "-filter_complex",
    `[0:v][1:v]overlay=0:${height - barHeight}[film]`,
    "-map",
    "[film]",
    "-map",
    "2:a",
    ...codecs,
    path
  ])
  return readFile(path)
}
