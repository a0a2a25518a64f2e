import { afterAll, assert, describe, it } from "@effect/vitest"
import { createDrive, DriveError, type DriveOptions, type LogEntry, serve } from "@filedrive/adapter-node"
import { DriveClient, testDatabase } from "@filedrive/testing"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { text } from "node:stream/consumers"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"

const ends: Array<() => Promise<unknown>> = []
afterAll(() => Promise.all(ends.map((end) => end())))

const start = async (options: DriveOptions = {}) => {
  const { close, drive } = await temporaryDrive({ url: "http://drive.test", ...options })
  ends.push(close)
  const client = async () => new DriveClient({ url: drive.urls.site, ...await userOf(drive)(), fetch: fetchOf(drive) })
  return { drive, client }
}

const bytes = Uint8Array.from({ length: 500 }, (_, at) => at % 251)

/** A plain server for a handler, as a host without `listen` has one. */
const plainServer = async (handler: Parameters<typeof createServer>[1]) => {
  const server = createServer(handler)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  ends.push(async () => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe("createDrive", () => {
  it("HOST-18 a call whose caller disconnects before it comes to the drive is not begun, and no close waits for it", async () => {
    // The grace is longer than a test may take.
    const { close, drive } = await temporaryDrive({ closeGraceMillis: 600_000 })
    const handled = Promise.withResolvers<void>()
    const origin = await plainServer((request, response) =>
      void response.once("close", () => {
        drive.nodeHandler(request, response)
        handled.resolve()
      })
    )
    const socket = connect(Number(new URL(origin).port), "127.0.0.1")
    socket.write("POST /api/search-files HTTP/1.1\r\nHost: x\r\n\r\n", () => socket.destroy())
    await handled.promise
    await close()
  })

  it("HOST-12 the api does what the routes do", async () => {
    const { client, drive } = await start()
    const ada = await client()
    const { userId } = await ada.session()
    const me = drive.as(userId)
    const input = { type: "Other" as const, fileName: "a.bin", fileSize: 500, objectKey: `users/${userId}/a.bin` }
    assert.isTrue((await ada.sendForm(await me.generateFileUrls(input), bytes)).ok)
    const { id } = await me.insertFile(input)
    assert.deepStrictEqual(await ada.download(id), bytes)
    await me.updateFileDescription({ fileId: id, description: "mine" })
    assert.strictEqual((await me.generateDownloadUrl({ id })).description, "mine")
    const listed = []
    for await (const file of me.files.list()) listed.push(file.id)
    assert.deepStrictEqual(listed, [id])
    assert.deepStrictEqual((await me.selectUserFiles()).map((file) => file.id), [id])

    const opened = await me.createMultipartUpload({ ...input, objectKey: `users/${userId}/b.bin` })
    assert.deepInclude(opened, { partCount: 1, resumed: false, parts: [] })
    assert.isFalse(Number.isNaN(Date.parse(opened.expiresAt)))
    assert.isTrue((await ada.fetch(opened.signedParts[0]!.url, { method: "PUT", body: bytes })).ok)
    assert.strictEqual((await me.completeMultipartUpload({ token: opened.token })).fileSize, 500)

    assert.deepStrictEqual(await me.trashFiles([{ id }]), { trashed: [id] })
    await me.purgeTrashedFiles()
    const error = await me.generateDownloadUrl({ id }).catch((error: unknown) => error)
    assert.instanceOf(error, DriveError)
    assert.deepInclude(error, { code: "file_not_found", status: 403, retryable: false, field: undefined })
    const limited = drive.as(userId, { permissions: ["read"] }).deleteFiles([{ id }])
    assert.deepInclude(await limited.catch((error: unknown) => error), { code: "token_limit" })
    assert.throws(() => drive.as("ada"), "userId must be a UUID.")
  })

  it("HOST-12 sessions and accounts are given out in code", async () => {
    const { drive } = await start({ quotaBytes: 5 })
    const made = await drive.accounts.create({ handle: "ada" })
    assert.deepInclude(made, { plan: "pro", quotaBytes: 5, suspended: false })
    assert.isNull(await drive.accounts.create({ handle: "ada" }))
    const userId = made!.userId
    const { token } = await drive.sessions.open(userId)
    const call = async () => {
      const response = await drive.fetch(
        new Request("http://drive.test/api/select-user-files", {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "x-service-app": "filedrive" }
        })
      )
      await response.text()
      return response.status
    }
    assert.strictEqual(await call(), 200)
    await drive.accounts.suspend(userId)
    assert.strictEqual(await call(), 401)
  })

  it("HOST-12 a host's own users are asked, and a host that can't answer is 503", async () => {
    const userId = "019845e1-682f-7b02-a706-3b2422d13aec"
    let away = false
    const { drive } = await start({
      accounts: {
        find: (id) => {
          if (away) throw new Error("the table is away")
          return id === userId ? { plan: "basic", quotaBytes: 7 } : null
        }
      }
    })
    assert.deepInclude(await drive.as(userId).getUserStorageUsage(), { quotaBytes: 7 })
    const refused = await drive.accounts.create({}).catch((error: Error) => error.message)
    assert.include(String(refused), "the host's own")
    const { token } = await drive.tokens.create(userId, { name: "a" })
    const exchange = () =>
      drive.fetch(
        new Request("http://drive.test/auth/exchange-token", {
          method: "POST",
          headers: { authorization: `Bearer ${token}` }
        })
      )
    assert.strictEqual((await exchange()).status, 200)
    away = true
    assert.deepInclude(await (await exchange()).json(), { code: "unavailable", retryable: true })
  })

  it("HOST-12 the cause of a host's answer that is wrong is told by every call, and by none over HTTP", async () => {
    const userId = "019845e1-682f-7b02-a706-3b2422d13aec"
    const { drive } = await start({ accounts: { find: () => ({ plan: "basic", quota: 7 }) as never } })
    const me = drive.as(userId)
    const calls = [
      () => drive.sessions.open(userId),
      () => drive.tokens.create(userId, { name: "a" }),
      () => me.files.put(new Uint8Array(1), { fileName: "a" }),
      () => me.searchFiles(),
      () => me.createFolder({ path: "/A" })
    ]
    for (const call of calls) {
      const error = await call().then(() => undefined, (error: Error) => error)
      assert.deepInclude(error as object, { code: "unavailable", status: 503 })
      assert.match(String(error?.cause), /quota must be named quotaBytes/, String(call))
    }
  })

  it("AUTH-32 a host's user who is suspended or unknown gets nothing in code, and the feed that is followed ends", async () => {
    const users = new Map<string, { suspended?: boolean }>()
    let now = Date.UTC(2026, 0, 1)
    const { drive } = await start({ accounts: { find: (id) => users.get(id) ?? null }, clock: () => now })
    const refusals = (userId: string) =>
      Promise.all(
        [
          () => drive.sessions.open(userId),
          () => drive.tokens.create(userId, { name: "a" }),
          () => drive.as(userId).getUserStorageUsage(),
          () => drive.as(userId).selectCollections(),
          () => drive.as(userId).files.list()[Symbol.asyncIterator]().next(),
          () => drive.as(userId).events()[Symbol.asyncIterator]().next()
        ].map(async (act) => act().then(() => "taken", (error: { readonly code?: string }) => error.code))
      )
    assert.deepStrictEqual(await refusals("019845e1-682f-7b02-a706-3b2422d13aed"), Array(6).fill("not_allowed"))
    const leavers: ReadonlyArray<readonly [string, (id: string) => void]> = [
      ["019845e1-682f-7b02-a706-3b2422d13aee", (id) => void users.set(id, { suspended: true })],
      ["019845e1-682f-7b02-a706-3b2422d13aef", (id) => void users.delete(id)]
    ]
    await Promise.all(leavers.map(async ([userId, leave]) => {
      users.set(userId, {})
      const feed = drive.as(userId).events()[Symbol.asyncIterator]()
      const next = feed.next()
      await drive.sessions.open(userId)
      leave(userId)
      now += 5_000
      // Nothing happens on the drive: only the end can come.
      assert.deepStrictEqual(await next, { value: undefined, done: true })
      assert.deepStrictEqual(await refusals(userId), Array(6).fill("not_allowed"))
    }))
  })

  it("HOST-12 close waits for a download in flight, is final, and may be called again", async () => {
    const { client, drive } = await start()
    const ada = await client()
    const big = new Uint8Array(4 * 1024 * 1024).fill(7)
    const id = await ada.upload({ fileName: "a.bin", bytes: big })
    const { downloadUrl } = await ada.ok("/generate-download-url", { id })
    const reading = await drive.fetch(new Request(downloadUrl!))
    const closed = drive.close()
    assert.strictEqual(drive.close(), closed)
    const refused = await drive.fetch(new Request("http://drive.test/healthz"))
    assert.deepStrictEqual([refused.status, (await refused.json()).code], [503, "unavailable"])
    assert.strictEqual((await reading.arrayBuffer()).byteLength, big.length)
    await closed
    assert.include(String(await drive.ready().catch((error: unknown) => error)), "closed")
  })

  it("HOST-12 close waits for no refusal that nobody reads, of the routes or of storage", async () => {
    // The grace is longer than a test may take.
    const { drive } = await start({ closeGraceMillis: 600_000 })
    const statuses = []
    for (
      const path of ["/api/select-user-files", "/storage/private/files/x", "/api/no-such-route", "/storage/no-such"]
    ) {
      statuses.push((await drive.fetch(new Request(`http://drive.test${path}`, { method: "POST" }))).status)
    }
    assert.isTrue(statuses.every((status) => status >= 400), statuses.join())
    await drive.close()
  })

  it("HOST-4 a server whose request timeout would cut uploads is told of once, by the setting's name", async () => {
    const told: Array<LogEntry> = []
    const { drive } = await start({ log: (entry) => void told.push(entry) })
    const url = await plainServer((request, response) => drive.nodeHandler(request, response))
    for (const path of ["/storage/private/files/x", "/storage/private/files/y"]) await fetch(url + path)
    const warnings = told.filter(({ level }) => level === "WARN" || level === "Warn")
    assert.deepStrictEqual(warnings.map(({ message }) => /requestTimeout is 300000 ms/.test(message)), [true])
  })

  it("HOST-49 a host's log function is told what failed, with its causes", async () => {
    const told: Array<LogEntry> = []
    const find = async () => {
      throw new Error("the users' database is away", { cause: new Error("refused") })
    }
    const { drive } = await start({ log: (entry) => void told.push(entry), accounts: { find } })
    await drive.sessions.open("0198a000-0000-7000-8000-00000000000a").catch(() => undefined)
    const entry = told.find(({ cause = "" }) => cause.includes("the users' database is away"))
    assert.include(entry?.cause, "refused")
    assert.notInclude(entry?.message, "{}")
    assert.notStrictEqual(entry?.message, "")
  })

  it("HOST-5 a served drive learns its address; a start that fails closes the server", async () => {
    const { drive } = await start()
    const { dataDirectory } = { dataDirectory: "/dev/null/none" }
    const broken = createDrive({ dataDirectory, log: "off" })
    assert.include(String(await serve(broken, { port: 0 }).catch((error: unknown) => error)), "it is no directory")
    const served = createDrive({ storage: "disk", dataDirectory: "./.unused", log: "off" })
    served.listensAt("http://127.0.0.1:9")
    assert.strictEqual(served.urls.api, "http://127.0.0.1:9/api")
    drive.listensAt("http://127.0.0.1:9")
    assert.strictEqual(drive.urls.api, "http://drive.test/api", "a url that was given stays")
  })

  it("HOST-13 traces go to the collector, the last when the drive closes", async () => {
    const sent: Array<{ readonly path: string | undefined; readonly body: string }> = []
    const url = await plainServer(async (request, response) => {
      sent.push({ path: request.url, body: await text(request) })
      response.end("{}")
    })
    const { drive } = await start({ tracing: { url } })
    await (await drive.fetch(new Request("http://drive.test/healthz"))).text()
    await drive.close()
    assert.deepStrictEqual([...new Set(sent.map(({ path }) => path))], ["/v1/traces"])
    assert.include(sent.map(({ body }) => body).join(), "filedrive")
  })

  it("HOST-12 a drive that does not migrate by itself is migrated by hand, and runs jobs when told to", async () => {
    const { drive } = await start({ migrateAtStart: false, runJobs: false, database: testDatabase() })
    await drive.migrate()
    await drive.ready()
    await drive.migrate()
    assert.isAtLeast(await drive.runJobs(), 1)
  })
})
