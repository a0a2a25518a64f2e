import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { startImport } from "../../test/ImportsTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { Imports } from "./Imports.ts"

layer(TestDrive, { timeout: "60 seconds" })("Newest imports", (it) => {
  it.effect("IMP-18 without ids the newest imports are answered, newest first, and none of others", () =>
    Effect.gen(function*() {
      const users = yield* TestAccounts
      const owner = yield* users.add()
      const other = yield* users.add()
      const ids: Array<string> = []
      for (let at = 0; at < 3; at++) {
        ids.unshift((yield* startImport(owner, { bytes: new Uint8Array(1) })).id)
        yield* TestClock.adjust("1 second")
      }
      yield* startImport(other, { bytes: new Uint8Array(1) })
      const imports = yield* Imports
      assert.deepStrictEqual((yield* as(owner)(imports.newest())).map(({ id }) => id), ids)
      assert.deepStrictEqual((yield* as(owner)(imports.newest(2))).map(({ id }) => id), ids.slice(0, 2))
    }))
})
