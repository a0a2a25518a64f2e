import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Checked from "../../test/Checked.ts"
import { TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { Folders } from "./Folders.ts"

layer(TestDrive, { timeout: "60 seconds" })("Folders", (it) => {
  it.effect("LIB-9 a folder is made once with its missing parents and keeps its first spelling", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const folders = yield* Folders
      const made = yield* folders.ensure(owner, Checked.path("/Films/Rushes"), "folder")
      const again = yield* Effect.all(
        ["/films/rushes", "/FILMS/Rushes/", "/Films/RUSHES"].map((path) =>
          folders.ensure(owner, Checked.path(path), "folder")
        ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(again, [made, made, made])
      assert.strictEqual(made!.path, "/Films/Rushes")
      assert.isNull(yield* folders.ensure(owner, Checked.path("/"), "folder"))
      assert.throws(() => Checked.path("Films"))
    }))

  it.effect("LIB-6 a folder is its owner's alone", () =>
    Effect.gen(function*() {
      const users = yield* TestAccounts
      const owner = yield* users.add()
      const stranger = yield* users.add()
      const folders = yield* Folders
      const made = (yield* folders.ensure(owner, Checked.path("/A"), "folder"))!
      assert.isTrue(Option.isSome(yield* folders.find(owner, made.id)))
      assert.isTrue(Option.isNone(yield* folders.find(stranger, made.id)))
    }))
})
