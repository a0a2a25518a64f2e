/** What is refused before bytes are sent, and streams whose length is not what was said. */
import { createClient, DriveError, type UploadOptions } from "@filedrive/client"
import { memoryDrive } from "@filedrive/testing"
import { PassThrough, Readable } from "node:stream"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

let drive: Awaited<ReturnType<typeof memoryDrive>>
beforeAll(async () => {
  drive = await memoryDrive()
})
afterAll(() => drive.close())

/** A client that counts its requests by the last part of their paths. */
const counted = async () => {
  const { apiToken } = await drive.user()
  const counts = new Map<string, number>()
  const client = createClient({
    url: "http://drive.test",
    apiToken,
    fetch: (url, init) => {
      const { pathname } = new URL(url)
      const name = /^\/(?:api|auth)\//.test(pathname) ? pathname.split("/").at(-1)! : "storage"
      counts.set(name, (counts.get(name) ?? 0) + 1)
      return drive.fetch(url, init)
    }
  })
  return { client, count: (name: string) => counts.get(name) ?? 0 }
}

const failureOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(() => undefined, (error: unknown) => error)

const unknownId = "7f0e3a52-1c7b-4a55-9d53-0f3b8e5b9c11"

describe("an option that the drive refuses", () => {
  const cases: ReadonlyArray<readonly [string, object, number, string | undefined]> = [
    ["a path without its slash", { folder: "Photos" }, 400, "folder"],
    ["a folder that is too deep", { folder: "/a".repeat(33) }, 400, "folder"],
    ["a folder's id that is none", { folderId: "7" }, 400, "folderId"],
    ["a folder that there is not", { folderId: unknownId }, 404, undefined],
    ["a tag that is too long", { folder: "/Made", tags: ["a", "b".repeat(101)] }, 400, "tags[1]"],
    ["too many tags", { tags: Array.from({ length: 21 }, (_, at) => `${at}`) }, 400, "tags"],
    ["tags that are no list", { tags: "raw" }, 400, "tags"],
    ["a description that is too long", { folder: "/Made", description: "a".repeat(10_001) }, 400, "description"],
    ["a name that is too long", { fileName: "a".repeat(2_000) }, 400, "fileName"],
    ["a media type that is none", { mimeType: "none" }, 400, "mimeType"],
    ["a kind that is none", { type: "Poem" }, 400, "type"]
  ]

  it.each(cases)(
    "CLIENT-153 %s: is refused before a byte is sent, and leaves nothing",
    async (_, options, status, field) => {
      const { client, count } = await counted()
      const failed = await failureOf(client.upload(new File(["1"], "a.txt"), options as UploadOptions))
      assert.instanceOf(failed, DriveError)
      assert.deepStrictEqual([failed.status, failed.field, failed.retryable], [status, field, false])
      assert.strictEqual(count("storage"), 0)
      assert.deepInclude(await client.getUserStorageUsage(), { usedBytes: 0, pendingBytes: 0 })
      const { folders, tags } = await client.selectCollections()
      assert.deepStrictEqual([folders, tags], [[], []])
    }
  )

  it("CLIENT-153 of a queue is refused before a byte is sent, of each file that has it", async () => {
    const { client, count } = await counted()
    const queue = client.uploads.queue({ folder: "Photos" })
    queue.add(Array.from({ length: 50 }, (_, at) => new File([`${at}`], `${at}.txt`)))
    const { failedFiles, failures } = await queue.done
    assert.strictEqual(failedFiles, 50)
    for (const { error } of failures) assert.deepInclude(error, { status: 400, field: "folder" })
    assert.strictEqual(count("storage"), 0)
  })

  it("CLIENT-153 is asked for once, of the many files that have the same", async () => {
    const { client, count } = await counted()
    const { folder } = await client.moveFiles({
      fileIds: [(await client.upload(new File(["0"], "first.txt"))).id],
      folder: "/In"
    })
    const before = count("move-files")
    for (const options of [{ folder: "/Photos", tags: ["raw"] }, { folderId: folder!.id }]) {
      const queue = client.uploads.queue(options)
      queue.add(Array.from({ length: 200 }, (_, at) => new File([`${at}`], `${at}.txt`)))
      assert.deepInclude(await queue.done, { doneFiles: 200, failedFiles: 0 })
    }
    assert.strictEqual(count("storage"), 401)
    assert.isBelow(count("move-files") - before, 200)
    assert.deepStrictEqual(
      (await client.selectCollections()).folders.map(({ fileCount, path }) => [path, fileCount]),
      [["/In", 201], ["/Photos", 200]]
    )
  })

  it("CLIENT-25 while the drive is asked whether it takes it, an upload is cancelled at once", async () => {
    const { apiToken } = await drive.user()
    const asked = Promise.withResolvers<void>()
    const client = createClient({
      url: "http://drive.test",
      apiToken,
      fetch: (url, init) => {
        if (!url.endsWith("/move-files")) return drive.fetch(url, init)
        asked.resolve()
        return new Promise(() => {})
      }
    })
    const upload = client.upload(new File(["1"], "a.txt"), { folder: "/Photos" })
    await asked.promise
    await upload.cancel()
    assert.strictEqual(upload.state, "cancelled")
  })

  it("CLIENT-153 is the permission too: who may not put files into folders sends none for them", async () => {
    const { client } = await counted()
    const { token } = await client.createApiToken({ name: "adds", permissions: ["add"] })
    const limited = createClient({
      url: "http://drive.test",
      apiToken: token,
      fetch: (url, init) =>
        /^\/(?:api|auth)\//.test(new URL(url).pathname) ? drive.fetch(url, init) : Promise.reject(new Error("sent"))
    })
    const failed = await failureOf(limited.upload(new File(["1"], "a.txt"), { folder: "/Photos" }))
    assert.deepInclude(failed, { status: 403, code: "token_limit" })
  })
})

describe("a stream", () => {
  const makes: ReadonlyArray<readonly [string, () => Readable]> = [
    ["of some chunks", () => Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(10_000)))],
    ["of one chunk", () => Readable.from([Buffer.alloc(200_000)])],
    ["that is written to", () => {
      const through = new PassThrough()
      Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(10_000))).pipe(through)
      return through
    }]
  ]
  const sizes = [1, 9_999, 10_001, 65_536, 150_000, 199_999, 200_001, 300_000]

  it.each(makes.flatMap(([name, make]) => sizes.map((size) => [name, size, make] as const)))(
    "CLIENT-154 %s, said to have %i bytes, is source_changed and nothing else",
    async (_, size, make) => {
      const uncaught: Array<unknown> = []
      const note = (error: unknown) => void uncaught.push(error)
      process.on("uncaughtExceptionMonitor", note)
      const { client } = await counted()
      const source = make()
      const closed = new Promise((resolve) => source.once("close", resolve))
      const stream = Readable.toWeb(source) as ReadableStream<Uint8Array>
      const failed = await failureOf(client.upload({ stream, size, name: "s.bin" }))
      assert.instanceOf(failed, DriveError)
      assert.deepInclude(failed, { code: "source_changed", retryable: false })
      // Nobody reads it any more: Node is told, and gives back what it holds.
      await closed
      assert.deepStrictEqual(uncaught, [])
      process.off("uncaughtExceptionMonitor", note)
      assert.deepStrictEqual(await client.selectUserFiles(), [])
    }
  )

  it("CLIENT-154 that breaks is source_unreadable, with what broke it", async () => {
    const { client } = await counted()
    const cause = new Error("The disk is gone.")
    const broken = async function*() {
      yield new Uint8Array(5)
      throw cause
    }
    for (const stream of [broken(), Readable.toWeb(Readable.from(broken())) as ReadableStream<Uint8Array>]) {
      const failed = await failureOf(client.upload({ stream, size: 10, name: "s.bin" }))
      assert.instanceOf(failed, DriveError)
      assert.deepInclude(failed, { code: "source_unreadable", cause })
    }
  })

  it("CLIENT-154 that gives nothing is cancelled at once", async () => {
    const { client } = await counted()
    const asked = Promise.withResolvers<void>()
    const stalled = new ReadableStream<Uint8Array>({ pull: () => asked.resolve() }, { highWaterMark: 0 })
    const upload = client.upload({ stream: stalled, size: 10, name: "s.bin" })
    await asked.promise
    await upload.cancel()
    assert.strictEqual(upload.state, "cancelled")
    assert.strictEqual((await client.getUserStorageUsage()).pendingBytes, 0)
  })
})
