/** A queue against a target of the test's own, with a moved clock. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { failureOf, file, taken, uploading } from "../../test/FakeTarget.ts"
import { DriveError } from "../DriveError.ts"
import type { Send, Source } from "../Platform.ts"
import { platform } from "../web/platform.ts"
import type { QueueFile } from "./Queue.ts"
import { QueueRun } from "./QueueRun.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const refused = () => Promise.reject(new DriveError({ code: "no_plan", error: "No.", retryable: false }, 403))

/** Not the clock of the tests. */
const { setImmediate: later } = globalThis

describe("a queue", () => {
  it("CLIENT-34 of 10,000 files sends a few at once, in one sum; CLIENT-23 one that fails stops no other", async () => {
    let current = 0
    let most = 0
    let mostFiles = 0
    const results: Array<string> = []
    const queue = new QueueRun(
      uploading(async () => {
        most = Math.max(most, ++current)
        await new Promise((resolve) => setTimeout(resolve, 1))
        current--
        return taken
      }, {
        insert: async ({ fileName }) => {
          if (fileName === "13.bin") throw new DriveError({ code: "no_plan", error: "No.", retryable: false }, 403)
          return { id: fileName }
        }
      }),
      undefined,
      {
        files: 6,
        onFile: ({ error, name }) => error === undefined ? results.push(name) : undefined,
        onChange: () => mostFiles = Math.max(mostFiles, queue.files.length)
      }
    )
    queue.add(function*() {
      for (let at = 0; at < 10_000; at++) yield file(10, `${at}.bin`)
    }())
    await vi.advanceTimersByTimeAsync(5_000)
    const { doneFiles, failedFiles, failures, sentBytes } = await queue.done
    assert.deepStrictEqual([doneFiles, failedFiles, sentBytes], [9_999, 1, 99_990])
    assert.strictEqual(failures[0]!.name, "13.bin")
    assert.strictEqual(most, 6)
    // Those that are sent, those beside them, and the one that failed.
    assert.isAtMost(mostFiles, 39)
    assert.lengthOf(results, 9_999)
    assert.deepInclude(queue.progress, {
      doneFiles: 9_999,
      failedFiles: 1,
      totalFiles: 10_000,
      isComplete: true,
      sentBytes: 99_990,
      totalBytes: 99_990
    })
    // More of them is another promise.
    queue.add([file(10, "more.bin")])
    await vi.runAllTimersAsync()
    assert.strictEqual((await queue.done).doneFiles, 10_000)
  })

  it("CLIENT-34 of more files than memory should hold reads them as they are sent", async () => {
    let read = 0
    const never: Send = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
    const queue = new QueueRun(uploading(never), undefined, {})
    queue.add(async function*() {
      for (; read < 1_000_000; read++) yield { source: new Uint8Array(1), fileName: `${read}` }
    }())
    await vi.advanceTimersByTimeAsync(1_000)
    // Those ahead, those that are sent, and those beside them.
    assert.isAtMost(read, 20_037)
    const done = failureOf(queue.done)
    await queue.cancel()
    assert.deepInclude(await done, { name: "AbortError" })
  })
})

describe("a queue of which more than a thousand files fail", () => {
  const failing = async (store?: Map<string, string>) => {
    const givenBack = new Set<string>()
    const told: Array<QueueFile> = []
    const queue = new QueueRun(
      uploading(async () => taken, {
        insert: refused,
        cancelForm: async ({ fileName }) => {
          givenBack.add(fileName)
          return { cancelled: true }
        }
      }),
      store,
      { onFile: (file) => told.push(file) }
    )
    queue.add(Array.from({ length: 1_100 }, (_, at) => file(10, `${at}.bin`)))
    const summary = await queue.done
    assert.deepInclude(summary, { doneFiles: 0, failedFiles: 1_100 })
    assert.lengthOf(summary.failures, 1_000)
    assert.lengthOf(told, 1_100)
    assert.isTrue(told.every(({ error }) => error instanceof DriveError))
    assert.deepInclude(queue.progress, { failedFiles: 1_100, totalFiles: 1_100, totalBytes: 0 })
    return { givenBack, queue, told, listed: new Set(summary.failures) }
  }

  it("CLIENT-236 gives the bytes of the others back at once, and of all when it is cancelled", async () => {
    const { givenBack, listed, queue, told } = await failing()
    const others = told.filter((file) => !listed.has(file))
    assert.sameMembers([...givenBack], others.map(({ name }) => name))
    assert.isTrue(others.every(({ upload }) => upload === undefined))
    await queue.cancel()
    assert.strictEqual(givenBack.size, 1_100)
  })

  it("CLIENT-236 with a store leaves the others, to go on when they are added again", async () => {
    const { givenBack, queue, told } = await failing(new Map())
    assert.strictEqual(givenBack.size, 0)
    assert.isTrue(told.every(({ upload }) => upload?.state === "failed"))
    await queue.cancel()
    assert.strictEqual(givenBack.size, 1_000)
  })
})

describe("the sum of a queue", () => {
  it.each([Infinity, Number.NaN, -1, 0.5, "12", 12n, Number.MAX_VALUE])(
    "CLIENT-237 counts nothing of a size that is none: %s",
    async (size) => {
      const queue = new QueueRun(uploading(async () => taken), undefined, {})
      queue.add([{ stream: new Blob([]).stream(), size: size as number, name: "a" }, file(10)])
      assert.deepInclude(await queue.done, { doneFiles: 1, failedFiles: 1 })
      assert.deepInclude(queue.progress, { totalBytes: 10, sentBytes: 10, secondsLeft: 0 })
    }
  )
})

describe("files that are retried together", () => {
  /** 300 paths that have failed, and how many of them are open. */
  const failed = async () => {
    const state = { open: 0, most: 0, isRefused: true }
    const openPath = async (path: string | URL): Promise<Source> => {
      state.most = Math.max(state.most, ++state.open)
      return {
        name: `${path}`,
        size: 1,
        type: "",
        print: async () => undefined,
        slice: () => new Uint8Array(1),
        close: async () => void state.open--
      }
    }
    const queue = new QueueRun(
      uploading(
        async () => {
          await new Promise((resolve) => setTimeout(resolve, 1))
          return taken
        },
        { insert: ({ fileName }) => state.isRefused ? refused() : Promise.resolve({ id: fileName }) },
        { platform: { ...platform, openPath } }
      ),
      undefined,
      {}
    )
    queue.add(Array.from({ length: 300 }, (_, at) => `${at}.bin`))
    await vi.runAllTimersAsync()
    const { failures } = await queue.done
    assert.lengthOf(failures, 300)
    Object.assign(state, { most: 0, isRefused: false })
    return { failures, queue, state }
  }

  it("CLIENT-238 are opened as few at once as files that are added, and before those", async () => {
    const { failures, queue, state } = await failed()
    for (const { upload } of failures) upload!.retry()
    queue.add(Array.from({ length: 100 }, (_, at) => `more ${at}.bin`))
    const next = queue.files.find(({ upload }) => upload?.state === "waiting")
    assert.isDefined(next)
    await vi.runAllTimersAsync()
    assert.deepInclude(await queue.done, { doneFiles: 400, failedFiles: 0, failures: [] })
    assert.deepStrictEqual([state.open, state.most], [0, 36])
  })

  it("CLIENT-238 are paused, resumed and cancelled while they wait, each and all", async () => {
    const { failures, queue, state } = await failed()
    queue.pause()
    for (const { upload } of failures.slice(0, 200)) upload!.retry()
    queue.resume()
    for (const { upload } of failures.slice(200)) upload!.retry()
    queue.pause()
    failures[100]!.upload!.resume()
    await vi.runAllTimersAsync()
    assert.deepStrictEqual([queue.progress.doneFiles, state.open], [0, 0])
    queue.resume()
    failures[298]!.upload!.pause()
    await failures[299]!.upload!.cancel()
    assert.strictEqual(failures[299]!.upload!.state, "cancelled")
    await vi.runAllTimersAsync()
    assert.deepStrictEqual(queue.files, [failures[298]!])
    failures[298]!.upload!.resume()
    await vi.runAllTimersAsync()
    assert.deepInclude(await queue.done, { doneFiles: 299, failedFiles: 0 })
    assert.deepStrictEqual([state.open, state.most], [0, 36])
  })

  it("CLIENT-238 are cancelled with their queue while they wait", async () => {
    const { failures, queue, state } = await failed()
    for (const { upload } of failures) upload!.retry()
    const done = failureOf(queue.done)
    const ended = queue.cancel()
    await vi.runAllTimersAsync()
    await ended
    assert.deepInclude(await done, { name: "AbortError" })
    assert.deepStrictEqual([queue.files.length, state.open], [0, 0])
  })
})

describe("a list without an end of what is no file", () => {
  it("CLIENT-240 lets everything else run, and is given up with its queue", async () => {
    let read = 0
    const queue = new QueueRun(uploading(async () => taken), undefined, {})
    queue.add(function*() {
      for (; read < 1_000_000; read++) yield read as never
    }())
    await new Promise<void>((resolve) => later(resolve))
    assert.isAtMost(read, 2_000)
    await vi.advanceTimersByTimeAsync(0)
    const done = failureOf(queue.done)
    await queue.cancel()
    assert.deepInclude(await done, { name: "AbortError" })
    await vi.runAllTimersAsync()
    assert.isAtMost(read, 10_000)
  })
})
