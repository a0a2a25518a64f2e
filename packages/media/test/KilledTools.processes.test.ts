/** Tools that somebody else kills or stops while they work: their file is not the cause. */
import { assert, describe, it } from "@effect/vitest"
import { DriveError, MediaTools } from "@filedrive/core"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Ffmpeg from "../src/ffmpeg/Ffmpeg.ts"
import { previewOf } from "../src/ffmpeg/Preview.ts"
import { probe } from "../src/ffmpeg/Probe.ts"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import { make as blocksOf } from "../src/SourceBlocks.ts"
import * as Fixtures from "./FfmpegFixtures.ts"
import { numbered } from "./NumberedSource.ts"
import { useBomb } from "./PictureFixtures.ts"
import { childrenOf, gone, startedBy } from "./Processes.ts"
import * as Samples from "./Samples.ts"
import { options, still, works } from "./SandboxFixtures.ts"
import { inDirectory, script, version } from "./Scripts.ts"

const linux = process.platform === "linux"

/** The programs that the sandbox's processes run. */
const programs = () => childrenOf(process.pid).flatMap(startedBy)

/** A film that takes long to convert. */
const longFilm = () =>
  Fixtures.make("long.mkv", "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25:d=60", "-c:v", "mpeg4", "-q:v", "4")

/** Makes a preview with `tools`, and does something to the ffmpeg that is at it. Resolves with the failure. */
const disturbed = <E>(
  making: (sink: MediaTools.PreviewSink<never, never>) => Effect.Effect<unknown, E>,
  disturb: (pid: number) => void
) =>
  Effect.gen(function*() {
    const begun = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(making({
      write: () => Effect.asVoid(Deferred.succeed(begun, undefined)),
      progress: () => Effect.void
    }))
    yield* Deferred.await(begun)
    const [pid] = programs()
    disturb(pid!)
    const error = yield* Effect.flip(Fiber.join(fiber))
    yield* gone([pid!])
    return error
  })

const isOfFile = (error: unknown) => error instanceof DriveError.Unreadable && error.missingTool === undefined

describe.skipIf(!linux || Fixtures.missing !== undefined)(
  `killed ffmpeg (needs Linux)${Samples.because(Fixtures.missing)}`,
  () => {
    it.live.each(["SIGKILL", "SIGTERM"] as const)(
      "MEDIA-82 a preview whose ffmpeg gets %s is a temporary failure, and the next is made",
      (signal) =>
        Effect.gen(function*() {
          const tools = yield* MediaTools.MediaTools
          const source = Samples.sourceOf(longFilm(), "video/x-matroska")
          const error = yield* disturbed((sink) => tools.preview(source, sink), (pid) => process.kill(pid, signal))
          assert.isTrue(MediaTools.isKilled(error), String(error))
          const short = Fixtures.make("short.mkv", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-c:v", "mpeg4")
          const sink = { write: () => Effect.void, progress: () => Effect.void }
          assert.strictEqual(
            (yield* tools.preview(Samples.sourceOf(short, "video/x-matroska"), sink)).mimeType,
            "video/mp4"
          )
        }).pipe(Effect.provide(NodeMediaTools.layer()), Effect.scoped),
      120_000
    )

    it.live("MEDIA-82 one that crashes by its file is a failure of the file", () =>
      Effect.gen(function*() {
        const tools = yield* MediaTools.MediaTools
        const source = Samples.sourceOf(longFilm(), "video/x-matroska")
        const error = yield* disturbed((sink) => tools.preview(source, sink), (pid) => process.kill(pid, "SIGSEGV"))
        assert.isTrue(isOfFile(error), String(error))
      }).pipe(Effect.provide(NodeMediaTools.layer()), Effect.scoped), 120_000)

    it.live(
      "MEDIA-84 a stopped ffmpeg is ended after its time of silence, as if it was killed",
      () =>
        Effect.gen(function*() {
          const ffmpeg = yield* Ffmpeg.make({ processes: 1, memoryMaxBytes: 1e9 })
          const blocks = yield* blocksOf(Samples.sourceOf(longFilm(), "video/x-matroska"), {
            readMaxBytes: 1e9,
            keepMaxBytes: 1e6
          })
          const found = yield* probe(ffmpeg, blocks)
          const error = yield* disturbed(
            (sink) => previewOf(ffmpeg, blocks, found, sink, { silenceMillis: 2_000 }),
            (pid) => process.kill(pid, "SIGSTOP")
          )
          assert.isTrue(MediaTools.isKilled(error), String(error))
        }).pipe(Effect.scoped),
      120_000
    )
  }
)

describe.skipIf(!linux)("killed programs and processes (needs Linux)", () => {
  it.live(
    "MEDIA-82 whatever ffmpeg or ffprobe works on when it is killed",
    () =>
      inDirectory((directory) =>
        Effect.gen(function*() {
          const [killed, crashed] = [
            yield* script(directory, "killed", `${version}; kill -9 $$`),
            yield* script(directory, "crashed", `${version}; kill -11 $$`)
          ]
          const limits = { readMaxBytes: 1e9, keepMaxBytes: 1e6 }
          for (const path of [killed, crashed]) {
            const ffmpeg = yield* Ffmpeg.make({
              ffmpegPath: path,
              ffprobePath: path,
              processes: 1,
              memoryMaxBytes: 1e9
            })
            const blocks = yield* blocksOf(numbered(1_000).source, limits)
            const runs = {
              probe: Effect.asVoid(probe(ffmpeg, blocks)),
              run: Effect.asVoid(ffmpeg.run("ffmpeg", blocks, () => [])),
              listen: Effect.asVoid(ffmpeg.listen(blocks, () => [])),
              peaks: Effect.asVoid(ffmpeg.peaks(blocks, () => [], {})),
              convert: Effect.asVoid(ffmpeg.convert(blocks, () => [], {}, () => Effect.void))
            }
            for (const [name, run] of Object.entries(runs)) {
              const exit = yield* Effect.result(run)
              const isKilled = exit._tag === "Failure" && MediaTools.isKilled(exit.failure)
              assert.strictEqual(isKilled, path === killed, name)
            }
          }
        })
      ).pipe(Effect.scoped),
    60_000
  )

  it.live(
    "MEDIA-82 a process that decodes and is killed is a temporary failure; the next file is opened",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1 })
        yield* works(sandbox)
        const [pid] = childrenOf(process.pid)
        const asked = yield* Deferred.make<void>()
        const { bytes, sizeBytes } = Sandbox.contentOf(useBomb())
        const fiber = yield* Effect.forkChild(
          sandbox.run("still", options, { sizeBytes, bytes: Stream.onEnd(bytes, Deferred.succeed(asked, undefined)) })
        )
        yield* Deferred.await(asked)
        process.kill(pid!, "SIGKILL")
        assert.isTrue(MediaTools.isKilled(yield* Effect.flip(Fiber.join(fiber))))
        yield* works(sandbox)
      })),
    120_000
  )

  it.live(
    "MEDIA-82 one that takes too much CPU is still a failure of the file",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1, cpuMaxSeconds: 2 })
        assert.isTrue(isOfFile(yield* Effect.flip(still(sandbox, useBomb()))))
      })),
    120_000
  )
})

describe.skipIf(process.platform === "win32")(
  "an ffmpeg that is killed when it is asked (not on Windows: shell scripts)",
  () => {
    /** One that is killed so many times before it answers, and counts how often it was asked. */
    const killedAtFirst = (directory: string, times: number) => {
      const asked = join(directory, "asked")
      const body = `echo >> ${asked}; [ $(wc -l < ${asked}) -le ${times} ] && kill -9 $$; ${version}`
      return Effect.map(script(directory, "ffmpeg", body), (path) => ({
        path,
        count: () => readFileSync(asked, "utf8").length
      }))
    }

    it.live("MEDIA-83 it is asked three times; what it says, and that it doesn't work, is asked once", () =>
      inDirectory((directory) =>
        Effect.gen(function*() {
          const late = yield* killedAtFirst(directory, 2)
          assert.deepStrictEqual(yield* Ffmpeg.find("ffmpeg", late.path), { path: late.path, version: "1" })
          assert.strictEqual(late.count(), 3)
          const broken = join(directory, "broken.asked")
          const path = yield* script(directory, "broken", `echo >> ${broken}; exit 1`)
          assert.deepInclude(yield* Ffmpeg.find("ffmpeg", path), { isUnanswered: false })
          assert.lengthOf(readFileSync(broken, "utf8"), 1)
        })
      ))

    it.effect("MEDIA-83 one that gave no answer is asked again ten minutes later, and used then", () =>
      inDirectory((directory) =>
        Effect.gen(function*() {
          const late = yield* killedAtFirst(directory, 3)
          const works = yield* script(directory, "ffprobe", version)
          const ffmpeg = yield* Ffmpeg.make({
            ffmpegPath: late.path,
            ffprobePath: works,
            processes: 1,
            memoryMaxBytes: 1e9
          })
          assert.isNull(yield* ffmpeg.program("ffmpeg"))
          yield* TestClock.adjust("9 minutes")
          assert.isNull(yield* ffmpeg.program("ffmpeg"))
          assert.strictEqual(late.count(), 3)
          yield* TestClock.adjust("1 minute")
          assert.deepStrictEqual(yield* ffmpeg.program("ffmpeg"), { path: late.path, version: "1" })
        })
      ).pipe(Effect.scoped))
  }
)
