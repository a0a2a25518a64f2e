/** Programs that are run on files: what they may, where they are found, and what is done without them. */
import { assert, describe, it, layer } from "@effect/vitest"
import { DriveError, MediaTools } from "@filedrive/core"
import { ConfigProvider, Effect, Fiber, Logger, Stream } from "effect"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { getPriority } from "node:os"
import { join } from "node:path"
import * as Ffmpeg from "../src/ffmpeg/Ffmpeg.ts"
import { frame } from "../src/ffmpeg/Frame.ts"
import { probe } from "../src/ffmpeg/Probe.ts"
import { run } from "../src/ffmpeg/Program.ts"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import { make as blocksOf } from "../src/SourceBlocks.ts"
import * as Fixtures from "./FfmpegFixtures.ts"
import { numbered } from "./NumberedSource.ts"
import * as Samples from "./Samples.ts"
import { inDirectory, script, version } from "./Scripts.ts"

const limits = { deadlineMillis: 20_000, cpuMaxSeconds: 20, memoryMaxBytes: 1e9, outputMaxBytes: 1e6 }
const plenty = { readMaxBytes: 1e9, keepMaxBytes: 1e6 }

/** A program of Node's that stands for another. */
const node = (script: string) => ["--eval", script]

describe("a program", () => {
  it.live("HOSTILE-21 is killed when it takes too long or says too much", () =>
    Effect.gen(function*() {
      const forever = yield* run(process.execPath, node("setInterval(() => {}, 1000)"), {
        ...limits,
        deadlineMillis: 500
      })
      assert.deepInclude(forever, { exitCode: null, passed: "time" })
      const endless = yield* run("/bin/sh", ["-c", "exec cat /dev/zero"], limits)
      assert.deepInclude(endless, { exitCode: null, passed: "output" })
      assert.isAtMost(endless.output.byteLength, limits.outputMaxBytes)
    }))

  it.live.skipIf(process.platform !== "linux")(
    "HOSTILE-21 is killed when it takes too much memory or CPU (needs Linux)",
    () =>
      Effect.gen(function*() {
        const eating = "const kept = []; setInterval(() => kept.push(Buffer.alloc(2e7, 1)), 5)"
        const eaten = yield* run(process.execPath, node(eating), { ...limits, memoryMaxBytes: 3e8 })
        assert.deepInclude(eaten, { exitCode: null, passed: "memory" })
        const busy = yield* run(process.execPath, node("for (;;);"), { ...limits, cpuMaxSeconds: 0.5 })
        assert.deepInclude(busy, { exitCode: null, passed: "time" })
      })
  )

  it.live("HOSTILE-21 is killed when nobody waits for it any longer", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const told = join(directory, "pid")
        const telling = `require("fs").writeFileSync(${
          JSON.stringify(told)
        }, String(process.pid)); setInterval(() => {}, 1000)`
        const fiber = yield* Effect.forkChild(run(process.execPath, node(telling), limits))
        while (!existsSync(told) || (yield* Effect.promise(() => readFile(told, "utf8"))) === "") {
          yield* Effect.sleep(20)
        }
        const pid = Number(yield* Effect.promise(() => readFile(told, "utf8")))
        yield* Fiber.interrupt(fiber)
        assert.throws(() => process.kill(pid, 0), /ESRCH/)
      })
    ))

  it.live("HOSTILE-23 has nothing of the environment, and no input", () =>
    Effect.gen(function*() {
      const { output } = yield* run("/bin/sh", ["-c", "env; cat"], limits)
      const names = Buffer.from(output).toString().split("\n").map((line) => line.split("=")[0])
      assert.notInclude(names, "HOME")
    }))

  it.live("MEDIA-49 one that is not there is told, not thrown", () =>
    Effect.gen(function*() {
      const ran = yield* run("/nowhere/ffmpeg", [], limits)
      assert.isNull(ran.exitCode)
      assert.include(ran.lastWords, "ENOENT")
    }))
})

const nowhere = { ffmpegPath: "/nowhere/ffmpeg", ffprobePath: "/nowhere/ffprobe", processes: 1 }

describe.skipIf(process.platform === "win32")("finding ffmpeg (not on Windows: the programs are shell scripts)", () => {
  const environment = (variables: Readonly<Record<string, string>>) =>
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(variables))

  it.live("MEDIA-29 it is where the option says, else where the environment does, else on the PATH", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const [chosen, named, onPath] = [
          yield* script(directory, "chosen", "echo ffmpeg version 1-chosen"),
          yield* script(directory, "named", "echo ffmpeg version 2-named Copyright"),
          yield* script(directory, "ffmpeg", "echo ffmpeg version 3")
        ]
        const variables = { FFMPEG_PATH: named, PATH: `/nowhere:${directory}` }
        const find = (option: string | undefined, variables: Readonly<Record<string, string>>) =>
          Ffmpeg.find("ffmpeg", option).pipe(environment(variables))
        assert.deepStrictEqual(yield* find(chosen, variables), { path: chosen, version: "1-chosen" })
        assert.deepStrictEqual(yield* find(undefined, variables), { path: named, version: "2-named" })
        assert.deepStrictEqual(yield* find(undefined, { PATH: variables.PATH }), { path: onPath, version: "3" })
        assert.property(yield* find(undefined, { PATH: "/nowhere" }), "missing")
        assert.property(yield* find(join(directory, "gone"), variables), "missing")
        assert.property(yield* find(yield* script(directory, "broken", "exit 1"), variables), "missing")
      })
    ))

  it.live("MEDIA-29 the log says once what is missing", () =>
    Effect.gen(function*() {
      const said: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => void said.push(`${logLevel} ${String(message)}`))
      yield* Effect.gen(function*() {
        const ffmpeg = yield* Ffmpeg.make({ ...nowhere, memoryMaxBytes: 1e9 })
        for (const name of ["ffmpeg", "ffprobe", "ffmpeg"] as const) assert.isNull(yield* ffmpeg.program(name))
      }).pipe(Effect.provide(Logger.layer([logger])))
      assert.lengthOf(said, 1)
      assert.match(said[0]!, /^Warn .*nowhere\/ffmpeg.*nowhere\/ffprobe.*npx filedrive doctor/)
    }).pipe(Effect.scoped))

  it.live("MEDIA-29 one that does not answer is none", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const stuck = yield* script(directory, "stuck", "exec sleep 60")
        assert.property(yield* Ffmpeg.find("ffprobe", stuck, 500), "missing")
      })
    ))

  it.live("MEDIA-29 it is asked with the drive's own priority, lest a busy host keeps it from answering in time", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const told = yield* script(directory, "told", "echo ffmpeg version $(nice)")
        assert.deepStrictEqual(yield* Ffmpeg.find("ffmpeg", told), { path: told, version: String(getPriority()) })
      })
    ))
})

layer(NodeMediaTools.layer(nowhere), { timeout: 60_000 })("without ffmpeg", (it) => {
  it.effect("MEDIA-29 a picture of a video is unreadable, naming what to install; a track sounds of nothing", () =>
    Effect.gen(function*() {
      const tools = yield* MediaTools.MediaTools
      const { source } = numbered(1000)
      const error = yield* Effect.flip(tools.frame(source, { atSeconds: 0, maxSide: 100 }))
      assert.strictEqual(error._tag, "Unreadable")
      assert.match(error.message, /install ffmpeg/)
      assert.propertyVal(error, "missingTool", "ffprobe")
      assert.deepStrictEqual(yield* tools.listen(source), { tempo: null, key: null, soundprint: null })
    }))

  describe.skipIf(Samples.missing !== undefined)(`of samples${Samples.because(Samples.missing)}`, () => {
    it.effect("MEDIA-29 tags, lengths and covers are found all the same", () =>
      Effect.gen(function*() {
        const tools = yield* MediaTools.MediaTools
        const track = Samples.sourceOf(Samples.sample("audio/vibe-ace.ogg"), "audio/ogg")
        const found = yield* tools.probe(track)
        assert.deepInclude(found, { title: "Vibe Ace", taggedTempo: 130 })
        assert.closeTo(found.durationSeconds!, 61.46, 0.1)
        assert.isNotNull(yield* tools.cover(track, { maxSide: 100 }))
        const video = yield* tools.probe(Samples.sourceOf(Samples.sample("video/location.mp4"), "video/mp4"))
        assert.deepInclude(video, { title: "Eiffel test", width: 320, height: 240 })
      }))
  })
})

layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })("hostile files", (it) => {
  const playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"

  describe.skipIf(Fixtures.missing !== undefined)(`with ffmpeg${Samples.because(Fixtures.missing)}`, () => {
    it.effect.each(
      [
        ["a playlist named like a film", () => Buffer.from(playlist)],
        ["a list of files to be joined", () => Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n")],
        [
          "a stream description",
          () => Buffer.from("v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 9 RTP/AVP 96\n")
        ],
        ["a film cut short", () => Buffer.concat([Buffer.from("\0\0\0\x14ftypqt  "), Buffer.alloc(1000, 7)])]
      ] as const
    )("HOSTILE-20 %s is unreadable", ([, make]) =>
      Effect.gen(function*() {
        const bytes = make()
        const source: MediaTools.MediaSource = {
          fileName: "film.mp4",
          mimeType: "video/mp4",
          sizeBytes: bytes.byteLength,
          read: ({ end, start }) => Stream.succeed(bytes.subarray(start, end + 1))
        }
        const tools = yield* MediaTools.MediaTools
        const asked = [
          Effect.asVoid(tools.probe(source)),
          Effect.asVoid(tools.frame(source, { atSeconds: 0, maxSide: 100 })),
          Effect.asVoid(tools.listen(source))
        ]
        for (const ask of asked) assert.strictEqual((yield* Effect.flip(ask))._tag, "Unreadable")
      }))

    it.effect("HOSTILE-22 a store that fails midway is told as what passes", () =>
      Effect.gen(function*() {
        const path = Fixtures.make(
          "midway.mp4",
          ...Fixtures.toneSource(2),
          "-f",
          "lavfi",
          "-i",
          "testsrc2=d=2:s=1280x720"
        )
        const whole = Samples.sourceOf(path, "video/mp4")
        let reads = 0
        const failing: MediaTools.MediaSource = {
          ...whole,
          read: (range) =>
            reads++ === 0
              ? whole.read(range)
              : Stream.fail(new DriveError.Unavailable({ code: "fetching_file_failed", cause: "away" }))
        }
        const tools = yield* MediaTools.MediaTools
        assert.strictEqual(
          (yield* Effect.flip(tools.frame(failing, { atSeconds: 1, maxSide: 100 })))._tag,
          "Unavailable"
        )
      }))

    it.effect(
      "MEDIA-27 a large video with its index last is shown by a few megabytes of it",
      () =>
        Effect.gen(function*() {
          const noise = ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=4,noise=alls=60:allf=t"]
          const part = Fixtures.make(
            "part.mp4",
            ...noise,
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            "-b:v",
            "8M",
            "-g",
            "50"
          )
          const large = Fixtures.make("large.mp4", "-stream_loop", "39", "-i", part, "-c", "copy")
          const source = Samples.sourceOf(large, "video/mp4")
          assert.isAbove(source.sizeBytes, 60e6)
          const tools = yield* MediaTools.MediaTools
          assert.closeTo((yield* tools.probe(source)).durationSeconds!, 160, 1)
          const poster = yield* tools.frame(source, { atSeconds: null, maxSide: 512 })
          assert.strictEqual(poster._tag, "Frame")
          assert.isBelow(source.bytesRead(), 12e6)
        }),
      60_000
    )
  })
})

describe.skipIf(process.platform === "win32")(
  "a program that misbehaves (not on Windows: the programs are shell scripts)",
  () => {
    it.live("HOSTILE-21 HOSTILE-48 leaves the file unreadable, and its arguments hold no secret", () =>
      inDirectory((directory) =>
        Effect.gen(function*() {
          const answer = JSON.stringify({
            streams: [{ index: 0, codec_type: "video", width: 64, height: 64 }],
            format: { format_name: "mov,mp4", duration: "10" }
          })
          const told = join(directory, "told")
          const ffmpeg = yield* Ffmpeg.make({
            ffmpegPath: yield* script(
              directory,
              "ffmpeg",
              `${version}; echo "$@" > ${told}; export -p | sed "s/^export //" > ${told}.environment; exec cat /dev/zero`
            ),
            ffprobePath: yield* script(directory, "ffprobe", `${version}; echo '${answer}'`),
            processes: 1,
            memoryMaxBytes: 1e9
          })
          const { source } = numbered(1000)
          const blocks = yield* blocksOf(source, plenty)
          const found = yield* probe(ffmpeg, blocks)
          const error = yield* Effect.flip(frame(ffmpeg, blocks, found, { atSeconds: 1, maxSide: 64 }))
          assert.strictEqual(error._tag, "Unreadable")
          const args = yield* Effect.promise(() => readFile(told, "utf8"))
          assert.match(args, /-protocol_whitelist http,tcp /)
          assert.match(args, /-format_whitelist mov,\S+ /)
          assert.match(args, / -i http:\/\/file\/ /)
          assert.notMatch(args, /127\.0\.0\.1|[\w-]{32}/)
          const environment = yield* Effect.promise(() => readFile(`${told}.environment`, "utf8"))
          assert.match(environment, /^http_proxy='?http:\/\/filedrive:[\w-]{32}@127\.0\.0\.1:\d+'?$/m)
          assert.notInclude(args, source.fileName)
        })
      ).pipe(Effect.scoped))
  }
)
