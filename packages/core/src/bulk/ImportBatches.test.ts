/** How many rows one transaction of an import takes, on a clock that continues each time it is looked at. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Clock, Effect } from "effect"
import { checkCounts } from "../../test/checkCounts.ts"
import { checkSearch } from "../../test/checkSearch.ts"
import { newAccount } from "../../test/FilesTest.ts"
import { rows, run, withImport } from "../../test/ImportTest.ts"

testLayer(withImport(TestDatabase.layer), { timeout: "120 seconds" })("Batches of an import", (it) => {
  it.effect("DB-21 on a machine that is slow an import begins with few rows, and takes 300 at a time", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const clock = yield* Effect.clockWith(Effect.succeed)
      let lateMillis = 0
      // Each look finds it a twentieth of a second later.
      const now = () => clock.currentTimeMillisUnsafe() + (lateMillis += 50)
      const told: Array<number> = []
      yield* run(me, rows(me, 550), {
        verify: false,
        onProgress: ({ rows }) => Effect.sync(() => void told.push(rows))
      }).pipe(
        Effect.provideService(Clock.Clock, {
          ...clock,
          sleep: (duration) => clock.sleep(duration),
          currentTimeMillisUnsafe: now,
          currentTimeMillis: Effect.sync(now)
        })
      )
      assert.deepStrictEqual(told, [100, 400, 550])
      yield* checkCounts
      yield* checkSearch(me)
    }))
})
