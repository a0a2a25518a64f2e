/** What an upload that is cancelled gives back, and what it leaves: against a drive of the test's own, with a moved clock. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { failureOf, file, taken, uploading } from "../../test/FakeTarget.ts"
import { DriveError, unreachable } from "../DriveError.ts"
import { Records } from "./Record.ts"
import type { Announced, Target } from "./Target.ts"
import type { UploadOptions } from "./Upload.ts"
import { UploadRun } from "./UploadRun.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const refusal = (code: string, status = 400, retryable = false) =>
  new DriveError({ code, error: "No.", retryable }, status)

const small = file()
const large = file(65 * 1024 ** 2, "large.bin")

/** A drive that keeps what it is given. Each call may be made to fail. */
class Kept {
  readonly files = new Map<string, string>()
  /** Keys of forms and of uploads in parts that hold bytes. */
  readonly held = new Set<string>()
  readonly stored = new Set<string>()
  readonly fail: { -readonly [Call in keyof Target]?: () => unknown } = {}
  #lastId = 0

  readonly target: Partial<Target> = {
    form: async (file) => {
      this.#begin("form", file)
      return {
        uploadUrl: `http://storage.test/${encodeURIComponent(file.key)}`,
        uploadForm: {},
        downloadUrl: null,
        fileName: "a.bin"
      }
    },
    open: async (file) => {
      this.#begin("open", file)
      const signedParts = [{ partNumber: 1, url: `http://storage.test/${encodeURIComponent(file.key)}` }]
      return { token: file.key, partSize: file.fileSize, partCount: 1, parts: [], signedParts } as never
    },
    cancelForm: async ({ key }) => {
      await this.fail.cancelForm?.()
      return { cancelled: this.held.delete(key) }
    },
    abort: async (key) => {
      await this.fail.abort?.()
      if (this.stored.has(key) || this.files.has(key)) return { aborted: false }
      this.held.delete(key)
      return { aborted: true }
    },
    complete: async (key) => {
      await this.fail.complete?.()
      this.stored.add(key)
    },
    insert: async ({ key }) => {
      const id = this.files.get(key) ?? (this.stored.has(key) ? `${++this.#lastId}` : undefined)
      if (id === undefined) throw refusal("object_not_found")
      this.files.set(key, id)
      this.held.delete(key)
      await this.fail.insert?.()
      return { id }
    },
    place: async () => {
      await this.fail.place?.()
    },
    remove: async (removed) => {
      for (const [key, id] of this.files) if (id === removed) this.files.delete(key)
    }
  }

  #begin(call: "form" | "open", { key }: Announced): void {
    this.fail[call]?.()
    if (this.files.has(key)) throw refusal("object_key_taken")
    this.held.add(key)
  }

  /** Uploads of one client. */
  uploads(records = new Records(new Map()), hasOwnKeys = false) {
    const shared = uploading(
      async ({ url }) => {
        this.stored.add(decodeURIComponent(new URL(url).pathname.slice(1)))
        return taken
      },
      this.target,
      { records, hasOwnKeys }
    )
    return (source: File, options: UploadOptions = {}) => new UploadRun(shared, source, options)
  }
}

/** Ends while the time passes as fast as it is waited. */
const settled = async (ending: Promise<unknown>): Promise<void> => {
  await vi.runAllTimersAsync()
  await ending
}

const never = () => new Promise<never>(() => {})

describe("an upload that failed, while another one of the same file goes on with it", () => {
  const refuseOnce = (drive: Kept, call: keyof Target) => {
    drive.fail[call] = () => {
      delete drive.fail[call]
      throw refusal("not_now")
    }
  }

  it.each(
    [
      ["in parts", large, "complete", {}, false],
      ["by a form", small, "place", {}, false],
      ["in parts by a key", large, "complete", { key: "mine" }, false],
      ["by a form to a delivery", small, "place", {}, true]
    ] as const
  )("CLIENT-207 takes nothing of its file when it is cancelled, %s", async (_, source, call, options, isDelivery) => {
    const drive = new Kept()
    const upload = drive.uploads(isDelivery ? new Records(undefined) : undefined, isDelivery)
    refuseOnce(drive, call)
    const first = upload(source, options)
    assert.deepInclude(await failureOf(first), { code: "not_now" })
    const { id } = await upload(source, options)
    await first.cancel()
    assert.strictEqual(first.state, "cancelled")
    assert.deepStrictEqual([...drive.files.values()], [id])
  })

  it("CLIENT-207 does not end what that one is sending when it is cancelled", async () => {
    const drive = new Kept()
    const upload = drive.uploads()
    refuseOnce(drive, "complete")
    const first = upload(large)
    await failureOf(first)
    let isSent = false
    drive.fail.complete = () => {
      isSent = true
      return never()
    }
    const second = upload(large)
    await vi.waitUntil(() => isSent)
    await first.cancel()
    assert.strictEqual(drive.held.size, 1)
    void second.cancel()
  })

  it("CLIENT-207 is another upload when it is tried again", async () => {
    const drive = new Kept()
    const upload = drive.uploads()
    refuseOnce(drive, "place")
    const first = upload(small)
    await failureOf(first)
    const { id } = await upload(small)
    drive.fail.place = () => {
      throw refusal("not_now")
    }
    first.retry()
    await failureOf(first)
    await first.cancel()
    assert.deepStrictEqual([...drive.files.values()], [id])
  })

  it("CLIENT-207 of another page with the same store keeps its file", async () => {
    const drive = new Kept()
    const store = new Map<string, string>()
    refuseOnce(drive, "place")
    const first = drive.uploads(new Records(store))(small)
    await failureOf(first)
    await vi.advanceTimersByTimeAsync(1)
    const { id } = await drive.uploads(new Records(store))(small)
    await first.cancel()
    assert.deepStrictEqual([...drive.files.values()], [id])
  })

  it("CLIENT-207 a file that was there before stays when it is given again and cancelled", async () => {
    const drive = new Kept()
    const upload = drive.uploads(new Records(undefined), true)
    const { id } = await upload(small)
    const placing = Promise.withResolvers<void>()
    let isPlacing = false
    drive.fail.place = () => {
      isPlacing = true
      return placing.promise
    }
    const again = upload(small)
    await vi.waitUntil(() => isPlacing)
    const cancelled = again.cancel()
    placing.resolve()
    await cancelled
    assert.strictEqual(again.state, "cancelled")
    assert.deepStrictEqual([...drive.files.values()], [id])
  })
})

describe("a cancelled upload", () => {
  const away = (status = 503) => () => {
    throw refusal("unexpected_answer", status, true)
  }

  /** An upload that has sent its bytes, to a drive that then is away. */
  const sentTo = async (drive: Kept) => {
    let isAsked = false
    Object.assign(drive.target, {
      insert: () => {
        isAsked = true
        away()()
      }
    })
    const run = drive.uploads()(small)
    await vi.waitUntil(() => isAsked)
    // Alone it would be waited for: an upload is a promise.
    return { run }
  }

  it("CLIENT-25 gives back what an earlier attempt has begun, where the last one could not begin", async () => {
    const drive = new Kept()
    const upload = drive.uploads()
    drive.fail.complete = () => {
      throw refusal("not_now")
    }
    const run = upload(large)
    await failureOf(run)
    assert.strictEqual(drive.held.size, 1)
    let asked = 0
    drive.fail.open = () => {
      asked++
      away()()
    }
    run.retry()
    await vi.waitUntil(() => asked > 0)
    const cancelled = run.cancel()
    // It is away a little longer.
    await vi.waitUntil(() => asked > 1)
    delete drive.fail.open
    await vi.runAllTimersAsync()
    await cancelled
    assert.deepStrictEqual([drive.held.size, run.state], [0, "cancelled"])
  })

  it("CLIENT-25 takes back a file that the drive has made, and whose answer was lost", async () => {
    for (const source of [small, large]) {
      const drive = new Kept()
      let asked = 0
      drive.fail.insert = () => {
        if (asked++ < 1) throw unreachable("http://drive.test")
      }
      const run = drive.uploads()(source)
      await vi.waitUntil(() => asked > 0)
      assert.strictEqual(drive.files.size, 1)
      const cancelled = run.cancel()
      await vi.runAllTimersAsync()
      await cancelled
      assert.deepStrictEqual([drive.files.size, drive.held.size, run.state], [0, 0, "cancelled"])
    }
  })

  it("CLIENT-243 gives its bytes back after a minute without a server", async () => {
    const drive = new Kept()
    const back = Date.now() + 60_000
    drive.fail.cancelForm = () => {
      if (Date.now() < back) away()()
    }
    const { run } = await sentTo(drive)
    assert.strictEqual(drive.held.size, 1)
    const cancelled = run.cancel()
    await vi.runAllTimersAsync()
    await cancelled
    assert.strictEqual(drive.held.size, 0)
  })

  it("CLIENT-243 whose bytes could not be given back keeps its record, by which the next one gives them back", async () => {
    const drive = new Kept()
    const upload = drive.uploads()
    drive.fail.complete = () => {
      throw refusal("not_now")
    }
    drive.fail.abort = away()
    const run = upload(large)
    await settled(failureOf(run))
    await settled(run.cancel())
    assert.deepStrictEqual([run.state, drive.held.size], ["cancelled", 1])
    delete drive.fail.abort
    const next = upload(large)
    await settled(failureOf(next))
    await settled(next.cancel())
    assert.deepStrictEqual([next.state, drive.held.size], ["cancelled", 0])
  })

  it("CLIENT-25 that can't give back its bytes ends", async () => {
    const drive = new Kept()
    drive.fail.cancelForm = away()
    const { run } = await sentTo(drive)
    const cancelled = run.cancel()
    await vi.runAllTimersAsync()
    await cancelled
    assert.strictEqual(run.state, "cancelled")
  })
})

describe("the signal of an upload", () => {
  it("CLIENT-208 gives the bytes back of one that has failed, and is not listened to when that is done", async () => {
    const drive = new Kept()
    drive.fail.complete = () => {
      throw refusal("not_now")
    }
    const ending = new AbortController()
    const { signal } = ending
    const [add, remove] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")]
    const run = drive.uploads()(large, { signal })
    await failureOf(run)
    run.retry()
    await failureOf(run)
    assert.strictEqual(drive.held.size, 1)
    ending.abort()
    await vi.waitUntil(() => run.state === "cancelled")
    assert.strictEqual(drive.held.size, 0)
    assert.isAtLeast(add.mock.calls.length, 1)
    assert.strictEqual(new Set(add.mock.calls.map(([, listener]) => listener)).size, 1)
    assert.isAtLeast(remove.mock.calls.length, 1)
  })
})
