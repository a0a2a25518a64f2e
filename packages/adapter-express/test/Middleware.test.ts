import { filedriveRouter } from "@filedrive/adapter-express"
import { createDrive, listen } from "@filedrive/adapter-node"
import { DriveClient, testDatabase } from "@filedrive/testing"
import compression from "compression"
import connectTimeout from "connect-timeout"
import cookieParser from "cookie-parser"
import cors from "cors"
import express, { type RequestHandler } from "express"
import { rateLimit } from "express-rate-limit"
import session from "express-session"
import express4 from "express4"
import helmet from "helmet"
import morgan from "morgan"
import multer from "multer"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Writable } from "node:stream"
import responseTime from "response-time"
import { afterAll, assert, describe, it } from "vitest"
import { allClosed, checkTransfers } from "../../adapter-node/test/hosts/Transfers.ts"

const ends: Array<() => Promise<unknown>> = []
afterAll(() => Promise.all(ends.map((end) => end())))

type Make = typeof express

const start = async (make: Make, before: (make: Make) => ReadonlyArray<RequestHandler>) => {
  const app = make()
  const server = await listen(app, { port: 0 })
  const url = `${server.origin}/drive`
  const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-middleware-"))
  const drive = createDrive({ url, dataDirectory, database: testDatabase(), media: false, runJobs: false, log: "off" })
  ends.push(() => server.stop().then(() => drive.close()).then(() => rm(dataDirectory, { recursive: true })))
  for (const middleware of before(make)) app.use(middleware)
  app.use("/drive", filedriveRouter(drive))
  const { userId } = await drive.accounts.create({}) ?? assert.fail("no account")
  const { token } = await drive.tokens.create(userId, { name: "test" })
  return { client: new DriveClient({ url, apiToken: token }), dataDirectory }
}

const logs = () => morgan("combined", { stream: new Writable({ write: (_chunk, _encoding, done) => done() }) })

/** As loggers and caches do: they keep what is written, answer nothing from `write` and know no callbacks. */
const keeping = (kept: Array<Buffer>): RequestHandler => (request, response, next) => {
  const write = response.write as (chunk: unknown) => boolean
  const isFile = request.url.includes("/storage/") && request.method === "GET"
  response.write = ((chunk: Buffer) => {
    if (isFile) kept.push(chunk)
    write.call(response, chunk)
  }) as never
  next()
}

const middleware: Readonly<Record<string, (make: Make) => ReadonlyArray<RequestHandler>>> = {
  "compression": () => [compression()],
  "compression of everything": () => [compression({ threshold: 0, filter: () => true })],
  "helmet": () => [helmet()],
  "morgan": () => [logs()],
  "cors": () => [cors({ origin: "https://app.example.com", credentials: true })],
  "body parsers": (make) => [make.json(), make.urlencoded({ extended: true }), make.raw(), make.text()],
  "cookie-parser": () => [cookieParser("secret")],
  "express-session": () => [session({ secret: "secret", resave: true, saveUninitialized: true, rolling: true })],
  "express-rate-limit": () => [rateLimit({ limit: 1_000, standardHeaders: true }) as RequestHandler],
  "serve-static": (make) => [make.static(import.meta.dirname)],
  "response-time": () => [responseTime()],
  "connect-timeout": () => [connectTimeout("60s")],
  "all of them": (make) => [
    logs(),
    responseTime(),
    compression(),
    helmet(),
    cors(),
    rateLimit({ limit: 1_000 }) as RequestHandler,
    cookieParser("secret"),
    session({ secret: "secret", resave: false, saveUninitialized: true }),
    make.json(),
    make.urlencoded({ extended: true }),
    make.static(import.meta.dirname)
  ]
}

const names = Object.keys(middleware)

describe.each([
  { version: 5, make: express, tried: names },
  { version: 4, make: express4, tried: ["compression", "express-session", "all of them"] }
])("Express $version", ({ make, tried }) => {
  it.each(tried)(
    "HOST-241 behind %s, files, ranges, calls and feeds work as without it, and a file is closed when its client disconnects",
    async (name) => {
      const { client, dataDirectory } = await start(make, middleware[name]!)
      await checkTransfers(client, dataDirectory)
    }
  )

  it("HOST-242 middleware that keeps the written bytes has them unchanged", async () => {
    const kept: Array<Buffer> = []
    const { client, dataDirectory } = await start(make, () => [keeping(kept)])
    await checkTransfers(client, dataDirectory)
    kept.length = 0
    const bytes = Uint8Array.from({ length: 5_000_000 }, (_, at) => at % 253)
    const id = await client.upload({ fileName: "kept.bin", bytes })
    assert.isTrue(Buffer.from(await client.download(id)).equals(bytes))
    assert.isTrue(Buffer.concat(kept).equals(bytes))
  })

  it("HOST-3 a form that a parser of forms has read is refused by name", async () => {
    const { client } = await start(make, () => [multer().any()])
    const bytes = new Uint8Array(100)
    const input = await client.describe({ fileName: "a.bin", bytes })
    const sent = await client.sendForm(await client.ok("/generate-file-urls", input), bytes)
    assert.strictEqual(sent.status, 400)
    assert.strictEqual((await client.call("/insert-file", input)).body.code, "object_not_found")
  })

  it("HOST-243 a request that the host has answered, for example at a time limit, is left alone", async () => {
    let isLate = false
    const { client, dataDirectory } = await start(make, () => [(_request, response, next) => {
      if (isLate) response.status(503).end("late")
      next()
    }])
    const id = await client.upload({ fileName: "a.bin", bytes: new Uint8Array(300_000) })
    const { downloadUrl } = await client.ok("/generate-download-url", { id })
    isLate = true
    for (const url of [downloadUrl!, `${client.url}/api/docs`, `${client.url}/readyz`]) {
      const answer = await fetch(url)
      assert.deepStrictEqual([answer.status, await answer.text()], [503, "late"])
    }
    isLate = false
    await allClosed(dataDirectory)
    assert.strictEqual((await client.download(id)).length, 300_000)
  })
})
