/** What a queue tells of its files, and what can be done with one of them. */
import { type Client, createClient, type QueueFile, type QueueOptions, type Store } from "@filedrive/client"
import { memoryDrive } from "@filedrive/testing"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

let drive: Awaited<ReturnType<typeof memoryDrive>>
beforeAll(async () => {
  drive = await memoryDrive()
})
afterAll(() => drive.close())

/** A client whose requests the test refuses or holds, by the last part of their paths; `storage` is every one of storage. */
const steered = async (store?: Store) => {
  const { apiToken } = await drive.user()
  const on = {
    counts: new Map<string, number>(),
    refuse: (_name: string): number | undefined => undefined,
    hold: (_name: string): Promise<unknown> | undefined => undefined
  }
  const client = createClient({
    url: "http://drive.test",
    apiToken,
    retries: 0,
    ...store && { store },
    fetch: async (url, init) => {
      const { pathname } = new URL(url)
      const name = /^\/(?:api|auth)\//.test(pathname) ? pathname.split("/").at(-1)! : "storage"
      on.counts.set(name, (on.counts.get(name) ?? 0) + 1)
      const signal = init?.signal
      await Promise.race([
        on.hold(name),
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
      ])
      const status = on.refuse(name)
      if (status === undefined) return drive.fetch(url, init)
      return Response.json({ error: "Not now.", code: "refused", retryable: false }, { status })
    }
  })
  return { client, on, count: (name: string) => on.counts.get(name) ?? 0 }
}

const file = (name: string, text = name) => new File([text], name)

/** Waits until a queue tells something that is so. */
const when = (client: Client, options: QueueOptions = {}) => {
  const waiting = new Set<() => void>()
  const queue = client.uploads.queue({
    ...options,
    onChange: (file) => {
      options.onChange?.(file)
      for (const look of waiting) look()
    }
  })
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  const named = (name: string): QueueFile | undefined => queue.files.find((file) => file.name === name)
  return { queue, until, named, stateOf: (name: string) => named(name)?.upload?.state }
}

const pendingOf = async (client: Client) => (await client.getUserStorageUsage()).pendingBytes

describe("a queue's files", () => {
  it("CLIENT-156 are told when they begin, change and end, and those under way come before those that failed", async () => {
    const { client, on } = await steered()
    const told = new Map<QueueFile, Array<string>>()
    const { queue, stateOf, until } = when(client, {
      files: 1,
      onChange: (file) => {
        const { error, name, upload } = file
        const seen = told.get(file) ?? []
        if (!told.has(file)) told.set(file, seen)
        const now = `${name} ${upload?.state}${file.file ? " there" : ""}${error === undefined ? "" : " error"}`
        if (seen.at(-1) !== now) seen.push(now)
      }
    })
    let sent = 0
    const release = Promise.withResolvers<void>()
    on.refuse = (name) => name === "storage" && ++sent === 1 ? 400 : undefined
    on.hold = (name) => name === "storage" && sent > 0 ? release.promise : undefined
    queue.add([file("a"), file("b"), file("c")])
    await until(() => stateOf("b") === "sending" && stateOf("a") === "failed")
    // The others wait for their turn.
    await until(() => queue.files.length === 3)
    assert.deepStrictEqual(queue.files.map(({ name, upload }) => `${name} ${upload?.state}`), [
      "b sending",
      "c waiting",
      "a failed"
    ])
    release.resolve()
    const { failures } = await queue.done
    assert.deepStrictEqual(queue.files, failures)
    assert.deepStrictEqual([...told.values()].map((states) => states.join(", ")).toSorted(), [
      "a sending, a failed error",
      "b sending, b done there",
      "c sending, c done there"
    ])
    assert.isTrue(told.has(failures[0]!))
  })

  it("CLIENT-157 one that is paused leaves its place to others, and goes on by itself", async () => {
    const { client, on } = await steered()
    const { named, queue, stateOf, until } = when(client, { files: 1 })
    const never = Promise.withResolvers<void>()
    on.hold = (name) => name === "storage" ? never.promise : undefined
    queue.add([file("a"), file("b")])
    await until(() => stateOf("a") === "sending")
    const a = named("a")!
    on.hold = () => undefined
    a.upload!.pause()
    await until(() => queue.progress.doneFiles === 1)
    assert.deepStrictEqual(queue.files, [a])
    assert.strictEqual(a.upload!.state, "paused")
    a.upload!.resume()
    assert.deepInclude(await queue.done, { doneFiles: 2, failedFiles: 0 })
  })

  it("CLIENT-157 many that are paused hold no others up, and the queue goes on with all of them", async () => {
    const { client, on } = await steered()
    const { queue, until } = when(client, { files: 1 })
    const never = Promise.withResolvers<void>()
    on.hold = (name) => name === "storage" ? never.promise : undefined
    queue.add(Array.from({ length: 60 }, (_, at) => file(`${at}`)))
    await until(() => queue.files.filter(({ upload }) => upload !== undefined).length === 33)
    const held = queue.files
    for (const { upload } of held) upload!.pause()
    on.hold = () => undefined
    await until(() => queue.progress.doneFiles === 27)
    assert.sameMembers([...queue.files], [...held])
    queue.pause()
    queue.resume()
    assert.deepInclude(await queue.done, { doneFiles: 60, failedFiles: 0 })
  })

  it("CLIENT-157 one that is cancelled counts as neither done nor failed, and gives its bytes back", async () => {
    const { client, on } = await steered()
    const results: Array<string> = []
    const { named, queue, stateOf, until } = when(client, { files: 1, onFile: ({ name }) => results.push(name) })
    const never = Promise.withResolvers<void>()
    on.hold = (name) => name === "storage" ? never.promise : undefined
    queue.add([file("a"), file("b", "bb")])
    await until(() => stateOf("a") === "sending")
    const { upload } = named("a")!
    on.hold = () => undefined
    await upload!.cancel()
    assert.deepInclude(await queue.done, { doneFiles: 1, failedFiles: 0, sentBytes: 2, failures: [] })
    assert.deepInclude(queue.progress, { totalFiles: 1, totalBytes: 2, sentBytes: 2 })
    assert.deepStrictEqual([results, upload!.state, await pendingOf(client)], [["b"], "cancelled", 0])
  })
})

describe("a file that has failed", () => {
  it.each<readonly [string, Store | undefined]>([["no store", undefined], ["a store", new Map<string, string>()]])(
    "CLIENT-158 is tried again, and what is stored of it is not sent again, with %s",
    async (_, store) => {
      const { client, count, on } = await steered(store)
      const { queue } = when(client)
      on.refuse = (name) => name.startsWith("insert-file") ? 400 : undefined
      queue.add([file("a"), file("b", "bb")])
      const first = await queue.done
      assert.deepInclude(first, { doneFiles: 0, failedFiles: 2, sentBytes: 0 })
      assert.deepInclude(queue.progress, { totalFiles: 2, totalBytes: 0 })
      on.refuse = () => undefined
      for (const { upload } of first.failures) upload!.retry()
      assert.deepInclude(queue.progress, { failedFiles: 0, totalFiles: 2, totalBytes: 3 })
      assert.deepInclude(await queue.done, { doneFiles: 2, failedFiles: 0, sentBytes: 3, failures: [] })
      assert.strictEqual(count("storage"), 2)
      assert.lengthOf(await client.selectUserFiles(), 2)
      assert.strictEqual(await pendingOf(client), 0)
    }
  )

  it("CLIENT-158 fails again, and is told again, when it is no better", async () => {
    const { client, on } = await steered()
    const told: Array<QueueFile> = []
    const { queue } = when(client, { onFile: (file) => told.push(file) })
    on.refuse = (name) => name === "storage" ? 400 : undefined
    queue.add(file("a"))
    const { failures: [failed] } = await queue.done
    failed!.upload!.retry()
    assert.deepInclude(await queue.done, { failedFiles: 1 })
    assert.deepStrictEqual(told, [failed!, failed!])
    assert.lengthOf(queue.files, 1)
  })

  it("CLIENT-158 waits while its queue is paused", async () => {
    const { client, count, on } = await steered()
    const { queue } = when(client)
    on.refuse = (name) => name === "storage" ? 400 : undefined
    queue.add(file("a"))
    const { failures: [failed] } = await queue.done
    on.refuse = () => undefined
    queue.pause()
    failed!.upload!.retry()
    assert.strictEqual(failed!.upload!.state, "paused")
    const before = count("storage")
    queue.resume()
    assert.deepInclude(await queue.done, { doneFiles: 1, failedFiles: 0 })
    assert.strictEqual(count("storage"), before + 1)
  })

  it("CLIENT-158 that is given up is no failure any more, and gives its bytes back", async () => {
    const { client, on } = await steered()
    const { queue } = when(client)
    on.refuse = (name) => name === "storage" ? 400 : undefined
    queue.add(file("a"))
    const { failures: [failed] } = await queue.done
    assert.strictEqual(await pendingOf(client), 1)
    await failed!.upload!.cancel()
    assert.strictEqual(failed!.upload!.state, "cancelled")
    assert.deepStrictEqual([queue.files.length, await pendingOf(client)], [0, 0])
    assert.deepInclude(queue.progress, { failedFiles: 0, totalFiles: 0 })
  })

  it("CLIENT-159 alone is tried again too, as the same upload, or given up with its bytes", async () => {
    const store = new Map<string, string>()
    const { client, count, on } = await steered(store)
    on.refuse = (name) => name === "insert-file" ? 400 : undefined
    const upload = client.upload(file("a"))
    assert.deepInclude(await upload.catch((error: unknown) => error), { code: "refused" })
    on.refuse = () => undefined
    upload.retry()
    assert.strictEqual((await upload).fileName, "a")
    assert.deepStrictEqual([upload.state, count("storage"), store.size], ["done", 1, 0])
    // Done, it is not done again.
    upload.retry()
    assert.strictEqual(upload.state, "done")
    on.refuse = (name) => name === "storage" ? 400 : undefined
    const other = client.upload(file("b"))
    assert.deepInclude(await other.catch((error: unknown) => error), { code: "storage_refused" })
    assert.deepStrictEqual([await pendingOf(client), store.size], [1, 1])
    await other.cancel()
    assert.deepStrictEqual([other.state, await pendingOf(client), store.size], ["cancelled", 0, 0])
  })

  it("CLIENT-159 of a stream can't be tried again: it is read once", async () => {
    const { client, on } = await steered()
    on.refuse = (name) => name === "storage" ? 400 : undefined
    const upload = client.upload({ stream: new Blob(["1"]).stream(), size: 1, name: "s" })
    assert.deepInclude(await upload.catch((error: unknown) => error), { code: "storage_refused" })
    on.refuse = () => undefined
    upload.retry()
    assert.deepInclude(await upload.catch((error: unknown) => error), { code: "source_unreadable" })
  })
})
