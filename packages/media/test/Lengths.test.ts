/** How long tracks and videos play, where the file does not say so or lies. */
import { assert, describe, it, layer } from "@effect/vitest"
import { MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { durationOf } from "../src/ffmpeg/Probe.ts"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import { bitratesVary } from "../src/tags/MpegFrames.ts"
import * as Fixtures from "./FfmpegFixtures.ts"
import * as Samples from "./Samples.ts"

const { make } = Fixtures

const durationOfFile = (path: string, mimeType: string) =>
  Effect.gen(function*() {
    const { probe } = yield* MediaTools.MediaTools
    return (yield* probe(Samples.sourceOf(path, mimeType))).durationSeconds
  })

/** Ten seconds of silence, then twenty of noise. */
const quietFirst = ["-f", "lavfi", "-i", "aevalsrc=if(lt(t\\,10)\\,0\\,random(0)-0.5):d=30:s=44100"]

describe("a length as it is told", () => {
  const probe = (duration: string, size: string, ...tracks: ReadonlyArray<string>) =>
    durationOf({
      streams: tracks.map((duration, index) => ({ index, duration })),
      format: { format_name: "mov", duration, size }
    })

  it.each([
    { what: "of the whole counts", found: probe("10.5", "100000", "10.2", "10"), seconds: 10.5 },
    { what: "without one of any track counts", found: probe("10.5", "100000"), seconds: 10.5 },
    { what: "far above all of the tracks is theirs", found: probe("4294967295", "88221", "6.1"), seconds: 6.1 },
    { what: "that so few bytes can't last is none", found: probe("4294967295", "88221"), seconds: null },
    {
      what: "that so few bytes can't last is not a track's duration either",
      found: probe("9e9", "88221", "4e9"),
      seconds: null
    },
    { what: "of a still picture shown for an hour counts", found: probe("3600", "2000", "3600"), seconds: 3600 }
  ])("MEDIA-65 $what", ({ found, seconds }) => {
    assert.strictEqual(found, seconds)
  })
})

describe("frames of MPEG sound", () => {
  /** Frames of 44,100 Hz by the index of their bitrate. */
  const frames = (...indexes: ReadonlyArray<number>) =>
    Buffer.concat(indexes.map((index) => {
      const kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128][index]!
      const frame = Buffer.alloc(Math.floor((144_000 * kilobits) / 44_100))
      frame.set([0xff, 0xfb, index << 4, 0])
      return frame
    }))
  const ofBlock = (bytes: Uint8Array) => bitratesVary(new Map([[0, bytes]]))

  it("MEDIA-64 tell by their bitrates whether a few stand for all", () => {
    assert.isFalse(ofBlock(frames(9, 9, 9, 9, 9, 9)))
    assert.isTrue(ofBlock(frames(1, 1, 1, 1, 9, 9, 9)))
    assert.isTrue(ofBlock(Buffer.concat([frames(1, 1, 1, 1), Buffer.from("junk \u00ff\u00fb"), frames(9, 9, 9, 9)])))
    assert.isFalse(ofBlock(Buffer.from("no frames at all")))
    // Blocks that don't follow one another are looked at by themselves.
    assert.isTrue(bitratesVary(new Map([[0, frames(1, 1, 1, 1, 1)], [9, frames(9, 9, 9, 9, 9)]])))
  })
})

layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })("lengths", (it) => {
  describe.skipIf(Fixtures.missing !== undefined)(`of files${Samples.because(Fixtures.missing)}`, () => {
    it.effect.each([
      {
        what: "MP3 without a header",
        name: "bare.mp3",
        mimeType: "audio/mpeg",
        args: ["-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0"]
      },
      {
        what: "MP3 with a header",
        name: "headed.mp3",
        mimeType: "audio/mpeg",
        args: ["-c:a", "libmp3lame", "-q:a", "4"]
      },
      {
        what: "MP3 of one bitrate",
        name: "steady.mp3",
        mimeType: "audio/mpeg",
        args: ["-c:a", "libmp3lame", "-b:a", "96k", "-write_xing", "0"]
      },
      { what: "AAC", name: "bare.aac", mimeType: "audio/aac", args: ["-c:a", "aac", "-b:a", "128k"] }
    ])(
      "MEDIA-64 of $what that begins in silence it is what is heard",
      ({ args, mimeType, name }) =>
        Effect.gen(function*() {
          const seconds = yield* durationOfFile(make(name, ...quietFirst, ...args), mimeType)
          assert.closeTo(seconds!, 30, 0.1)
        })
    )

    const sine = ["-f", "lavfi", "-i", "sine=d=6:r=44100"]
    const film = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=6"]
    it.effect.each([
      {
        name: "live.webm",
        kind: "video/webm",
        args: [...film, ...sine, "-c:v", "libvpx", "-c:a", "libopus", "-live", "1"]
      },
      { name: "live-sound.webm", kind: "audio/webm", args: [...sine, "-c:a", "libopus", "-live", "1"] },
      { name: "live.mkv", kind: "video/x-matroska", args: [...film, "-c:v", "mpeg4", "-live", "1"] },
      { name: "late.ogg", kind: "audio/ogg", args: [...sine, "-c:a", "libvorbis", "-output_ts_offset", "1000"] },
      { name: "late.opus", kind: "audio/ogg", args: [...sine, "-c:a", "libopus", "-output_ts_offset", "1000"] },
      {
        name: "parts.mp4",
        kind: "video/mp4",
        args: [...film, ...sine, "-c:v", "mpeg4", "-movflags", "frag_keyframe+empty_moov", "-g", "10"]
      },
      {
        name: "parts.m4a",
        kind: "audio/mp4",
        args: [...sine, "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "1000000"]
      }
    ])(
      "MEDIA-95 $name, which does not state its length, plays six seconds",
      ({ args, kind, name }) =>
        Effect.gen(function*() {
          assert.closeTo((yield* durationOfFile(make(name, ...args), kind))!, 6, 0.15)
        })
    )

    it.effect("MEDIA-95 a FLAC and a WAV that were piped play six seconds", () =>
      Effect.gen(function*() {
        const flac = make("piped.flac", ...sine, "-c:a", "flac")
        const stream = readFileSync(flac)
        // The number of samples, below four bits of the byte before: 0 is unknown.
        stream[21] = stream[21]! & 0xf0
        stream.fill(0, 22, 26)
        writeFileSync(flac, stream)
        assert.closeTo((yield* durationOfFile(flac, "audio/flac"))!, 6, 0.15)
        const wav = make("piped.wav", ...sine)
        for (const unknown of [0, 0xffff_ffff]) {
          const sound = readFileSync(wav)
          sound.writeUInt32LE(unknown, 4)
          sound.writeUInt32LE(unknown, sound.indexOf("data") + 4)
          const path = Fixtures.place(`piped-${unknown}.wav`)
          writeFileSync(path, sound)
          assert.closeTo((yield* durationOfFile(path, "audio/x-wav"))!, 6, 0.01)
        }
      }))

    it.effect("MEDIA-71 of MP3 without a header that begins and ends in long silence it is what is heard", () =>
      Effect.gen(function*() {
        const sound = ["-f", "lavfi", "-i", "aevalsrc=if(between(t\\,90\\,120)\\,random(0)-0.5\\,0):d=210:s=44100"]
        const path = make("quiet-ends.mp3", ...sound, "-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0")
        assert.closeTo((yield* durationOfFile(path, "audio/mpeg"))!, 210, 0.1)
      }))

    it.effect("MEDIA-65 of a video whose header claims 2^32 seconds it is its track's, and its picture is shown", () =>
      Effect.gen(function*() {
        const path = make("lying.mp4", "-f", "lavfi", "-i", "color=red:s=64x48:r=10:d=6", "-c:v", "libx264")
        const file = readFileSync(path)
        const header = file.indexOf("mvhd")
        file.writeUInt32BE(1, header + 16) // units a second
        file.writeUInt32BE(2 ** 32 - 1, header + 20)
        writeFileSync(path, file)
        assert.closeTo((yield* durationOfFile(path, "video/mp4"))!, 6, 0.1)
        const { frame } = yield* MediaTools.MediaTools
        const shown = yield* frame(Samples.sourceOf(path, "video/mp4"), { atSeconds: null, maxSide: 64 })
        assert.isTrue(shown._tag === "Frame" && Math.abs(shown.atSeconds - 0.6) < 0.05)
      }))

    describe.skipIf(Samples.missing !== undefined)(`of samples${Samples.because(Samples.missing)}`, () => {
      it.effect("MEDIA-64 mends/vbr-silence-first.mp3 plays 29 seconds", () =>
        Effect.gen(function*() {
          const seconds = yield* durationOfFile(Samples.sample("mends/vbr-silence-first.mp3"), "audio/mpeg")
          assert.closeTo(seconds!, 29.1, 0.1)
        }))

      it.effect("MEDIA-65 mends/mp4-duration.mp4 plays 6 seconds", () =>
        Effect.gen(function*() {
          assert.closeTo((yield* durationOfFile(Samples.sample("mends/mp4-duration.mp4"), "video/mp4"))!, 6.106, 0.01)
        }))
    })
  })
})
