import { assert, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore } from "@filedrive/testing"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { codes, input, MiB, put, sendParts, type UploadCall } from "../../test/UploadsTest.ts"
import { Quota } from "../accounts/Quota.ts"
import * as Limits from "../limits/Limits.ts"
import { Inserts } from "./Inserts.ts"
import { Uploads } from "./Uploads.ts"

layer(TestDrive, { timeout: "60 seconds" })("Uploads", (it) => {
  it.effect("UP-32 opening answers the plan and URLs of the first 100 parts", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const opened = yield* Uploads.use((uploads) => uploads.open(input(owner, 150 * 64 * MiB))).pipe(as(owner))
      assert.deepInclude(opened, { resumed: false, stored: [] })
      assert.deepInclude(opened.plan, { partSizeBytes: 64 * MiB, partCount: 150 })
      assert.deepStrictEqual(opened.signed.map((part) => part.partNumber), Array.from({ length: 100 }, (_, i) => i + 1))
      assert.strictEqual(yield* put(opened.signed[0]!), 200)
    }))

  it.effect("UP-33 the same key continues with what is stored; UP-37 a part takes its own length only", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const file = input(owner, 130 * MiB)
      yield* Effect.gen(function*() {
        const first = yield* uploads.open(file)
        assert.strictEqual(yield* put(first.signed[2]!, 2 * MiB - 1), 403)
        assert.strictEqual(yield* put(first.signed[2]!), 200)
        const again = yield* uploads.open(file)
        assert.deepInclude(again, { resumed: true, id: first.id })
        assert.deepStrictEqual(again.stored.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes]), [[3, 2 * MiB]])
        assert.deepStrictEqual(again.signed.map((part) => part.partNumber), [1, 2])
        assert.notStrictEqual(again.token, first.token)
        // Both callers hold the upload.
        assert.strictEqual((yield* uploads.signParts(first.token, Checked.parts([1]))).parts.length, 1)
      }).pipe(as(owner))
    }))

  it.effect("UP-34 parts that do not fit the file are discarded with their upload", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const store = yield* MemoryObjectStore
      yield* Effect.gen(function*() {
        const first = yield* sendParts(input(owner, 65 * MiB))
        const before = (yield* store.openUploads).length
        const second = yield* uploads.open(input(owner, 66 * MiB))
        assert.isFalse(second.resumed)
        assert.deepStrictEqual(second.stored, [])
        assert.strictEqual((yield* store.openUploads).length, before)
        assert.deepStrictEqual(codes(yield* Effect.exit(uploads.complete(first.token))), [
          "upload_not_found",
          undefined
        ])
      }).pipe(as(owner))
      assert.strictEqual((yield* Quota.use((quota) => quota.balance(owner))).heldBytes, 66 * MiB)
    }))

  it.effect("UP-14 an empty file has no parts", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const refused = yield* Uploads.use((uploads) => uploads.open(input(owner, 0))).pipe(as(owner), Effect.exit)
      assert.deepStrictEqual(codes(refused), ["invalid_field", "fileSize"])
    }))

  it.effect("UP-36 a number outside the plan is named", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const { token } = yield* uploads.open(input(owner, 130 * MiB)).pipe(as(owner))
      const refused = yield* uploads.signParts(token, Checked.parts([3, 4])).pipe(as(owner), Effect.exit)
      assert.deepStrictEqual(codes(refused), ["invalid_field", "partNumbers[1]"])
    }))

  it.effect("UP-35 a token is its owner's for seven days and nobody else's ever", () =>
    Effect.gen(function*() {
      const users = yield* TestAccounts
      const owner = yield* users.add()
      const stranger = yield* users.add()
      const uploads = yield* Uploads
      const { token } = yield* uploads.open(input(owner, MiB)).pipe(as(owner))
      const calls: ReadonlyArray<UploadCall> = [
        uploads.complete(token),
        uploads.abort(token),
        uploads.signParts(token, Checked.parts([1]))
      ]
      for (const call of calls) {
        assert.deepStrictEqual(codes(yield* call.pipe(as(stranger), Effect.exit)), ["not_allowed", undefined])
      }
      assert.deepStrictEqual(
        codes(yield* uploads.abort(Checked.uploadToken("fdu_unknown")).pipe(as(owner), Effect.exit)),
        [
          "not_allowed",
          undefined
        ]
      )
      yield* TestClock.adjust(Duration.subtract(Limits.uploadTokenLifetime, Duration.seconds(1)))
      assert.strictEqual((yield* uploads.signParts(token, Checked.parts([1])).pipe(as(owner))).parts.length, 1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(codes(yield* uploads.signParts(token, Checked.parts([1])).pipe(as(owner), Effect.exit)), [
        "not_allowed",
        undefined
      ])
    }))

  it.effect("UP-38 completes when every part is there; UP-40 again and after it is recorded", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const file = input(owner, 65 * MiB)
      yield* Effect.gen(function*() {
        const { signed, token } = yield* uploads.open(file)
        yield* put(signed[0]!)
        const early = yield* Effect.flip(uploads.complete(token))
        assert.deepInclude(early, { code: "parts_missing", partNumbers: [2] })
        yield* put(signed[1]!)
        assert.deepInclude(yield* uploads.complete(token), { objectKey: file.objectKey, sizeBytes: 65 * MiB })
        yield* uploads.complete(token)
        yield* Inserts.use((inserts) => inserts.insert(file))
        yield* uploads.complete(token)
        assert.isFalse(yield* uploads.abort(token))
        // UP-48: the URLs of its parts lead nowhere now.
        assert.strictEqual(yield* put(signed[0]!), 404)
      }).pipe(as(owner))
    }))

  it.effect("UP-41 two completes at once both succeed", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const { token } = yield* sendParts(input(owner, 65 * MiB)).pipe(as(owner))
      const both = yield* Effect.all([uploads.complete(token), uploads.complete(token)], { concurrency: 2 }).pipe(
        as(owner)
      )
      assert.strictEqual(both.length, 2)
    }))

  it.effect("UP-42 a complete whose answer was lost succeeds when repeated, and a resume finds it whole", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const store = yield* MemoryObjectStore
      yield* Effect.gen(function*() {
        const file = input(owner, 65 * MiB)
        const { token } = yield* sendParts(file)
        yield* store.plant("completeUpload", Faults.answerLost)
        assert.deepStrictEqual(codes(yield* Effect.exit(uploads.complete(token))), ["storage_unavailable", undefined])
        const again = yield* uploads.open(file)
        assert.deepInclude(again, { resumed: true, signed: [] })
        assert.strictEqual(again.stored.length, 2)
        yield* uploads.complete(token)
        yield* Inserts.use((inserts) => inserts.insert(file))
      }).pipe(as(owner))
      assert.deepStrictEqual(yield* Quota.use((quota) => quota.balance(owner)), {
        usedBytes: 65 * MiB,
        heldBytes: 0
      })
    }))

  it.effect("UP-44 aborting gives the bytes back, and again; UP-43 then there is nothing to complete", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const { token } = yield* sendParts(input(owner, 65 * MiB)).pipe(as(owner))
      assert.strictEqual((yield* Quota.use((quota) => quota.balance(owner))).heldBytes, 65 * MiB)
      assert.isTrue(yield* uploads.abort(token).pipe(as(owner)))
      assert.isTrue(yield* uploads.abort(token).pipe(as(owner)))
      assert.strictEqual((yield* Quota.use((quota) => quota.balance(owner))).heldBytes, 0)
      assert.deepStrictEqual(codes(yield* uploads.complete(token).pipe(as(owner), Effect.exit)), [
        "upload_not_found",
        undefined
      ])
    }))

  it.effect("UP-49 a file of 2 TiB is planned, signed, listed and completed", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const file = input(owner, Limits.fileSizeMaxBytes)
      yield* Effect.gen(function*() {
        const { plan, token } = yield* uploads.open(file)
        for (let start = 1; start <= plan.partCount; start += 1_000) {
          const numbers = Array.from({ length: Math.min(1_000, plan.partCount + 1 - start) }, (_, i) => start + i)
          yield* Effect.forEach((yield* uploads.signParts(token, Checked.parts(numbers))).parts, (part) => put(part))
        }
        const again = yield* uploads.open(file)
        assert.strictEqual(again.stored.length, 9_987)
        assert.deepStrictEqual(again.signed, [])
        assert.strictEqual((yield* uploads.complete(token)).sizeBytes, 2 * 1024 ** 4)
        yield* Inserts.use((inserts) => inserts.insert(file))
      }).pipe(as(owner))
      assert.strictEqual((yield* Quota.use((quota) => quota.balance(owner))).usedBytes, 2 * 1024 ** 4)
    }))

  it.effect("SPEED-1 opening an upload of 10,000 parts, or taking it up again, asks storage to list once and signs 100", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const memory = yield* MemoryObjectStore
      const uploads = yield* Uploads
      const file = input(owner, 625 * 1024 ** 3)
      const asked: Array<string> = []
      for (const method of ["listParts", "signParts", "head"] as const) {
        yield* memory.plant(method, Faults.before(Effect.sync(() => void asked.push(method))), 10)
      }
      const first = yield* uploads.open(file).pipe(as(owner))
      assert.strictEqual(first.plan.partCount, 10_000)
      assert.strictEqual(first.signed.length, 100)
      const again = yield* uploads.open(file).pipe(as(owner))
      assert.isTrue(again.resumed)
      assert.strictEqual(again.signed.length, 100)
      assert.deepStrictEqual(asked, ["signParts", "listParts", "signParts"])
    }))
})
