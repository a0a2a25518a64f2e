/** Stores that do not answer, with a moved clock. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { failureOf, file, taken, uploading } from "../../test/FakeTarget.ts"
import type { Store } from "../Options.ts"
import { QueueRun } from "./QueueRun.ts"
import { Records } from "./Record.ts"
import { timely } from "./timely.ts"
import { UploadRun } from "./UploadRun.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = () => new Promise<never>(() => {})

/** Uploads with a store whose operations of these names never settle. */
const withHanging = (...names: ReadonlyArray<keyof Store>) => {
  const kept = new Map<string, string>()
  const store: Store = {
    get: (key) => kept.get(key),
    set: (key, value) => kept.set(key, value),
    delete: (key) => kept.delete(key),
    ...Object.fromEntries(names.map((name) => [name, never]))
  }
  const records = new Records(timely(store, () => undefined))
  return { store, shared: uploading(async () => taken, {}, { records }) }
}

describe("a store that never answers", () => {
  it.each<{ readonly names: ReadonlyArray<keyof Store> }>([
    { names: ["get"] },
    { names: ["set"] },
    { names: ["delete"] },
    { names: ["get", "set", "delete"] }
  ])(
    "CLIENT-233 costs uploads their records and some seconds: $names",
    async ({ names }) => {
      const { shared, store } = withHanging(...names)
      const upload = new UploadRun(shared, file(), {})
      const queue = new QueueRun(shared, store, { name: "all" })
      queue.add([file(10, "a.bin"), file(10, "b.bin")])
      await vi.advanceTimersByTimeAsync(60_000)
      assert.strictEqual(upload.state, "done")
      assert.deepInclude(queue.progress, { doneFiles: 2, failedFiles: 0 })
      assert.strictEqual(vi.getTimerCount(), 0)
    }
  )

  it("CLIENT-233 keeps no upload from being cancelled, by itself and with its queue", async () => {
    const { shared, store } = withHanging("get", "set", "delete")
    const upload = new UploadRun(shared, file(), {})
    const queue = new QueueRun(shared, store, { name: "all" })
    queue.add(file())
    const failed = [failureOf(upload), failureOf(queue.done)]
    await vi.advanceTimersByTimeAsync(0)
    const ended = [upload.cancel(), queue.cancel()]
    await vi.advanceTimersByTimeAsync(60_000)
    await Promise.all(ended)
    for (const failure of failed) assert.deepInclude(await failure, { name: "AbortError" })
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("CLIENT-233 is waited for shortly until it answers again, and no timer is left of what it answered", async () => {
    let isHanging = true
    const failed: Array<unknown> = []
    const host: Store = { get: (key) => isHanging ? never() : key, set: never, delete: never }
    const store = timely(host, (error) => {
      failed.push(error)
      return undefined
    })
    const first = store.get("a")
    await vi.advanceTimersByTimeAsync(9_999)
    assert.lengthOf(failed, 0)
    await vi.advanceTimersByTimeAsync(1)
    assert.isUndefined(await first)
    void store.get("b")
    await vi.advanceTimersByTimeAsync(1_000)
    assert.lengthOf(failed, 2)
    isHanging = false
    assert.strictEqual(await store.get("c"), "c")
    assert.strictEqual(vi.getTimerCount(), 0)
    isHanging = true
    void store.get("d")
    await vi.advanceTimersByTimeAsync(9_999)
    assert.lengthOf(failed, 2)
    await vi.advanceTimersByTimeAsync(1)
    assert.lengthOf(failed, 3)
  })

  it("CLIENT-233 that refuses at once, being full, is not taken for one that hangs", async () => {
    let isFull = false
    const host: Store = {
      get: (key) => new Promise((resolve) => setTimeout(() => resolve(key), 1_500)),
      set: () => {
        if (isFull) throw new Error("full")
      },
      delete: () => {}
    }
    const store = timely(host, () => undefined)
    isFull = true
    assert.isUndefined(await store.set("a", "b"))
    const slow = store.get("a")
    await vi.advanceTimersByTimeAsync(1_500)
    assert.strictEqual(await slow, "a")
  })
})
