/** What only a real server shows: imports of one account at once, each in a session of its own. */
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { checkClean, content, look, MiB, runInTurns, startImport } from "../../test/ImportsTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { testDrive } from "../../test/TestDrive.ts"
import { input, uploadOnForm } from "../../test/UploadsTest.ts"

const drive = testDrive(TestDatabase.layerPostgres, TestAccounts.layer)

layer(drive, { timeout: "120 seconds" })("Imports at once", (it) => {
  it.effect.each([true, false])(
    "IMP-7 imports at once fill an account to the byte and never past it (stated: %s)",
    (stated) =>
      Effect.gen(function*() {
        const sizeBytes = 100_000
        const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes: 7 * sizeBytes + 50_000 }))
        const bytes = content(sizeBytes)
        const started = yield* Effect.forEach(
          Array.from({ length: 16 }),
          () => startImport(owner, { bytes, sizeBytes: stated ? sizeBytes : null })
        )
        yield* runInTurns
        const items = yield* Effect.forEach(started, ({ id }) => look(owner, id))
        assert.lengthOf(items.filter(({ status }) => status === "done"), 7)
        assert.lengthOf(items.filter(({ code }) => code === "storage_limit_reached"), 9)
        assert.strictEqual(yield* checkClean(owner), 7 * sizeBytes)
      })
  )

  it.effect("IMP-7 imports in parts, of stated and of unknown sizes, share the room with uploads", () =>
    Effect.gen(function*() {
      const quotaBytes = 60 * MiB
      const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes }))
      const bytes = content(17 * MiB)
      const started = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, n) => n),
        (n) => startImport(owner, { bytes, sizeBytes: n % 2 === 0 ? null : bytes.length })
      )
      const upload = (n: number) =>
        Effect.option(
          uploadOnForm(input(owner, MiB, { objectKey: Checked.objectKey(`users/${owner}/${n}`) }), "x".repeat(MiB))
            .pipe(as(owner))
        )
      yield* Effect.all(
        [runInTurns, Effect.forEach(Array.from({ length: 12 }, (_, n) => n), upload, { concurrency: 4 })],
        {
          concurrency: 2
        }
      )
      const items = yield* Effect.forEach(started, ({ id }) => look(owner, id))
      for (const { code, status } of items) {
        assert.isTrue(status === "done" ? code === null : code === "storage_limit_reached", `${status} ${code}`)
      }
      // Copies of uploads that found no room are kept for an hour.
      yield* TestClock.adjust("2 hours")
      const used = yield* checkClean(owner)
      assert.isAtMost(used, quotaBytes)
      assert.strictEqual(used % MiB, 0)
    }))
})
