import { assert, layer } from "@effect/vitest"
import { MemoryObjectStore } from "@filedrive/testing"
import { Duration, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { codes, input, MiB, post, put, sendParts } from "../../test/UploadsTest.ts"
import { Quota } from "../accounts/Quota.ts"
import { OrphanSweep } from "../objects/OrphanSweep.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import { Forms } from "./Forms.ts"
import { Uploads } from "./Uploads.ts"
import { UploadSweep } from "./UploadSweep.ts"

const heldBytes = (owner: AccountId) =>
  Quota.use((quota) => quota.balance(owner)).pipe(Effect.map((balance) => balance.heldBytes))
const sweep = UploadSweep.use((sweeper) => sweeper.sweep)
const removeDue = (owner: AccountId) => PendingDeletions.use((deletions) => deletions.removeDue(owner))

const held = Effect.fnUntraced(function*(owner: AccountId) {
  const store = yield* MemoryObjectStore
  return (yield* store.objects).filter(({ key }) => key.includes(owner)).length
})

layer(TestDrive, { timeout: "60 seconds" })("Sweeps", (it) => {
  it.effect("UP-45 an upload lives seven days from its last new part, not from its start", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const file = input(owner, 130 * MiB)
      const { signed } = yield* uploads.open(file).pipe(as(owner))
      yield* put(signed[0]!)
      yield* TestClock.adjust("6 days")
      const { parts } = yield* uploads.open(file).pipe(
        Effect.flatMap(({ token }) => uploads.signParts(token, Checked.parts([2]))),
        as(owner)
      )
      yield* put(parts[0]!)
      // 12 days after its start, 6 after its newest part.
      yield* TestClock.adjust("6 days")
      yield* sweep
      const resumed = yield* uploads.open(file).pipe(as(owner))
      assert.isTrue(resumed.resumed)
      assert.strictEqual(resumed.stored.length, 2)
      yield* TestClock.adjust(Duration.subtract(Duration.days(1), Duration.seconds(1)))
      yield* sweep
      assert.strictEqual(yield* heldBytes(owner), 130 * MiB)
      yield* TestClock.adjust("1 second")
      yield* sweep
      assert.strictEqual(yield* heldBytes(owner), 0)
      assert.deepStrictEqual(codes(yield* uploads.complete(resumed.token).pipe(as(owner), Effect.exit)), [
        "upload_not_found",
        undefined
      ])
    }))

  it.effect("UP-46 a complete upload that is never recorded gives its bytes back after seven days", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const { token } = yield* sendParts(input(owner, MiB)).pipe(as(owner))
      yield* Uploads.use((uploads) => uploads.complete(token)).pipe(as(owner))
      yield* TestClock.adjust("6 days")
      yield* sweep
      assert.deepStrictEqual([yield* heldBytes(owner), yield* held(owner)], [MiB, 1])
      yield* TestClock.adjust("1 day")
      yield* sweep
      assert.deepStrictEqual([yield* heldBytes(owner), yield* held(owner)], [0, 0])
    }))

  it.effect("UP-47 what arrived on a form that lapsed is removed", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const form = yield* Forms.use((forms) => forms.create(input(owner, 5))).pipe(as(owner))
      yield* post(form, "hello")
      yield* TestClock.adjust("2 days")
      yield* sweep
      yield* removeDue(owner)
      assert.strictEqual(yield* held(owner), 1)
      yield* TestClock.adjust("1 hour")
      yield* sweep
      yield* removeDue(owner)
      assert.strictEqual(yield* held(owner), 0)
      assert.strictEqual(yield* post(form, "hello"), 403)
    }))

  it.effect("UP-47 objects and uploads that no row knows are found and removed, known ones stay", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const store = yield* ObjectStore
      const headers = { contentType: "a/b", contentDisposition: "attachment", cacheControl: "private" }
      const put = (bucket: "private" | "public", key: string) =>
        store.put({ at: { bucket, key }, headers, sizeBytes: 1, body: Stream.make(new Uint8Array(1)) })
      yield* put("private", `incoming/${owner}/late`)
      yield* put("private", `files/${owner}/lost`)
      yield* put("public", `files/${owner}/lost`)
      yield* put("private", `somebody/else`)
      yield* store.createUpload({ bucket: "private", key: `files/${owner}/never` }, headers)
      yield* TestClock.adjust("2 days")
      const { token } = yield* sendParts(input(owner, MiB)).pipe(as(owner))
      yield* Uploads.use((uploads) => uploads.complete(token)).pipe(as(owner))
      yield* Uploads.use((uploads) => uploads.open(input(owner, MiB, { objectKey: `users/${owner}/b` }))).pipe(
        as(owner)
      )
      yield* TestClock.adjust("2 days")
      assert.isAtLeast(yield* OrphanSweep.use((sweeper) => sweeper.sweep), 1)
      yield* removeDue(owner)
      assert.strictEqual(yield* held(owner), 1)
      const memory = yield* MemoryObjectStore
      assert.isTrue((yield* memory.objects).some(({ key }) => key === "somebody/else"))
      assert.strictEqual((yield* memory.openUploads).length, 1)
    }))
})
