/** One upload against a target of the test's own, with a moved clock. */
import { afterEach, assert, beforeAll, beforeEach, describe, it, vi } from "vitest"
import { failureOf, file, taken, uploading } from "../../test/FakeTarget.ts"
import { DriveError, unreachable } from "../DriveError.ts"
import type { Target } from "./Target.ts"
import type { Progress } from "./Upload.ts"
import { UploadRun } from "./UploadRun.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const away = unreachable("http://storage.test")

describe("a network that is away", () => {
  it("CLIENT-28 is waited for as long as the platform says so, and the upload goes on when it is back", async () => {
    const network = new EventTarget()
    const navigator = { onLine: true }
    vi.stubGlobal("navigator", navigator)
    vi.stubGlobal("addEventListener", network.addEventListener.bind(network))
    vi.stubGlobal("removeEventListener", network.removeEventListener.bind(network))
    const states: Array<string> = []
    let attempts = 0
    const run = new UploadRun(
      uploading(async () => {
        attempts++
        if (!navigator.onLine) throw away
        return taken
      }),
      file(),
      { onState: (state) => states.push(state) }
    )
    navigator.onLine = false
    await vi.advanceTimersByTimeAsync(3 * 3_600_000)
    assert.strictEqual(run.state, "offline")
    // Half a minute at most between attempts, and a quarter at least.
    assert.isAtLeast(attempts, 3 * 120)
    assert.isAtMost(attempts, 3 * 240 + 10)
    navigator.onLine = true
    network.dispatchEvent(new Event("online"))
    await vi.advanceTimersByTimeAsync(0)
    assert.strictEqual((await run).id, "a.bin")
    assert.deepStrictEqual([...new Set(states)], ["sending", "offline", "done"])
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("CLIENT-28 is given up after ten minutes when the platform says that it is there", async () => {
    const start = Date.now()
    const run = new UploadRun(uploading(() => Promise.reject(away)), file(), {})
    const failed = failureOf(run)
    await vi.runAllTimersAsync()
    assert.deepInclude(await failed, { code: "network" })
    assert.isAtLeast(Date.now() - start, 600_000)
    assert.isAtMost(Date.now() - start, 640_000)
    assert.strictEqual(run.state, "failed")
  })

  it("CLIENT-170 a server that is away for minutes behind its proxy is waited for, and a full disk is not", async () => {
    const gone = (status: number, code = "unexpected_answer") =>
      new DriveError({ code, error: "Away.", retryable: true }, status, status === 503 ? 3_600 : undefined)
    const start = Date.now()
    const { form } = uploading(async () => taken).target
    let attempts = 0
    const run = new UploadRun(
      uploading(async () => taken, {
        form: (...asked) =>
          Date.now() - start < 300_000 ? Promise.reject(gone([502, 503, 504][attempts++ % 3]!)) : form(...asked)
      }),
      file(),
      {}
    )
    await vi.advanceTimersByTimeAsync(60_000)
    assert.strictEqual(run.state, "offline")
    await vi.runAllTimersAsync()
    assert.strictEqual((await run).id, "a.bin")
    const full = new UploadRun(
      uploading(async () => taken, { form: () => Promise.reject(gone(503, "no_space")) }),
      file(),
      {}
    )
    const failed = failureOf(full)
    await vi.runAllTimersAsync()
    assert.deepInclude(await failed, { code: "no_space" })
  })

  it("CLIENT-27 a request that nothing moves in is ended after a minute, and sent again", async () => {
    let attempts = 0
    const run = new UploadRun(
      uploading(({ onSent, signal }) => {
        if (++attempts > 1) return Promise.resolve(taken)
        onSent(300)
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
      }),
      file(),
      {}
    )
    await vi.advanceTimersByTimeAsync(59_000)
    assert.strictEqual(attempts, 1)
    await vi.advanceTimersByTimeAsync(2_000)
    assert.strictEqual((await run).id, "a.bin")
    assert.strictEqual(attempts, 2)
  })
})

describe("a drive that has no room for another upload at once", () => {
  const full = new DriveError({ code: "too_many_forms", error: "Too many.", retryable: false }, 403)

  // Loaded when it is needed, in a time that is not the test's.
  beforeAll(() => import("./freed.ts"))

  /** Takes so many uploads at once; each takes `millis`. */
  const bounded = (most: number, millis: number) => {
    const calls = { forms: 0, open: 0 }
    const all = uploading(async ({ onSent, signal }) => {
      const start = Date.now()
      while (Date.now() - start < millis) {
        onSent(Date.now() - start)
        await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, millis)))
        signal.throwIfAborted()
      }
      return taken
    }, {
      form: async () => {
        calls.forms++
        if (calls.open >= most) throw full
        calls.open++
        return { uploadUrl: "http://storage.test/form", uploadForm: { key: "a" }, downloadUrl: null, fileName: "a.bin" }
      },
      insert: async ({ fileName }) => {
        calls.open--
        return { id: fileName }
      }
    })
    return { all, calls }
  }

  it("CLIENT-246 is asked again when one of the same client's has ended, however long that takes", async () => {
    const { all, calls } = bounded(1, 3_600_000)
    const states: Array<string> = []
    const runs = ["a", "b", "c"].map((name) =>
      new UploadRun(all, file(1, name), { onState: (state) => void states.push(`${name} ${state}`) })
    )
    await vi.advanceTimersByTimeAsync(3_500_000)
    assert.deepStrictEqual(runs.map(({ state }) => state), ["sending", "waiting", "waiting"])
    await vi.advanceTimersByTimeAsync(100_100)
    // Told at once; which of the others is next does not matter.
    assert.deepStrictEqual(runs.map(({ state }) => state).toSorted(), ["done", "sending", "waiting"])
    await vi.runAllTimersAsync()
    assert.deepStrictEqual((await Promise.all(runs)).map(({ id }) => id), ["a", "b", "c"])
    // Twice a minute to four times.
    assert.isAtMost(calls.forms, 3 + 3 * 60 * 4 + 3)
    assert.notInclude(states, "a waiting")
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("CLIENT-246 is asked as often as retries says while no other of the client's goes on", async () => {
    const { all, calls } = bounded(0, 1_000)
    const start = Date.now()
    const failed = failureOf(new UploadRun(all, file(1, "a"), {}))
    await vi.runAllTimersAsync()
    assert.deepInclude(await failed, { code: "too_many_forms" })
    assert.strictEqual(calls.forms, 6)
    assert.isAtLeast(Date.now() - start, 7_000)
    // The next ones are not waited for as long, one after the other.
    const next = failureOf(new UploadRun(all, file(1, "b"), {}))
    await vi.advanceTimersByTimeAsync(0)
    assert.deepInclude(await next, { code: "too_many_forms" })
    assert.strictEqual(calls.forms, 7)
  })

  it("CLIENT-246 one that is paused keeps no other waiting, and a waiting one is paused and cancelled", async () => {
    const { all, calls } = bounded(1, 10_000)
    const [first, second] = [new UploadRun(all, file(1, "a"), {}), new UploadRun(all, file(1, "b"), {})]
    await vi.advanceTimersByTimeAsync(1_000)
    first.pause()
    second.pause()
    await vi.advanceTimersByTimeAsync(3_600_000)
    const before = calls.forms
    assert.strictEqual(second.state, "paused")
    second.resume()
    const failed = failureOf(second)
    await vi.runAllTimersAsync()
    assert.deepInclude(await failed, { code: "too_many_forms" })
    assert.isAtMost(calls.forms - before, 7)
    const third = new UploadRun(all, file(1, "c"), {})
    await third.cancel()
    assert.strictEqual(third.state, "cancelled")
    first.resume()
    calls.open = 0
    await vi.runAllTimersAsync()
    assert.strictEqual((await first).id, "a")
  })
})

describe("progress", () => {
  it("CLIENT-20 tells bytes, speed and the time left, ten times a second at most", async () => {
    const told: Array<Progress> = []
    const size = 1_000_000
    const run = new UploadRun(
      uploading(async ({ onSent, pieces }) => {
        const [before] = pieces
        for (let sent = 0; sent <= size; sent += 10_000) {
          onSent((before as Uint8Array).byteLength + sent)
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        return taken
      }),
      file(size),
      { onProgress: (progress) => told.push(progress) }
    )
    await vi.runAllTimersAsync()
    await run
    assert.isAtMost(told.length, 55)
    const half = told.find(({ sentBytes }) => sentBytes >= size / 2)!
    assert.approximately(half.bytesPerSecond, 200_000, 10_000)
    assert.approximately(half.secondsLeft!, 2.5, 1)
    assert.deepStrictEqual(
      told.map(({ sentBytes }) => sentBytes),
      told.map(({ sentBytes }) => sentBytes).toSorted((a, b) => a - b)
    )
    assert.deepInclude(told.at(-1)!, { sentBytes: size, totalBytes: size, secondsLeft: 0 })
  })
})

describe("a cancelled upload", () => {
  it("CLIENT-25 takes back the file that came in although it was cancelled", async () => {
    const removed: Array<string> = []
    const inserting = Promise.withResolvers<{ id: string }>()
    const begun = Promise.withResolvers<void>()
    const run = new UploadRun(
      uploading(async () => taken, {
        insert: () => {
          begun.resolve()
          return inserting.promise
        },
        remove: async (id) => removed.push(id)
      }),
      file(),
      {}
    )
    await begun.promise
    const cancelled = run.cancel()
    inserting.resolve({ id: "7" })
    await cancelled
    assert.deepStrictEqual(removed, ["7"])
    assert.strictEqual(run.state, "cancelled")
    assert.deepInclude(await failureOf(run), { name: "AbortError" })
  })
})

describe("an upload that is cancelled while the drive begins it", () => {
  it("CLIENT-25 is given back as soon as the drive has begun it, in parts", async () => {
    const calls: Array<string> = []
    const opening = Promise.withResolvers<Awaited<ReturnType<Target["open"]>>>()
    const target: Partial<Target> = {
      open: (_, signal) => {
        // The drive does what it was asked for, whoever waits for the answer.
        signal.addEventListener("abort", () => opening.reject(signal.reason))
        return opening.promise
      },
      abort: async (token) => {
        calls.push(token)
        return { aborted: true }
      }
    }
    const run = new UploadRun(uploading(async () => taken, target), file(65 * 1024 ** 2), {})
    await vi.advanceTimersByTimeAsync(0)
    const cancelled = run.cancel()
    await vi.advanceTimersByTimeAsync(0)
    assert.deepStrictEqual(calls, [])
    opening.resolve({ token: "begun", partSize: 1, partCount: 1, parts: [], signedParts: [] } as never)
    await cancelled
    assert.deepStrictEqual([calls, run.state], [["begun"], "cancelled"])
  })

  it("CLIENT-25 is given back as soon as the drive has begun it, by a form", async () => {
    const calls: Array<string> = []
    const asked = Promise.withResolvers<void>()
    const target: Partial<Target> = {
      form: async (_, signal) => {
        signal.addEventListener("abort", () => asked.reject(signal.reason))
        await asked.promise
        calls.push("form")
        return { uploadUrl: "http://storage.test/form", uploadForm: { key: "a" }, downloadUrl: null, fileName: "a.bin" }
      },
      cancelForm: async () => void calls.push("cancelled")
    }
    const run = new UploadRun(uploading(async () => taken, target), file(), {})
    await vi.advanceTimersByTimeAsync(0)
    const cancelled = run.cancel()
    asked.resolve()
    await cancelled
    assert.deepStrictEqual([calls, run.state], [["form", "cancelled"], "cancelled"])
  })
})
