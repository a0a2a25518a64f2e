/** Videos and tracks made by ffmpeg, for where it is installed; removed when the tests end. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** Why tests that need ffmpeg are skipped, or undefined where it is. */
export const missing: string | undefined = spawnSync("ffprobe", ["-version"]).status === 0
    && spawnSync("ffmpeg", ["-version"]).status === 0
  ? undefined
  : "ffmpeg is not installed"

let directory: string | undefined
afterAll(() => directory === undefined ? undefined : rmSync(directory, { recursive: true }))

/** Where a fixture of that name is to be. */
export const place = (name: string): string => join(directory ??= mkdtempSync(join(tmpdir(), "filedrive-media-")), name)

/** Runs ffmpeg; its last argument names the fixture, whose path is answered. */
export const make = (name: string, ...args: ReadonlyArray<string>): string => {
  const path = place(name)
  execFileSync("ffmpeg", ["-nostdin", "-y", "-v", "error", ...args, path])
  return path
}

/** What the picture shows in each second. */
export const colours = ["red", "lime", "blue", "yellow", "cyan", "magenta"] as const
const values = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [0, 255, 255], [255, 0, 255]]

/** The name of the colour that is nearest. */
export const nearest = (pixel: ArrayLike<number>): string => {
  const distances = values.map((colour) => colour.reduce((sum, value, i) => sum + Math.abs(value - pixel[i]!), 0))
  return colours[distances.indexOf(Math.min(...distances))]!
}

/** Six seconds of colours, ten pictures a second. */
export const colourSource: ReadonlyArray<string> = [
  ...colours.flatMap((colour) => ["-f", "lavfi", "-i", `color=${colour}:s=160x120:r=10:d=1`]),
  "-filter_complex",
  `${colours.map((_, i) => `[${i}:v]`).join("")}concat=n=${colours.length}[v]`
]

/** A tone of that many seconds as the next input. */
export const toneSource = (seconds: number): ReadonlyArray<string> => ["-f", "lavfi", "-i", `sine=d=${seconds}`]
