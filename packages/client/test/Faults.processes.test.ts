/** The client through a proxy that breaks connections: what it promises of them. */
import { createClient, createPublicClient, DriveError } from "@filedrive/client"
import { createHash } from "node:crypto"
import { readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { seeded } from "./FaultProxy.ts"
import { proxiedDrive } from "./proxiedDrive.ts"
import { content } from "./servedDrive.ts"

const on = proxiedDrive()
const { proxy } = on

const newClient = async (options: object = {}, account = {}) => {
  const { apiToken, userId } = await on.served.user(account)
  return { apiToken, userId, client: createClient({ url: on.url, apiToken, ...options }) }
}

const partSize = 64 * 1024 ** 2
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const failureOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(() => undefined, (error: unknown) => error)

const large = content(2 * partSize + 70_000)
const largePath = async () => {
  const path = join(on.served.directory, "large.bin")
  await stat(path).catch(() => writeFile(path, large))
  return path
}

describe("an upload", () => {
  it("CLIENT-27 loses nothing and makes nothing twice, whatever is cut, lost, delayed or refused", async () => {
    const { client } = await newClient()
    const chance = seeded(7)
    let faults = 0
    proxy.fault = ({ path }) => {
      if (path.endsWith("/exchange-token") || chance() > 0.25) return undefined
      faults++
      const kind = Math.floor(chance() * 5)
      return kind === 0
        ? { cutAfterBytes: Math.floor(chance() * 3_000_000) }
        : kind === 1
        ? { losesAnswer: true }
        : kind === 2
        ? { status: 500 }
        : kind === 3
        ? { status: 429, retryAfter: "0" }
        : { delayMillis: 50 }
    }
    const files = Array.from({ length: 20 }, (_, at) => new File([content(20_000 + at, at)], `${at}.bin`))
    const queue = client.uploads.queue({ folder: "/Faults", tags: ["tried"] })
    queue.add(files)
    const [{ id }, { doneFiles, failures }] = await Promise.all([client.upload(await largePath()), queue.done])
    proxy.fault = () => undefined
    assert.deepStrictEqual(failures, [])
    assert.strictEqual(doneFiles, 20)
    assert.isAbove(faults, 10)
    const all = await client.selectUserFiles()
    assert.sameMembers(all.map(({ fileName }) => fileName), [...files.map(({ name }) => name), "large.bin"])
    const down = await client.download(id)
    assert.strictEqual(hash(new Uint8Array(await down.arrayBuffer())), hash(large))
    for (const { fileName, folder, id, tags } of all.filter((file) => file.fileName !== "large.bin")) {
      assert.strictEqual(folder?.path, "/Faults")
      assert.lengthOf(tags, 1)
      const at = Number.parseInt(fileName, 10)
      const bytes = new Uint8Array(await (await client.download(id)).arrayBuffer())
      assert.strictEqual(hash(bytes), hash(content(20_000 + at, at)))
    }
    assert.strictEqual((await client.getUserStorageUsage()).pendingBytes, 0)
  }, 120_000)

  it("CLIENT-26 goes on after a crash: parts that are stored are not sent again", async () => {
    const store = new Map<string, string>()
    const { apiToken, client } = await newClient({ store, retries: 0 })
    const path = await largePath()
    // The second part never arrives; what has begun it is gone then.
    let puts = 0
    proxy.fault = ({ method }) => method === "PUT" && ++puts > 1 ? { status: 500 } : undefined
    assert.instanceOf(await failureOf(client.upload(path, { parallel: 1 })), DriveError)
    assert.strictEqual(proxy.count("PUT"), 1)
    assert.strictEqual(store.size, 1)
    proxy.fault = () => undefined
    const sent: Array<number> = []
    const next = createClient({ url: on.url, apiToken, store })
    const { id } = await next.upload(path, { onProgress: ({ sentBytes }) => sent.push(sentBytes) })
    assert.strictEqual(proxy.count("PUT"), 3)
    assert.isAtLeast(sent[0]!, partSize)
    assert.strictEqual(store.size, 0)
    assert.strictEqual(hash(new Uint8Array(await (await next.download(id)).arrayBuffer())), hash(large))
    assert.lengthOf(await next.selectUserFiles(), 1)
  }, 60_000)

  it("CLIENT-26 of which only the last answer was lost is the one file that there is", async () => {
    const store = new Map<string, string>()
    const { apiToken, client } = await newClient({ store, retries: 0 })
    const file = () => new File([content(5_000)], "a.bin", { lastModified: 5 })
    proxy.fault = ({ path }) => path.endsWith("/insert-file") ? { status: 500 } : undefined
    assert.deepInclude(await failureOf(client.upload(file())), { status: 500 })
    proxy.fault = () => undefined
    proxy.passed.length = 0
    const { id } = await createClient({ url: on.url, apiToken, store }).upload(file())
    // Its bytes were there.
    assert.strictEqual(proxy.count("POST /storage"), 0)
    assert.deepStrictEqual((await client.selectUserFiles()).map((file) => file.id), [id])
  })

  it("CLIENT-29 asks for fresh URLs when storage does not take those at hand", async () => {
    const { client } = await newClient()
    let refused = 0
    proxy.fault = ({ method }) => method === "PUT" && refused < 3 && ++refused ? { status: 403 } : undefined
    const { id } = await client.upload(await largePath())
    assert.strictEqual(refused, 3)
    assert.isAtLeast(proxy.count("POST /api/sign-upload-parts"), 1)
    assert.isString(id)
  }, 60_000)

  it(
    "CLIENT-24 CLIENT-25 that is paused sends nothing, resumed it sends the rest, cancelled it gives its bytes back",
    async () => {
      const { client } = await newClient({}, { quotaBytes: large.length + 1_000 })
      const path = await largePath()
      const paused = Promise.withResolvers<void>()
      const upload = client.upload(path, {
        parallel: 1,
        onProgress: ({ sentBytes }) => {
          if (sentBytes > partSize + 1_000_000) paused.resolve()
        }
      })
      await paused.promise
      upload.pause()
      assert.strictEqual(upload.state, "paused")
      const { pendingBytes } = await client.getUserStorageUsage()
      assert.strictEqual(pendingBytes, large.length)
      const before = proxy.count("PUT")
      upload.resume()
      const { id } = await upload
      assert.strictEqual(upload.state, "done")
      assert.isAtMost(proxy.count("PUT") - before, 2)
      await client.deleteFiles([{ id }])

      const begun = Promise.withResolvers<void>()
      const other = client.upload(path, { onProgress: ({ sentBytes }) => sentBytes > 1_000_000 && begun.resolve() })
      await begun.promise
      await other.cancel()
      assert.strictEqual(other.state, "cancelled")
      assert.deepInclude(await failureOf(other), { name: "AbortError" })
      // A form too, by its signal.
      const ending = new AbortController()
      proxy.fault = ({ path }) => path.startsWith("/storage") ? { delayMillis: 300 } : undefined
      const form = client.upload(new File([content(900)], "a.bin"), {
        signal: ending.signal,
        onState: () => setTimeout(() => ending.abort(new Error("enough")), 100)
      })
      assert.deepInclude(await failureOf(form), { message: "enough" })
      const usage = await client.getUserStorageUsage()
      assert.deepInclude(usage, { usedBytes: 0, pendingBytes: 0 })
      assert.deepStrictEqual(await client.selectUserFiles(), [])
    },
    60_000
  )

  it("CLIENT-33 of a file that changes meanwhile is refused", async () => {
    const { client } = await newClient()
    const path = join(on.served.directory, "changing.bin")
    await writeFile(path, content(1_000))
    proxy.fault = ({ path }) => path.startsWith("/storage") ? { delayMillis: 200 } : undefined
    const upload = client.upload(path, { onState: () => void writeFile(path, content(1_000, 1)) })
    assert.deepInclude(await failureOf(upload), { code: "source_changed" })
    assert.deepInclude(await failureOf(client.upload(join(on.served.directory, "none"))), { code: "source_unreadable" })
    assert.deepStrictEqual(await client.selectUserFiles(), [])
  })

  it("CLIENT-31 a queue with a name sends nothing again, also after a reload", async () => {
    const store = new Map<string, string>()
    const { apiToken, client } = await newClient({ store })
    const files = () => Array.from({ length: 30 }, (_, at) => new File([`${at}`], `${at}.txt`, { lastModified: at }))
    const first = client.uploads.queue({ name: "photos" })
    first.add(files().slice(0, 20))
    assert.strictEqual((await first.done).doneFiles, 20)
    proxy.passed.length = 0
    const again = createClient({ url: on.url, apiToken, store }).uploads.queue({ name: "photos" })
    again.add(files())
    const { doneFiles, failedFiles } = await again.done
    assert.deepStrictEqual([doneFiles, failedFiles], [30, 0])
    assert.strictEqual(proxy.count("POST /storage"), 10)
    assert.lengthOf(await client.selectUserFiles(), 30)
    await again.forget()
    assert.strictEqual(store.size, 0)
  })
})

describe("a delivery", () => {
  it("CLIENT-30 goes on by its token alone, and has each file once", async () => {
    const { client } = await newClient()
    const { id: requestId } = await client.createFileRequest({ title: "Films" })
    const open = createPublicClient({ url: on.url, retries: 0 })
    const { dropToken } = await open.startDrop({ requestId, senderName: "Grace" })
    const path = await largePath()
    let puts = 0
    proxy.fault = ({ method }) => method === "PUT" && ++puts > 1 ? { status: 500 } : undefined
    assert.instanceOf(await failureOf(open.delivery(dropToken).upload(path, { parallel: 1 })), DriveError)
    proxy.fault = () => undefined
    const { id } = await createPublicClient({ url: on.url }).delivery(dropToken).upload(path)
    assert.strictEqual(proxy.count("PUT"), 3)
    assert.strictEqual((await open.delivery(dropToken).upload(path)).id, id)
    assert.lengthOf((await open.delivery(dropToken).select()).files, 1)
  }, 60_000)
})

describe("a feed", () => {
  it("CLIENT-11 tells every event once and in order, whatever breaks", async () => {
    const { client } = await newClient()
    const names = Array.from({ length: 12 }, (_, at) => `${at}.txt`)
    proxy.fault = ({ nth, path }) =>
      path.endsWith("/drive-events") ? nth % 3 === 0 ? { status: 500 } : { answerBytes: 1_200 } : undefined
    const seen: Array<string> = []
    const sending = (async () => {
      for (const name of names) await client.upload(new File([name], name))
    })()
    for await (const event of client.events({ kinds: ["file"] })) {
      if (event.kind === "file") seen.push(event.file.fileName)
      if (seen.length === names.length) break
    }
    await sending
    assert.deepStrictEqual(seen, names)
    const ending = new AbortController()
    const reading = client.events({ since: new Date().toISOString(), signal: ending.signal }).next()
    ending.abort(new Error("enough"))
    assert.deepInclude(await failureOf(reading), { message: "enough" })
    assert.deepInclude(await failureOf(client.events({ since: "nonsense" }).next()), {
      code: "invalid_field",
      field: "since"
    })
  }, 60_000)
})

describe("a download to a path", () => {
  it("CLIENT-32 goes on after a break, and has the whole file or none", async () => {
    const { client } = await newClient()
    const { id } = await client.upload(await largePath())
    const path = join(on.served.directory, "down.bin")
    const isRange = ({ method, path }: { readonly method: string; readonly path: string }) =>
      method === "GET" && path.startsWith("/storage")
    let gets = 0
    const ending = new AbortController()
    proxy.fault = (request) => {
      if (!isRange(request)) return undefined
      if (++gets === 5) ending.abort(new Error("crash"))
      return gets % 2 === 0 ? { answerBytes: 3_000_000 } : undefined
    }
    assert.deepInclude(await failureOf(client.downloadTo(id, path, { signal: ending.signal, parallel: 1 })), {
      message: "crash"
    })
    assert.notInclude(await readdir(on.served.directory), "down.bin")
    proxy.fault = () => undefined
    const told: Array<number> = []
    await client.downloadTo(id, path, { onProgress: ({ sentBytes }) => told.push(sentBytes) })
    assert.isAbove(told[0]!, 0)
    assert.strictEqual(hash(await readFile(path)), hash(large))
    assert.deepStrictEqual((await readdir(on.served.directory)).filter((name) => name.startsWith("down.bin")), [
      "down.bin"
    ])
  }, 60_000)
})
