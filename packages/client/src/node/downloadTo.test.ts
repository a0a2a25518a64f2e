/** Downloads to a path from storage that answers in unusual ways. */
import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { fakeStorage } from "../../test/fakeStorage.ts"
import { content } from "../../test/servedDrive.ts"
import { createClient } from "../createClient.ts"
import { DriveError } from "../DriveError.ts"

const mebibyte = 1024 ** 2

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "filedrive-client-"))
})
afterAll(() => rm(directory, { recursive: true, force: true }))
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error as DriveError)

describe("a download to a path", () => {
  it.each([0, -1, Number.NaN])(
    "CLIENT-190 of %s ranges at once is refused, naming it, and leaves nothing",
    async (parallel) => {
      const path = join(directory, `parallel ${parallel}`)
      const failed = await failureOf(fakeStorage({ one: content(20 * mebibyte) }).downloadTo("one", path, { parallel }))
      assert.instanceOf(failed, DriveError)
      assert.deepInclude(failed, { code: "invalid_option", field: "parallel" })
      assert.isUndefined(await stat(path).catch(() => undefined))
    }
  )

  it.each([
    [-1, 0],
    [1.5, 0],
    [1e300, 0],
    ["7", 0],
    // Half a billion ranges are not listed before the first one fails.
    [2 ** 53 - 1, 410]
  ])("CLIENT-222 of the size %s fails", async (fileSize, status) => {
    const client = createClient({
      url: "https://drive.example",
      session: async () => "one",
      retries: 0,
      fetch: async (url) =>
        url.startsWith("https://storage.example/")
          ? new Response(null, { status: 410 })
          : Response.json({ downloadUrl: "https://storage.example/a", fileSize })
    })
    assert.deepInclude(await failureOf(client.downloadTo("one", join(directory, `size ${fileSize}`))), {
      code: "unexpected_answer",
      status
    })
  })

  it("CLIENT-214 opens nothing when there is no link to it", async () => {
    const path = join(directory, "no link")
    let asked = 0
    const client = createClient({
      url: "https://drive.example",
      session: async () => "one",
      retries: 0,
      fetch: async () =>
        ++asked === 1
          ? Response.json({ downloadUrl: "https://storage.example/1", fileSize: 5 })
          : Response.json({ error: "No.", code: "not_found", retryable: false }, { status: 404 })
    })
    assert.deepInclude(await failureOf(client.downloadTo("1", path)), { code: "not_found" })
    assert.strictEqual(asked, 2)
    assert.isUndefined(await stat(`${path}.part`).catch(() => undefined))
  })

  it("CLIENT-214 leaves no answer unread that is of another file", async () => {
    let isCancelled = false
    let nth = 0
    const client = createClient({
      url: "https://drive.example",
      session: async () => "one",
      fetch: async (url) => {
        const size = 20 * mebibyte
        if (!url.startsWith("https://storage.example/")) {
          return Response.json({ downloadUrl: "https://storage.example/1", fileSize: size })
        }
        if (++nth === 1) {
          const headers = { etag: "one", "content-range": `bytes 0-${16 * mebibyte - 1}/${size}` }
          return new Response(content(16 * mebibyte), { status: 206, headers })
        }
        const unread = new ReadableStream({ cancel: () => void (isCancelled = true) })
        const headers = { etag: "two", "content-range": `bytes ${16 * mebibyte}-${size - 1}/${size}` }
        return new Response(unread, { status: 206, headers })
      }
    })
    assert.deepInclude(await failureOf(client.downloadTo("1", join(directory, "other"))), { code: "source_changed" })
    assert.isTrue(isCancelled)
  })

  it("CLIENT-191 is not overwritten by a range that is longer than what was asked for", async () => {
    const path = join(directory, "longer")
    const bytes = content(40 * mebibyte)
    // Ranges of 16 MiB: the last one is there already when the second one sends too much, and is asked for again.
    const client = fakeStorage({ one: bytes }, (nth) => nth === 2 ? 20 * mebibyte : 0)
    await client.downloadTo("one", path, { parallel: 2 })
    assert.isTrue(Buffer.from(bytes).equals(await readFile(path)))
  })

  it("CLIENT-192 is of the file that is asked for, also when all of another one of its size is there already", async () => {
    const path = join(directory, "taken")
    const [one, two] = [content(5_000, 1), content(5_000, 2)]
    // It can't take the place of a directory, which is made when all of it is there.
    const client = fakeStorage({ one, two }, (nth) => {
      if (nth === 1) mkdirSync(path)
      return 0
    })
    assert.isDefined(await failureOf(client.downloadTo("one", path)))
    await rm(path, { recursive: true })
    const failed = await failureOf(client.downloadTo("two", path))
    if (failed !== undefined) {
      assert.deepInclude(failed, { code: "source_changed", retryable: true })
      await client.downloadTo("two", path)
    }
    assert.isTrue(Buffer.from(two).equals(await readFile(path)))
  })
  /** Runs a download, gathering what is reported as what nobody catches. */
  const unheardOf = async (run: () => Promise<void>): Promise<ReadonlyArray<unknown>> => {
    const unheard: Array<unknown> = []
    const listeners = process.listeners("unhandledRejection")
    process.removeAllListeners("unhandledRejection")
    process.on("unhandledRejection", (error) => void unheard.push(error))
    try {
      await run()
      await new Promise((resolve) => setImmediate(resolve))
      return unheard
    } finally {
      process.removeAllListeners("unhandledRejection")
      for (const listener of listeners) process.on("unhandledRejection", listener)
    }
  }

  const gone = (path: string) => stat(path).then(() => false, () => true)

  it.each([undefined, "bytes 1-5/6", "bytes */5", "other 0-4/5"])(
    "CLIENT-226 asks again where the answer's Content-Range is %j",
    async (range) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
      let isCancelled = false
      const path = join(directory, `range ${range?.replace("/", " ")}`)
      const bytes = content(5)
      const client = fakeStorage({ one: bytes }, () => 0, (nth) => {
        if (nth > 1) return undefined
        // The ETag is of another file's answer, and not taken.
        const others = { etag: "\"wrong\"" }
        const unread = new ReadableStream({
          start: (controller) => controller.enqueue(new Uint8Array(5)),
          cancel: () => {
            isCancelled = true
            setImmediate(() => vi.advanceTimersByTime(1_000))
          }
        })
        return new Response(unread, {
          status: 206,
          headers: range === undefined ? others : { ...others, "content-range": range }
        })
      })
      await client.downloadTo("one", path)
      assert.isTrue(isCancelled)
      assert.isTrue(Buffer.from(bytes).equals(await readFile(path)))
    }
  )

  it("CLIENT-227 asks again after a minute, however long it is asked to wait", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const path = join(directory, "later")
    const bytes = content(5)
    let asked = 0
    const client = fakeStorage({ one: bytes }, (nth) => asked = nth, (nth) => {
      if (nth > 1) return new Response(bytes, { status: 206, headers: { etag: "1", "content-range": "bytes 0-4/5" } })
      setImmediate(() => {
        vi.advanceTimersByTime(59_000)
        setImmediate(() => {
          assert.strictEqual(asked, 1)
          vi.advanceTimersByTime(1_300)
        })
      })
      return new Response(null, { status: 503, headers: { "retry-after": "999999" } })
    })
    await client.downloadTo("one", path)
    assert.strictEqual(asked, 2)
    assert.isTrue(Buffer.from(bytes).equals(await readFile(path)))
  })

  it("CLIENT-228 goes on when its listener throws, which is reported", async () => {
    const path = join(directory, "listener")
    const bytes = content(20 * mebibyte)
    const thrown = new Error("not to be heard")
    let asked = 0
    const client = fakeStorage({ one: bytes }, (nth) => {
      asked = nth
      return 0
    })
    const unheard = await unheardOf(() =>
      client.downloadTo("one", path, {
        onProgress: () => {
          throw thrown
        }
      })
    )
    assert.isAbove(unheard.length, 1)
    assert.isTrue(unheard.every((error) => error === thrown))
    assert.strictEqual(asked, 2)
    assert.isTrue(Buffer.from(bytes).equals(await readFile(path)))
  })

  it.each([
    ["a directory", "taken place", "must not be a directory"],
    ["below a file", "taken file/below/it", "must not be below a file"],
    ["a NUL", "taken\0", "must be a path or a file: URL (It contains a NUL character.)"]
  ])("CLIENT-230 to %s is refused before anything is fetched", async (_, name, must) => {
    await mkdir(join(directory, "taken place"), { recursive: true })
    await writeFile(join(directory, "taken file"), "there")
    let asked = 0
    const client = fakeStorage({ one: content(5) }, (nth) => asked = nth)
    const failed = await failureOf(client.downloadTo("one", `${directory}/${name}`))
    assert.instanceOf(failed, DriveError)
    assert.deepInclude(failed, { code: "invalid_option", field: "path", message: `path ${must}.`, retryable: false })
    assert.strictEqual(asked, 0)
    assert.isTrue(await gone(join(directory, "taken place.part")))
    assert.strictEqual(await readFile(join(directory, "taken file"), "utf8"), "there")
  })

  it.skipIf(process.platform === "win32")("CLIENT-230 to a pipe is refused, and leaves it", async () => {
    const path = join(directory, "pipe")
    execFileSync("mkfifo", [path])
    const failed = await failureOf(fakeStorage({ one: content(5) }).downloadTo("one", path))
    assert.deepInclude(failed, {
      code: "invalid_option",
      field: "path",
      message: "path must not be a pipe or a device."
    })
    assert.isTrue((await stat(path)).isFIFO())
  })
})
