/** The programs that videos and tracks are decoded with. */
import { find, type Name, type ProgramLookup, run } from "@filedrive/media/diagnostics"
import { Effect } from "effect"
import type { Finding } from "./Finding.ts"

/** What the drive needs of ffmpeg, by its option that lists such. AV1 has several decoders, of which one is enough. */
const needs = {
  decoders: [
    "h264",
    "hevc",
    "libdav1d|libaom-av1|av1",
    "vp8",
    "vp9",
    "mpeg1video",
    "mpeg2video",
    "mpeg4",
    "prores",
    "aac",
    "mp3float|mp3",
    "flac",
    "alac",
    "vorbis",
    "opus",
    "ac3",
    "wmav2"
  ],
  encoders: ["mjpeg", "pcm_f32le"],
  filters: ["fps", "scale", "settb", "tpad", "trim"],
  protocols: ["http", "tcp"]
}

const install = "Install ffmpeg (apt install ffmpeg, apk add ffmpeg, brew install ffmpeg, winget install ffmpeg), "
  + "or say where it is by FFMPEG_PATH and FFPROBE_PATH."

/** Which of these a build has and lacks. */
interface Build {
  readonly has: ReadonlyArray<string>
  readonly lacks: ReadonlyArray<string>
}

const limits = { deadlineMillis: 5_000, cpuMaxSeconds: 5, memoryMaxBytes: 1e9, outputMaxBytes: 1e6 }

const buildOf = Effect.fnUntraced(function*(path: string): Effect.fn.Return<Build> {
  const builds = yield* Effect.forEach(Object.entries(needs), ([kind, names]) =>
    Effect.map(
      run(path, ["-hide_banner", `-${kind}`], limits),
      ({ output }) => {
        const listed = new Set(Buffer.from(output).toString("latin1").split(/\s+/))
        const isThere = (name: string) => name.split("|").some((one) => listed.has(one))
        const missing = names.filter((name) => !isThere(name))
        return {
          has: kind === "decoders" ? names.filter(isThere) : [],
          lacks: missing.length === 0 ? [] : [`${kind} ${missing.join(", ")}`]
        }
      }
    ))
  return { has: builds.flatMap(({ has }) => has), lacks: builds.flatMap(({ lacks }) => lacks) }
})

const check = (
  name: Name,
  opens: string,
  build: (path: string) => Effect.Effect<Build>
): Effect.Effect<Finding> =>
  Effect.gen(function*() {
    const program: ProgramLookup = yield* find(name, undefined)
    if ("missing" in program) return { name, opens, found: null, advice: `${program.missing}. ${install}` }
    const { has, lacks } = yield* build(program.path)
    const decoded = has.map((name) => name.split("|").at(-1))
    return {
      name,
      opens: has.length === 0 ? opens : `${opens}; decodes ${decoded.join(", ")}`,
      found: `${program.version} (${program.path})`,
      advice: lacks.length === 0
        ? null
        : `It is built without ${lacks.join("; ")}: what needs them is not opened. A full build has them.`
    }
  })

export const checkFfmpeg: Effect.Effect<Finding> = check(
  "ffmpeg",
  "pictures of videos; tempo, key and soundprint of tracks",
  buildOf
)

export const checkFfprobe: Effect.Effect<Finding> = check(
  "ffprobe",
  "length, size, time and place of videos, and length of some tracks",
  () => Effect.succeed({ has: [], lacks: [] })
)
