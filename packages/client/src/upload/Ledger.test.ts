/** What a queue with a name has sent, while its drive is away, and lists that a queue gives up. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { failureOf, taken, uploading } from "../../test/FakeTarget.ts"
import { DriveError, unreachable } from "../DriveError.ts"
import type { Store } from "../Options.ts"
import type { QueueOptions } from "./Queue.ts"
import { QueueRun } from "./QueueRun.ts"
import type { Target } from "./Target.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const file = (name = "a.txt") => new File(["a"], name, { lastModified: 1 })

/** A queue, and the names of the files that it has sent. */
const queueOf = (store: Store, name: Target["name"], options: QueueOptions = {}) => {
  const sent: Array<string> = []
  const queue = new QueueRun(
    uploading(async () => taken, {
      name,
      insert: async ({ fileName }) => {
        sent.push(fileName)
        return { id: `${fileName} of ${await name(new AbortController().signal)}` }
      }
    }),
    store,
    { name: "all", ...options }
  )
  return { queue, sent }
}

const sentBefore = async () => {
  const store = new Map<string, string>()
  const { queue } = queueOf(store, async () => "Ada")
  queue.add(file())
  assert.strictEqual((await queue.done).doneFiles, 1)
  return store
}

describe("what a queue has sent", () => {
  it("CLIENT-194 is asked for again until it is known whose it is", async () => {
    const store = await sentBefore()
    const start = Date.now()
    const { queue, sent } = queueOf(store, async () => {
      if (Date.now() - start < 500_000) throw unreachable("http://drive.test")
      return "Ada"
    })
    queue.add(file())
    await vi.runAllTimersAsync()
    const { doneFiles } = await queue.done
    assert.deepStrictEqual([doneFiles, sent], [1, []])
    const other = queueOf(store, async () => "Grace")
    other.queue.add(file())
    await other.queue.done
    assert.deepStrictEqual(other.sent, ["a.txt"])
  })

  it.each(
    [
      ["somebody is signed out", new DriveError({ code: "no_session", error: "No.", retryable: false }, 401)],
      ["the drive is away for long", unreachable("http://drive.test")]
    ] as const
  )("CLIENT-194 is not sent again by a retry after a time in which %s", async (_, refused) => {
    const store = await sentBefore()
    let isAway = true
    const { queue, sent } = queueOf(store, async () => {
      if (isAway) throw refused
      return "Ada"
    })
    queue.add(file())
    await vi.runAllTimersAsync()
    const { failures } = await queue.done
    assert.strictEqual(failures[0]!.error, refused)
    isAway = false
    failures[0]!.upload!.retry()
    const { doneFiles, failedFiles } = await queue.done
    assert.deepStrictEqual([doneFiles, failedFiles, sent], [1, 0, []])
  })

  it("CLIENT-209 is cancelled while it is looked up, with the queue and by itself", async () => {
    let isAsked = false
    let know = () => {}
    const known = new Promise<string>((resolve) => know = () => resolve("Ada"))
    const { queue, sent } = queueOf(new Map(), () => {
      isAsked = true
      return known
    })
    queue.add(file("first.txt"))
    const first = failureOf(queue.done)
    await vi.waitUntil(() => isAsked)
    await queue.cancel()
    assert.deepInclude(await first, { name: "AbortError" })
    isAsked = false
    queue.add([file("second.txt"), file("third.txt")])
    await vi.waitUntil(() => isAsked)
    await queue.files.find(({ name }) => name === "second.txt")!.upload!.cancel()
    know()
    assert.strictEqual((await queue.done).doneFiles, 1)
    assert.deepStrictEqual(sent, ["third.txt"])
  })
})

/** Files of some number, each of which is another one. */
const files = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => file(`${from + at}.txt`))

describe("what is noted of a queue", () => {
  it.each(["a read that fails", "a read that never ends"])("CLIENT-234 stays through %s", async (how) => {
    const kept = new Map<string, string>()
    let isBroken = false
    const store = {
      get: async (key: string) => {
        if (!isBroken) return kept.get(key)
        if (how === "a read that never ends") return new Promise<undefined>(() => {})
        throw new Error("It can't be read.")
      },
      set: async (key: string, value: string) => kept.set(key, value),
      delete: async (key: string) => kept.delete(key)
    }
    const send = async (given: ReadonlyArray<File>) => {
      const { queue, sent } = queueOf(store, async () => "Ada")
      queue.add(given)
      await vi.runAllTimersAsync()
      assert.strictEqual((await queue.done).doneFiles, given.length)
      return sent.length
    }
    assert.strictEqual(await send(files(0, 500)), 500)
    const before = new Map(kept)
    isBroken = true
    assert.strictEqual(await send(files(500, 650)), 150)
    assert.deepStrictEqual(kept, before)
    isBroken = false
    // Those that were sent without being noted, and no others.
    assert.strictEqual(await send(files(0, 650)), 150)
  })

  it("CLIENT-235 by one queue stays when another one of the name notes more, one after the other and at once", async () => {
    const kept = new Map<string, string>()
    const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 1))
    const store = {
      get: async (key: string) => {
        await turn()
        return kept.get(key)
      },
      set: async (key: string, value: string) => {
        await turn()
        kept.set(key, value)
      },
      delete: async (key: string) => kept.delete(key)
    }
    const make = () => queueOf(store, async () => "Ada").queue
    const add = (queue: QueueRun, from: number, to: number) => {
      queue.add(files(from, to))
      return queue.done
    }
    const [one, other] = [make(), make()]
    const sending = async () => {
      await add(one, 0, 200)
      await add(other, 200, 400)
      await add(one, 400, 600)
      await Promise.all([add(one, 600, 800), add(other, 800, 1_000)])
    }
    const all = sending()
    await vi.runAllTimersAsync()
    await all
    const { queue, sent } = queueOf(store, async () => "Ada")
    const done = add(queue, 0, 1_000)
    await vi.runAllTimersAsync()
    assert.deepStrictEqual([(await done).doneFiles, sent], [1_000, []])
    await queue.forget()
    assert.strictEqual(kept.size, 0)
  })
})

describe("a queue that is cancelled", () => {
  it("CLIENT-210 is not held up by a list that waits for its next file, and counts what it is given next alone", async () => {
    const { queue } = queueOf(new Map(), async () => "Ada")
    const waiting = Promise.withResolvers<void>()
    queue.add(async function*() {
      for (let at = 0; at < 100; at++) yield file(`${at}`)
      await waiting.promise
      yield file("late")
    }())
    queue.pause()
    await vi.advanceTimersByTimeAsync(10)
    assert.strictEqual(queue.progress.totalFiles, 100)
    const first = failureOf(queue.done)
    await queue.cancel()
    await first
    assert.strictEqual(queue.progress.totalFiles, queue.progress.doneFiles)
    queue.resume()
    queue.add(file("next"))
    const before = queue.progress.doneFiles
    assert.strictEqual((await queue.done).doneFiles, before + 1)
    waiting.resolve()
    await vi.advanceTimersByTimeAsync(10)
    assert.deepInclude(queue.progress, { totalFiles: before + 1, isComplete: true })
  })

  it("CLIENT-211 gives the bytes back of files that have failed", async () => {
    const cancelled: Array<string> = []
    const queue = new QueueRun(
      uploading(async () => taken, {
        cancelForm: async ({ fileName }) => {
          cancelled.push(fileName)
          return { cancelled: true }
        },
        insert: () => Promise.reject(new DriveError({ code: "no_plan", error: "No.", retryable: false }, 403))
      }),
      undefined,
      {}
    )
    queue.add(file())
    const { failures } = await queue.done
    await queue.cancel()
    assert.deepStrictEqual([cancelled, failures[0]!.upload!.state], [["a.txt"], "cancelled"])
    assert.deepStrictEqual(queue.files, [])
  })
})

describe("a list that can't be read", () => {
  it("CLIENT-151 has any number of failures", async () => {
    const queue = new QueueRun(uploading(async () => taken), undefined, {})
    queue.pause()
    queue.add(Array.from({ length: 15_000 }, () => 1 as never))
    await vi.advanceTimersByTimeAsync(10)
    queue.resume()
    assert.strictEqual((await queue.done).failedFiles, 15_000)
  })
})
