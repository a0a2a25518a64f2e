import { assert, layer } from "@effect/vitest"
import { Limits, ObjectStore as Port } from "@filedrive/core"
import { DateTime, Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { Faults, MemoryObjectStore } from "./MemoryObjectStore.ts"
import { content, freshAddress, headers, sendForm, stored } from "./objectstore/DataPlane.ts"
import { objectStoreSuite } from "./ObjectStoreSuite.ts"

objectStoreSuite("memory", MemoryObjectStore.layer, { refusesReplay: true })

layer(MemoryObjectStore.layer)("MemoryObjectStore", (it) => {
  it.effect("STO-40 an upload of 2 TiB in 10,000 parts is faked in constant memory", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const memory = yield* MemoryObjectStore
      const at = freshAddress()
      const uploadId = yield* store.createUpload(at, headers)
      const sizeBytes = Math.floor(Limits.fileSizeMaxBytes / 10_000)
      const parts = Array.from({ length: 10_000 }, (_, i) => ({ partNumber: i + 1, sizeBytes }))
      const urls = yield* store.signParts({ at, uploadId, parts, lifetime: Duration.days(1) })
      for (const url of urls) assert.strictEqual(yield* memory.sendZeros(url, sizeBytes), 200)
      assert.strictEqual(yield* memory.sendZeros(urls[0] ?? "", sizeBytes + 1), 403)
      const listed = Option.getOrThrow(yield* store.listParts(at, uploadId))
      assert.isTrue(yield* store.completeUpload(at, uploadId, listed))
      assert.strictEqual(Option.getOrThrow(yield* store.head(at)).sizeBytes, sizeBytes * 10_000)
      assert.isBelow(process.memoryUsage().arrayBuffers, 200 * 1024 * 1024)
    }))

  it.effect("STO-40 times are the test clock's, and lifetimes end by it", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const at = freshAddress()
      const form = yield* store.signForm({ at, headers, sizeBytes: 3, lifetime: Duration.days(2) })
      yield* TestClock.adjust("47 hours")
      assert.strictEqual((yield* sendForm(form, content(3))).status, 204)
      const { storedTime } = Option.getOrThrow(yield* store.head(at))
      assert.deepStrictEqual(storedTime, yield* DateTime.now)
      const late = yield* store.signForm({ at: freshAddress(), headers, sizeBytes: 3, lifetime: Duration.days(2) })
      yield* TestClock.adjust("48 hours")
      assert.strictEqual((yield* sendForm(late, content(3))).status, 403)
    }))

  it.effect("STO-41 a planted fault befalls so many calls, and no more", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const memory = yield* MemoryObjectStore
      const { at } = yield* stored(content(3))
      yield* memory.plant("head", Faults.notReached, 2)
      for (const _ of [1, 2]) assert.strictEqual((yield* Effect.flip(store.head(at))).code, "storage_unavailable")
      assert.isTrue(Option.isSome(yield* store.head(at)))
      yield* memory.plant("remove", Faults.notReached)
      assert.deepStrictEqual(yield* store.remove([at]), [at])
      assert.deepStrictEqual(yield* store.remove([at]), [])
    }))

  it.effect("STO-41 an answer can be lost after the store did as asked", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const memory = yield* MemoryObjectStore
      const { at } = yield* stored(content(3))
      const to = freshAddress()
      yield* memory.plant("copy", Faults.answerLost)
      yield* Effect.flip(store.copy(at, to, headers))
      assert.isTrue(Option.isSome(yield* store.head(to)))
    }))

  it.effect("STO-41 a hook runs right before or after a call", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const memory = yield* MemoryObjectStore
      const { at } = yield* stored(content(3))
      yield* memory.plant("head", Faults.before(Effect.asVoid(store.remove([at]))))
      assert.isTrue(Option.isNone(yield* store.head(at)))
      const { at: second } = yield* stored(content(3))
      yield* memory.plant("head", Faults.after(Effect.asVoid(store.remove([second]))))
      assert.isTrue(Option.isSome(yield* store.head(second)))
      assert.isFalse((yield* memory.objects).some(({ key }) => key === second.key))
    }))
})
