/** Uploads whose listeners throw, and that are refused again and again: with a moved clock. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { taken, uploading as takingAll } from "../../test/FakeTarget.ts"
import { DriveError } from "../DriveError.ts"
import type { Send } from "../Platform.ts"
import { QueueRun } from "./QueueRun.ts"
import type { Target } from "./Target.ts"
import type { Uploading } from "./Uploading.ts"
import { UploadRun } from "./UploadRun.ts"

/** What nobody catches, in place of the end of the process. */
let unheard: Array<unknown> = []
let listeners: ReadonlyArray<NodeJS.UnhandledRejectionListener> = []
beforeEach(() => {
  vi.useFakeTimers()
  unheard = []
  listeners = process.listeners("unhandledRejection")
  process.removeAllListeners("unhandledRejection")
  process.on("unhandledRejection", (error) => void unheard.push(error))
})
afterEach(() => {
  vi.useRealTimers()
  process.removeAllListeners("unhandledRejection")
  for (const listener of listeners) process.on("unhandledRejection", listener)
})

/** Node tells what nobody caught when all that could catch it has run. */
const { setImmediate: later } = globalThis
const told = () => new Promise<void>((resolve) => void later(resolve))

const parts = 8
const partSize = 16 * 1024 ** 2
const large = new Blob([new Uint8Array(parts * partSize)])
const signed = (numbers: ReadonlyArray<number>) =>
  numbers.map((partNumber) => ({ partNumber, url: `http://storage.test/${partNumber}` }))

/** Takes uploads in parts. */
const uploading = (send: Send, target: Partial<Target> = {}): Uploading =>
  takingAll(send, {
    open: async () => ({ partCount: parts, partSize, parts: [], signedParts: [], token: "t" }) as never,
    sign: async (_, numbers) => ({ parts: signed(numbers) }) as never,
    ...target
  })

const file = (name: string) => new File([name], name)
const failureOf = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(() => undefined, (error: unknown) => error as DriveError)

describe("listeners that throw", () => {
  const thrown = new Error("of the host")
  const fail = () => {
    throw thrown
  }

  it("CLIENT-202 change nothing of a queue, and what they throw is reported", async () => {
    const queue = new QueueRun(uploading(async () => taken), undefined, {
      onChange: fail,
      onFile: fail,
      onProgress: fail
    })
    queue.add([file("a"), file("b")])
    assert.deepInclude(await queue.done, { doneFiles: 2, failedFiles: 0 })
    queue.add(file("c"))
    assert.deepInclude(await queue.done, { doneFiles: 3, failedFiles: 0 })
    await told()
    assert.isAtLeast(unheard.length, 3)
    assert.isTrue(unheard.every((error) => error === thrown))
  })

  it("CLIENT-202 change nothing of an upload", async () => {
    const upload = new UploadRun(uploading(async () => taken), file("a"), { onState: fail, onProgress: fail })
    assert.strictEqual((await upload).id, "a")
    assert.strictEqual(upload.state, "done")
    await told()
    assert.isTrue(unheard.length > 0 && unheard.every((error) => error === thrown))
  })
})

describe("storage that refuses", () => {
  it("CLIENT-27 is asked again where that may help, and its words are told where it does not", async () => {
    let attempts = 0
    const answers = [{ status: 500 }, { status: 429, retryAfter: "50" }, { status: 403 }, { status: 204 }]
    const start = Date.now()
    const run = new UploadRun(uploading(async () => ({ ...taken, ...answers[attempts++]! })), file("a.bin"), {})
    await vi.runAllTimersAsync()
    assert.strictEqual((await run).id, "a.bin")
    assert.isAtLeast(Date.now() - start, 50_000)
    const refused = new UploadRun(
      uploading(async () => ({ ...taken, status: 400, text: "<Error><Message>Too much.</Message></Error>" })),
      file("a.bin"),
      {}
    )
    const failed = await failureOf(refused)
    assert.instanceOf(failed, DriveError)
    assert.deepInclude(failed, { code: "storage_refused", status: 400, message: "Storage answered 400: Too much." })
  })
})

describe("an upload", () => {
  it("CLIENT-203 that its listener pauses when it begins ends no process when its drive refuses it then", async () => {
    let refuse = () => {}
    const opened = new Promise<never>((_, reject) =>
      refuse = () => reject(new DriveError({ code: "no_space", error: "No.", retryable: false }, 507))
    )
    let calls = 0
    const upload: UploadRun = new UploadRun(
      uploading(async () => taken, {
        open: () => {
          calls++
          return opened
        }
      }),
      large,
      { fileName: "a.bin", onState: (state) => state === "sending" && upload.pause() }
    )
    await vi.waitUntil(() => calls > 0)
    refuse()
    await told()
    assert.deepStrictEqual(unheard, [])
    assert.strictEqual(upload.state, "paused")
    await upload.cancel()
  })

  it("CLIENT-204 of which the drive signs no part asks a few times, and fails", async () => {
    let calls = 0
    const failed = await failureOf(
      new UploadRun(
        uploading(async () => taken, {
          sign: async () => {
            if (++calls > 100) throw new Error("too often")
            return { parts: [] } as never
          }
        }),
        large,
        { fileName: "a.bin" }
      )
    )
    assert.deepInclude(failed, { code: "unexpected_answer", retryable: false })
    assert.isBelow(calls, 20)
  })

  it("CLIENT-205 whose parts storage takes and refuses is tried as often as it may be", async () => {
    const puts = new Map<string, number>()
    let count = 0
    const upload = new UploadRun(
      uploading(async ({ onSent, url }) => {
        puts.set(url, (puts.get(url) ?? 0) + 1)
        if (++count > 500) return { status: 400, text: "", retryAfter: null }
        // Four are under way, of which each takes another time: their sum goes up and down.
        const steps = 5 + count * 7_919 % 20
        for (let step = 1; step <= steps; step++) {
          await new Promise((resolve) => setTimeout(resolve, 500))
          onSent(partSize / steps * step)
        }
        return { status: 500, text: "", retryAfter: null }
      }),
      large,
      { fileName: "a.bin" }
    )
    const failed = failureOf(upload)
    await vi.runAllTimersAsync()
    assert.deepInclude(await failed, { code: "storage_refused", status: 500 })
    assert.isAtMost(Math.max(...puts.values()), 6)
    assert.strictEqual(puts.size, 4)
  })
})
