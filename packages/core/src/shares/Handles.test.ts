import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as Checked from "../../test/Checked.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { HostUploads } from "../uploads/HostUploads.ts"
import { Shares } from "./Shares.ts"

layer(TestDrive, { timeout: "60 seconds" })("Sharing by handle", (it) => {
  it.effect("SHR-9 files are shared by handles and ids; a handle that nobody has, or one's own, is named", () =>
    Effect.gen(function*() {
      const users = yield* TestAccounts
      const owner = yield* users.add({ handle: "ann" })
      const bob = yield* users.add({ handle: "bob" })
      const eve = yield* users.add({ handle: "eve", suspended: true })
      const shares = yield* Shares
      const file = yield* as(owner)(
        HostUploads.use((uploads) =>
          uploads.put(
            { fileName: Checked.fileName("a.txt"), fileSize: Checked.fileSize(1) },
            Stream.make(new Uint8Array(1))
          )
        )
      )
      const share = (...handles: ReadonlyArray<string>) => as(owner)(shares.share([file], [], handles))
      assert.strictEqual((yield* share("@Bob")).changed, 1)
      assert.strictEqual((yield* share("bob", "bob")).changed, 0)
      const [found] = yield* as(owner)(shares.select([file]))
      assert.deepStrictEqual(found?.users.map(({ userId }) => userId), [bob])
      for (const handle of ["nobody", "ann", "eve"]) {
        const refused = yield* Effect.flip(share("bob", handle))
        assert.strictEqual("field" in refused ? refused.field : refused._tag, "handles[1]", handle)
      }
      assert.notStrictEqual(eve, owner)
    }))
})
