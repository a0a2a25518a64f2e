/** A host that has not installed what opens files: the same sources, where those libraries are not to be found. */
import { assert, describe, it } from "@effect/vitest"
import type { DriveError, MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type * as Pictures from "../src/Pictures.ts"
import type * as Sandbox from "../src/sandbox/Sandbox.ts"
import { awaited, byMagick, quadrants, sourceIn } from "./PictureFixtures.ts"

const root = join(import.meta.dirname, "../../..")
const libraries = ["@filedrive/core", "effect", "exifreader", "file-type", "chardet", "sharp"]

/** The sources in a folder of their own, with the libraries named and no others. */
const host = (installed: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const directory = mkdtempSync(join(tmpdir(), "filedrive-host-"))
      const sources = join(root, "packages/media")
      cpSync(join(sources, "src"), join(directory, "src"), { recursive: true })
      cpSync(join(sources, "package.json"), join(directory, "package.json"))
      mkdirSync(join(directory, "node_modules/@filedrive"), { recursive: true })
      for (const name of installed) {
        symlinkSync(join(root, "node_modules", name), join(directory, "node_modules", name))
      }
      return directory
    }),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
  )

const picturesOf = Effect.fnUntraced(function*(directory: string) {
  const load = <A>(module: string): Effect.Effect<A> =>
    awaited(() => import(/* @vite-ignore */ pathToFileURL(join(directory, "src", module)).href))
  const { make } = yield* load<typeof Pictures>("Pictures.ts")
  return make(yield* (yield* load<typeof Sandbox>("sandbox/Sandbox.ts")).make({ processes: 1 }))
})

const missing = <A>(work: Effect.Effect<A, DriveError.Unreadable | DriveError.Unavailable>, tool: string) =>
  Effect.map(Effect.flip(work), (told) => {
    assert.deepInclude(told, { _tag: "Unreadable", missingTool: tool })
    assert.include(told.message, `npm install ${tool}`)
  })

describe("a missing library", () => {
  it.live("MEDIA-49 is named by what needs it, and the rest works", () =>
    Effect.scoped(Effect.gen(function*() {
      const pictures: Pictures.Pictures = yield* picturesOf(yield* host(libraries))
      const source = (bytes: Uint8Array): MediaTools.MediaSource => sourceIn(bytes, "image/any")
      const still = (bytes: Uint8Array) => pictures.still(source(bytes), { maxSide: 100 })
      yield* missing(still(yield* awaited(() => byMagick("BMP"))), "@imagemagick/magick-wasm")
      yield* missing(
        pictures.pages(source(Buffer.from("%PDF-1.4")), { from: 1, to: 1, maxBytes: 100 }),
        "pdfjs-dist"
      )
      const picture = yield* still(yield* awaited(() => quadrants().png().toBuffer()))
      assert.strictEqual(picture.width, 100)
    })), 60_000)

  it.live("MEDIA-49 sharp is named by every image", () =>
    Effect.scoped(Effect.gen(function*() {
      const pictures = yield* picturesOf(yield* host(libraries.filter((name) => name !== "sharp")))
      const source = sourceIn(yield* awaited(() => quadrants().jpeg().toBuffer()), "image/jpeg")
      yield* missing(pictures.still(source, { maxSide: 100 }), "sharp")
      yield* missing(pictures.probe(source), "sharp")
    })), 60_000)
})
