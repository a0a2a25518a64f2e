/** What is written in tracks and videos, their covers, and how they sound. */
import { assert, describe, it, layer } from "@effect/vitest"
import { MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { factsOf, locationOf, timeOf } from "../src/ffmpeg/ProbedFacts.ts"
import * as FileTypeKinds from "../src/FileTypeKinds.ts"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import * as Fixtures from "./FfmpegFixtures.ts"
import { bitError, decompressed } from "./Fingerprints.ts"
import * as Samples from "./Samples.ts"

const probe = (path: string, mimeType: string) =>
  Effect.flatMap(MediaTools.MediaTools, (tools) => tools.probe(Samples.sourceOf(path, mimeType)))

const listen = (path: string) =>
  Effect.flatMap(MediaTools.MediaTools, (tools) => tools.listen(Samples.sourceOf(path, "audio/any")))

const { make, toneSource } = Fixtures

describe("what ffprobe tells", () => {
  it.each([
    ["2014-12-19T07:39:06+0700", "2014-12-19T00:39:06.000Z"],
    ["2024-05-06T07:08:09.000000Z", "2024-05-06T07:08:09.000Z"],
    ["2024-05-06 07:08:09", "2024-05-06T07:08:09.000Z"],
    ["2024-05-06", "2024-05-06T00:00:00.000Z"],
    ["2024", null],
    ["1970-01-01T00:00:00.000000Z", null],
    ["1904-01-01T00:00:00.000000Z", null],
    ["2024-13-45T99:00:00Z", null],
    ["yesterday", null],
    [null, null],
    ["2024-02-31 10:00:00", null],
    ["2023-02-29", null],
    ["2024-02-29T23:30:00-01:00", "2024-03-01T00:30:00.000Z"],
    ["2024-02-29T23:30:00.05-01:00", "2024-03-01T00:30:00.050Z"],
    ["2024-01-01T00:00:00+99:00", "2024-01-01T00:00:00.000Z"],
    ["12345-01-01", null],
    ["2345-01-01", null],
    ["2024-01-015", null]
  ])("MEDIA-24 MEDIA-90 %s was %s", (written, time) => {
    assert.strictEqual(timeOf(written), time)
  })

  it.each([
    ["+48.8577+002.2950/", { latitude: 48.8577, longitude: 2.295 }],
    ["-33.8568+151.2153+012.5/", { latitude: -33.8568, longitude: 151.2153 }],
    ["+4852-00220/", { latitude: 48 + 52 / 60, longitude: -(2 + 20 / 60) }],
    ["+485130.5+0021742/", { latitude: 48 + 51 / 60 + 30.5 / 3600, longitude: 2 + 17 / 60 + 42 / 3600 }],
    ["+91.0+000.0/", null],
    ["Paris", null],
    [null, null]
  ])("MEDIA-24 %s is a place", (written, place) => {
    const found = locationOf(written)
    if (place === null || found === null) {
      assert.strictEqual(found, place)
    } else {
      assert.closeTo(found.latitude, place.latitude, 1e-9)
      assert.closeTo(found.longitude, place.longitude, 1e-9)
    }
  })

  it("MEDIA-24 a film's title is the container's, not a track's; a zone of its own wins", () => {
    const found = factsOf({
      format: {
        format_name: "matroska,webm",
        tags: { TITLE: "The film", creation_time: "2020-01-01T12:00:00Z" }
      },
      streams: [{
        index: 0,
        codec_type: "video",
        width: 640,
        height: 360,
        tags: { title: "Main track", "com.apple.quicktime.creationdate": "2020-01-01T13:00:00+0200", rotate: "270" }
      }]
    }, "video/x-matroska")
    assert.deepInclude(found, { title: "The film", width: 360, height: 640, durationSeconds: null, mimeType: null })
  })
})

layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })("facts", (it) => {
  describe.skipIf(Fixtures.missing !== undefined)("frame rates", () => {
    it.effect.each(
      [
        ["24000/1001", "mp4"],
        ["24000/1001", "mkv"],
        ["25/1", "mp4"],
        ["30000/1001", "mov"],
        ["30000/1001", "mkv"],
        ["50/1", "mkv"],
        ["60000/1001", "mp4"],
        ["60000/1001", "mkv"],
        ["60/1", "mp4"]
      ] as const
    )("REV-1 a video of %s frames a second in %s", ([rate, container]) =>
      Effect.gen(function*() {
        const name = `rate-${rate.replace("/", "-")}.${container}`
        const source = `color=red:s=64x48:r=${rate}:d=2`
        const path = Fixtures.make(name, "-f", "lavfi", "-i", source, "-c:v", "mpeg4")
        const found = yield* probe(path, container === "mkv" ? "video/x-matroska" : "video/mp4")
        assert.strictEqual(found.frameRate, rate)
      }))
  })

  describe.skipIf(Samples.missing !== undefined || Fixtures.missing !== undefined)(
    `of samples${Samples.because(Samples.missing, Fixtures.missing)}`,
    () => {
      it.effect.each([
        "video/basic.mp4",
        "video/location.mp4",
        "video/apple-creationdate.mov",
        "video/rot90.mp4",
        "video/colours10s.mp4",
        "video/colours10s.webm",
        "video/fixture.avi",
        "video/fixture.3gp"
      ])("MEDIA-24 %s", (path) =>
        Effect.gen(function*() {
          const known = Samples.facts(path)
          const found = yield* probe(Samples.sample(path), String(known["mimeType"]))
          assert.deepInclude(found, {
            mimeType: null,
            title: known["title"] as string ?? null,
            width: known["displayWidth"] as number,
            height: known["displayHeight"] as number
          })
          assert.closeTo(found.durationSeconds!, Number(known["duration"]), 0.01)
          assert.deepStrictEqual(
            found.location,
            known["lat"] === undefined ? null : { latitude: known["lat"] as number, longitude: known["lon"] as number }
          )
        }))

      it.effect("MEDIA-24 a video was recorded when its own zone says; a clock never set says nothing", () =>
        Effect.gen(function*() {
          const times = yield* Effect.forEach(
            ["apple-creationdate.mov", "location.mp4", "basic.mp4"],
            (name) => Effect.map(probe(Samples.sample(`video/${name}`), "video/mp4"), (found) => found.takenTime)
          )
          assert.deepStrictEqual(times, ["2014-12-19T00:39:06.000Z", "2024-05-06T07:08:09.000Z", null])
        }))

      it.effect.each(
        [
          ["vibe-ace.ogg", {
            title: "Vibe Ace",
            artists: ["Kevin MacLeod"],
            album: "Jazz Sampler",
            genre: "Jazz",
            taggedTempo: 130
          }],
          ["synth-am-128.mp3", { title: "Loop One", artists: ["Spike"], taggedTempo: null, taggedKey: null }],
          ["synth-am-128-tagged-90-cm.flac", { title: "Tagged wrong", taggedTempo: 90, taggedKey: "Cm" }],
          ["tone-2s-tbpm77-ebm.mp3", { title: "Tag only", taggedTempo: 77, taggedKey: "Ebm" }],
          ["silence.wav", { title: null, artists: [], taggedTempo: null }]
        ] as const
      )("MEDIA-23 %s", ([name, known]) =>
        Effect.gen(function*() {
          const path = `audio/${name}`
          const found = yield* probe(Samples.sample(path), String(Samples.facts(path)["mimeType"]))
          assert.deepInclude(found, { ...known, mimeType: null, takenTime: null, width: null })
          assert.closeTo(found.durationSeconds!, Number(Samples.facts(path)["duration"]), 0.05)
        }))

      it.effect.each(
        [
          ["synth-am-128.mp3", 128, "Am"],
          ["synth-am-128-tagged-90-cm.flac", 128, "Am"],
          ["click-128.flac", 128, null],
          ["vibe-ace.ogg", 130, "E"],
          ["silence.wav", null, null],
          ["tone-2s-tbpm77-ebm.mp3", null, null]
        ] as const
      )("MEDIA-20 %s sounds of %s beats a minute in %s", ([name, tempo, key]) =>
        Effect.gen(function*() {
          const sound = yield* listen(Samples.sample(`audio/${name}`))
          assert.strictEqual(sound.key, key)
          if (tempo === null || sound.tempo === null) assert.strictEqual(sound.tempo, tempo)
          else assert.closeTo(sound.tempo, tempo, tempo / 100)
        }))

      it.effect("MEDIA-22 the prints of all samples are fpcalc's", () =>
        Effect.gen(function*() {
          for (const [path, printed] of Samples.fingerprints()) {
            const { soundprint } = yield* listen(Samples.sample(path))
            assert.isBelow(bitError(soundprint!, decompressed(printed)), 0.01, path)
          }
        }))

      it.effect("MEDIA-28 a track's cover is the picture in its tags", () =>
        Effect.gen(function*() {
          const { cover } = yield* MediaTools.MediaTools
          const [art, none] = yield* Effect.forEach(["vibe-ace.ogg", "synth-am-128.mp3"], (name) =>
            cover(Samples.sourceOf(Samples.sample(`audio/${name}`), "audio/any"), { maxSide: 300 }))
          assert.deepInclude(art, { width: 300, height: 300 })
          assert.isNull(none)
        }))
    }
  )

  describe.skipIf(Fixtures.missing !== undefined)(`of made files${Samples.because(Fixtures.missing)}`, () => {
    it.effect.each(
      [
        ["a.mp4", "video/mp4", "audio/mp4"],
        ["a.mkv", "video/x-matroska", "audio/x-matroska"],
        ["a.webm", "video/webm", "audio/webm"],
        ["a.m4a", "audio/mp4", null],
        ["a.ogg", "audio/ogg", null],
        ["a.aac", "audio/aac", null]
      ] as const
    )("MEDIA-25 %s of %s holds sound only", ([name, recorded, finer]) =>
      Effect.gen(function*() {
        const found = yield* probe(make(name, ...toneSource(3), "-metadata", "title=A tone"), recorded)
        assert.deepInclude(found, { mimeType: finer, width: null, takenTime: null })
        assert.closeTo(found.durationSeconds!, 3, 0.1)
        if (name !== "a.aac") assert.strictEqual(found.title, "A tone")
      }))

    it.effect.each([
      { name: "large.wav", options: ["-rf64", "always"] },
      { name: "sony.w64", options: [] },
      { name: "sun.au", options: [] },
      { name: "true.tta", options: [] }
    ])("MEDIA-23 $name is a track", ({ name, options }) =>
      Effect.gen(function*() {
        const path = make(name, ...toneSource(2), ...options)
        const kind = yield* FileTypeKinds.detect(readFileSync(path).subarray(0, 4_096))
        assert.match(kind!, /^audio\//)
        assert.closeTo((yield* probe(path, kind!)).durationSeconds!, 2, 0.1)
      }))

    it.effect.each([
      { written: "AC/DC", artists: ["AC/DC"] },
      { written: "M/A/R/R/S", artists: ["M/A/R/R/S"] },
      { written: "Ann/Bob", artists: ["Ann", "Bob"] }
    ])("MEDIA-23 of older tags $written is $artists", ({ artists, written }) =>
      Effect.gen(function*() {
        const tagged = [...toneSource(1), "-id3v2_version", "3", "-metadata", `artist=${written}`]
        const path = make(`${written.replaceAll("/", "-")}.mp3`, ...tagged)
        assert.deepStrictEqual((yield* probe(path, "audio/mpeg")).artists, artists)
      }))

    it.effect("MEDIA-23 tags of a WAV are found in UTF-8, and in Latin-1", () =>
      Effect.gen(function*() {
        const titled = (title: string) => make("titled.wav", ...toneSource(1), "-metadata", `title=${title}`)
        const titleOf = (path: string) => Effect.map(probe(path, "audio/x-wav"), ({ title }) => title)
        assert.strictEqual(yield* titleOf(titled("東京 Zażółć Café")), "東京 Zażółć Café")
        const bytes = readFileSync(titled("Cafe, fin"))
        bytes.write("Café", bytes.indexOf("Cafe"), "latin1")
        writeFileSync(Fixtures.place("latin1.wav"), bytes)
        assert.strictEqual(yield* titleOf(Fixtures.place("latin1.wav")), "Café, fin")
      }))

    it.effect("MEDIA-23 tags at the end of a track are found, and little is read of the rest", () =>
      Effect.gen(function*() {
        const path = make("long.m4a", "-f", "lavfi", "-i", "anoisesrc=d=60", "-metadata", "title=Long", "-c:a", "alac")
        const source = Samples.sourceOf(path, "audio/mp4")
        const { probe } = yield* MediaTools.MediaTools
        assert.deepInclude(yield* probe(source), { title: "Long" })
        assert.isBelow(source.bytesRead(), source.sizeBytes / 4)
      }))

    it.effect("MEDIA-21 what has no sound sounds of nothing", () =>
      Effect.gen(function*() {
        const path = make("mute.mp4", "-f", "lavfi", "-i", "color=red:d=1")
        assert.deepStrictEqual(yield* listen(path), { tempo: null, key: null, soundprint: null })
      }))
  })

  it.effect("HOSTILE-41 an empty file is unreadable", () =>
    Effect.gen(function*() {
      const tools = yield* MediaTools.MediaTools
      const empty = { ...Samples.sourceOf(import.meta.filename, "audio/mpeg"), sizeBytes: 0 }
      assert.strictEqual((yield* Effect.flip(tools.probe(empty)))._tag, "Unreadable")
      assert.strictEqual((yield* Effect.flip(tools.listen(empty)))._tag, "Unreadable")
    }))
})
