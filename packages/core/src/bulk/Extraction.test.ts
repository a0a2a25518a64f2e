/** Extraction of imported files. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { newAccount } from "../../test/FilesTest.ts"
import { listed, row, run, stored, withImport } from "../../test/ImportTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"

testLayer(withImport(TestDatabase.layer))("BulkImport", (it) => {
  it.effect("MEDIA-18 MEDIA-1 images without media are extracted, those with it and texts are not", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const known = { title: "Known" }
      yield* stored(me, "old/open")
      const given = [
        row(me, "open", { type: "Image", mimeType: "image/png" }),
        row(me, "known", { type: "Image", mimeType: "image/png", media: known }),
        row(me, "text")
      ]
      yield* run(me, given)
      const statuses = () =>
        Effect.map(
          listed(me),
          (files) => Object.fromEntries(files.map(({ fileName, metadataStatus }) => [fileName, metadataStatus]))
        )
      assert.deepStrictEqual(yield* statuses(), { "open.txt": "pending", "known.txt": "done", "text.txt": "done" })
      yield* (yield* ManualJobs).runDue
      assert.strictEqual((yield* statuses())["open.txt"], "done")
      const other = yield* newAccount
      const image = row(other, "never", { type: "Image", mimeType: "image/png" })
      yield* run(other, [image], { verify: false, extract: false })
      assert.deepInclude((yield* listed(other))[0], { metadataStatus: "done", media: null })
    }))
})
