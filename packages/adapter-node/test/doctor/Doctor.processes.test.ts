import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { resolve } from "node:path"
import * as Fixtures from "../../../media/test/FfmpegFixtures.ts"
import { finding } from "../../src/doctor/Confinement.ts"
import { isWell, report } from "../../src/doctor/Doctor.ts"
import type { Finding } from "../../src/doctor/Finding.ts"
import { imageReport } from "../../src/doctor/Images.ts"

const command = resolve(import.meta.dirname, "../../bin/filedrive.mjs")

const filedrive = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, [command, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...environment },
    timeout: 60_000
  })

/** No keys but these. */
const keys = (given: Readonly<Record<string, string>>) => ({
  OPENAI_API_KEY: "",
  GOOGLE_GENERATIVE_AI_API_KEY: "",
  BFL_API_KEY: "",
  FAL_API_KEY: "",
  FILEDRIVE_SAMPLE_IMAGES: "",
  ...given
})

const libraries = [
  "sharp",
  "@imagemagick/magick-wasm",
  "pdfjs-dist",
  "music-metadata",
  "@unimusic/chromaprint",
  "chardet"
]

describe("filedrive doctor", () => {
  it.skipIf(Fixtures.missing !== undefined)("MEDIA-19 where everything is installed all is well (needs ffmpeg)", () => {
    const { status, stderr, stdout } = filedrive(["doctor"])
    assert.strictEqual(stderr, "")
    assert.strictEqual(status, 0, stdout)
    for (const name of ["ffmpeg", "ffprobe", ...libraries]) {
      assert.match(stdout, new RegExp(`^ok +${name} \\S*\\d+\\.\\d+`, "m"))
    }
    assert.match(stdout, /decodes h264, hevc, av1/)
  }, 70_000)

  it("MEDIA-19 where ffmpeg is missing it says what to install, and what does work", () => {
    const { status, stdout } = filedrive(["doctor"], { FFMPEG_PATH: "/nowhere", FFPROBE_PATH: "/nowhere" })
    assert.strictEqual(status, 1)
    assert.match(stdout, /^missing +ffmpeg: pictures of videos.*\n.*apt install ffmpeg/m)
    assert.match(stdout, /^missing +ffprobe: /m)
    for (const name of libraries) assert.match(stdout, new RegExp(`^ok +${name} `, "m"))
    assert.match(stdout, /Without all of ffmpeg, ffprobe the drive works/)
  }, 70_000)

  it("MEDIA-19 what lacks a part of itself is partly there", () => {
    const findings: ReadonlyArray<Finding> = [
      { name: "ffmpeg", opens: "videos", found: "7.1 (/bin/ffmpeg)", advice: "It is built without decoders av1." },
      { name: "sharp", opens: "images", found: null, advice: "npm install sharp" },
      { name: "chardet", opens: "texts", found: "2.2.0", advice: null }
    ]
    assert.isFalse(isWell(findings))
    assert.deepStrictEqual(report(findings).split("\n").slice(0, 5), [
      "partly   ffmpeg 7.1 (/bin/ffmpeg): videos",
      "         It is built without decoders av1.",
      "missing  sharp: images",
      "         npm install sharp",
      "ok       chardet 2.2.0: texts"
    ])
  })

  it.skipIf(process.platform !== "linux")(
    "MEDIA-52 it tells what holds the processes that open files, tried for real (needs Linux)",
    () => {
      assert.match(
        filedrive(["doctor"]).stdout,
        /^(?:ok|partly) +confinement (?:Landlock|a network|namespaces|a user|Node's)/m
      )
    },
    70_000
  )

  it("MEDIA-52 what was not kept from is named", () => {
    const all = { files: true, processes: true, network: true }
    assert.deepInclude(finding("Landlock", all), { name: "confinement", found: "Landlock", advice: null })
    const { advice } = finding("a user of its own", { ...all, network: false })
    assert.match(advice!, /reach the network\. .*install perl/)
    assert.match(
      finding("", { ...all, files: false, processes: false }).advice!,
      /credentials among them and the environ/
    )
    assert.isNull(finding("", null).found)
  })

  it("IMG-12 it tells which models generate images, and which key the others lack, without any key", () => {
    const none = filedrive(["doctor"], keys({})).stdout
    assert.match(none, /^no key +gptImage2: set OPENAI_API_KEY$/m)
    assert.match(none, /^no key +flux2Pro: set BFL_API_KEY or FAL_API_KEY$/m)
    assert.include(none, "Without any key the drive draws samples.")
    const some = filedrive(["doctor"], keys({ GOOGLE_GENERATIVE_AI_API_KEY: "secret", FAL_API_KEY: "secret" })).stdout
    assert.match(some, /^ok +nanoBananaPro: drawn by Google \(GOOGLE_GENERATIVE_AI_API_KEY is set\)$/m)
    assert.match(some, /^ok +flux2Pro: drawn by fal /m)
    assert.match(some, /^no key +gptImage2: /m)
    assert.notInclude(some, "secret")
    assert.include(some, "502 generator_unavailable")
  }, 70_000)

  it("IMG-12 it tells when samples are switched off too, and names no missing key when every key is set", () => {
    assert.include(imageReport({ FILEDRIVE_SAMPLE_IMAGES: "0" }), "no images are generated")
    const all = imageReport({
      OPENAI_API_KEY: "a",
      GOOGLE_GENERATIVE_AI_API_KEY: "b",
      BFL_API_KEY: "c",
      FAL_API_KEY: "d"
    })
    assert.match(all, /flux2Pro: drawn by Black Forest Labs/)
    assert.notMatch(all, /no key|Without|refused/)
  })

  it("MEDIA-19 anything else is answered by how it is used", () => {
    assert.deepInclude(filedrive([]), { status: 2, stdout: "" })
    const { status, stdout } = filedrive(["--help"])
    assert.strictEqual(status, 0)
    assert.match(stdout, /Usage: filedrive doctor/)
  }, 70_000)
})
