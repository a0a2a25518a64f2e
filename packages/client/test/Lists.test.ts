/** A queue of small files: what it asks of the drive, and what becomes of files that the drive refuses. */
import { createClient, DriveError, type QueueResult } from "@filedrive/client"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { content, type ServedDrive, servedDrive } from "./servedDrive.ts"

let served: ServedDrive
beforeAll(async () => {
  served = await servedDrive({ rateLimits: false })
})
afterAll(() => served.close())

/** A client that counts its requests by the last part of their paths, and those to storage that are under way. */
const counted = async (account = {}, refuse: (name: string) => Response | undefined = () => undefined) => {
  const { apiToken } = await served.user(account)
  const counts = new Map<string, number>()
  const storage = { now: 0, most: 0 }
  const client = createClient({
    url: served.url,
    apiToken,
    fetch: async (url, init) => {
      const { pathname } = new URL(url)
      const name = pathname.startsWith("/storage") ? "storage" : pathname.split("/").at(-1)!
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (name !== "storage") return refuse(name) ?? fetch(url, init)
      storage.most = Math.max(storage.most, ++storage.now)
      return fetch(url, init).finally(() => storage.now--)
    }
  })
  const count = (name: string) => counts.get(name) ?? 0
  return { client, count, storage }
}

const files = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ source: content(100 + at, at), fileName: `${at}.bin` }))

const sumOf = (count: number) =>
  Array.from({ length: count }, (_, at) => 100 + at).reduce((sum, bytes) => sum + bytes, 0)

describe("a queue of small files", () => {
  it("CLIENT-130 begins and records many in one call, and sends the bytes of a few at once", async () => {
    const { client, count, storage } = await counted()
    const queue = client.uploads.queue({ files: 3 })
    queue.add(files(150))
    assert.deepInclude(await queue.done, { doneFiles: 150, failedFiles: 0, sentBytes: sumOf(150) })
    assert.strictEqual(count("storage"), 150)
    assert.strictEqual(storage.most, 3)
    assert.isBelow(count("generate-upload-forms") + count("generate-file-urls"), 75)
    assert.isBelow(count("insert-files") + count("insert-file"), 75)
    assert.deepInclude(await client.getUserStorageUsage(), {
      usedBytes: sumOf(150),
      objectCount: 150,
      pendingBytes: 0
    })
  })

  it("CLIENT-219 of paths tells the sum of all files before they are begun", async () => {
    const { client } = await counted()
    const directory = join(served.directory, "sums")
    await mkdir(join(directory, "inner"), { recursive: true })
    for (let at = 0; at < 60; at++) {
      await writeFile(join(directory, at % 2 === 0 ? "" : "inner", `${at}.bin`), content(100 + at, at))
    }
    const shares: Array<number> = []
    const queue = client.uploads.queue({
      files: 2,
      onFile: () => {
        const { isComplete, sentBytes, totalBytes } = queue.progress
        if (isComplete) shares.push(sentBytes / totalBytes)
      }
    })
    queue.pause()
    queue.add([{ directory }, join(directory, "0.bin"), join(directory, "nothing.bin")])
    while (!queue.progress.isComplete) await new Promise((resolve) => setImmediate(resolve))
    assert.deepInclude(queue.progress, { totalFiles: 62, totalBytes: sumOf(60) + 100, sentBytes: 0, secondsLeft: null })
    queue.resume()
    assert.deepInclude(await queue.done, { doneFiles: 61, failedFiles: 1 })
    assert.deepInclude(queue.progress, { totalBytes: sumOf(60) + 100, sentBytes: sumOf(60) + 100, secondsLeft: 0 })
    assert.deepStrictEqual(shares, shares.toSorted((one, other) => one - other))
    assert.isBelow(shares[0]!, 0.5)
  })

  it("CLIENT-130 one file alone is one call of each", async () => {
    const { client, count } = await counted()
    await client.upload(content(10), { fileName: "a.bin" })
    assert.deepStrictEqual(
      [count("generate-file-urls"), count("insert-file"), count("generate-upload-forms"), count("insert-files")],
      [1, 1, 0, 0]
    )
  })

  it("CLIENT-131 a file that is refused, for itself or for its place, stops no other", async () => {
    const { client } = await counted({ quotaBytes: 10_000 })
    const results: Array<QueueResult> = []
    const queue = client.uploads.queue({ onFile: (result) => results.push(result) })
    const strange = { source: content(10), fileName: "a\u0007b.bin" }
    const large = { source: content(20_000), fileName: "large.bin" }
    queue.add([...files(10), strange, large, ...files(20).slice(10)])
    const { doneFiles, failures } = await queue.done
    assert.strictEqual(doneFiles, 20)
    assert.lengthOf(results, 22)
    const told = failures.map(({ error, name }) => {
      assert.instanceOf(error, DriveError)
      return [name, error.status, error.code, error.field, error.retryable]
    })
    assert.sameDeepMembers(told, [
      [strange.fileName, 400, "invalid_field", "fileName", false],
      [large.fileName, 400, "storage_limit_reached", "fileSize", false]
    ])
    assert.deepInclude(await client.getUserStorageUsage(), { usedBytes: sumOf(20), pendingBytes: 0 })
  })

  it("CLIENT-132 a drive that has no calls for many is called for each", async () => {
    const unknown = { error: "There is no such route.", code: "unknown_route", retryable: false }
    const { client, count } = await counted(
      {},
      (name) =>
        /^(?:generate-upload-forms|insert-files)$/.test(name) ? Response.json(unknown, { status: 404 }) : undefined
    )
    const queue = client.uploads.queue()
    queue.add(files(20))
    assert.deepInclude(await queue.done, { doneFiles: 20, failedFiles: 0 })
    assert.deepStrictEqual([count("generate-file-urls"), count("insert-file")], [20, 20])
  })

  it("CLIENT-133 a queue that is paused while files wait for their turn goes on, and one that is cancelled holds no bytes", async () => {
    const { client } = await counted()
    const queue = client.uploads.queue({
      files: 1,
      onFile: () => {
        if (queue.progress.doneFiles !== 3) return
        queue.pause()
        setImmediate(() => queue.resume())
      }
    })
    queue.add(files(40))
    assert.deepInclude(await queue.done, { doneFiles: 40, failedFiles: 0 })
    const other = client.uploads.queue({
      files: 1,
      onFile: ({ file }) => {
        if (file !== undefined) void other.cancel()
      }
    })
    other.add(files(40))
    const cancelled = await other.done.catch((error: unknown) => error)
    assert.deepInclude(cancelled, { name: "AbortError" })
    await other.cancel()
    const { pendingBytes } = await client.getUserStorageUsage()
    assert.strictEqual(pendingBytes, 0)
  })
})
