import { afterAll, assert, describe, it } from "@effect/vitest"
import { filedriveRouter } from "@filedrive/adapter-express"
import { createDrive, type DriveOptions, listen } from "@filedrive/adapter-node"
import { DriveClient, testDatabase } from "@filedrive/testing"
import express from "express"
import express4 from "express4"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

type App = ReturnType<typeof express>

const ends: Array<() => Promise<unknown>> = []
afterAll(() => Promise.all(ends.map((end) => end())))

/** A host app with a drive at `mount` and routes of its own before and after it. */
const start = async (
  make: typeof express,
  mount: string,
  before: (app: App) => void = () => undefined,
  options: DriveOptions = {}
) => {
  const app = make()
  const server = await listen(app, { port: 0 })
  const url = server.origin + (mount === "/" ? "" : mount)
  const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-express-"))
  const drive = createDrive({ url, dataDirectory, database: testDatabase(), log: "off", ...options })
  ends.push(() => server.stop().then(() => drive.close()).then(() => rm(dataDirectory, { recursive: true })))
  before(app)
  app.use(mount, filedriveRouter(drive))
  app.get("/users", (_request, response) => void response.json(["ada"]))
  app.post("/users", (request, response) => void response.json(request.body ?? null))
  app.get("/broken", () => {
    throw new Error("the host's own")
  })
  const { userId } = await drive.accounts.create({}) ?? assert.fail("no account")
  const { token } = await drive.tokens.create(userId, { name: "test" })
  return { origin: server.origin, url, drive, client: new DriveClient({ url, apiToken: token }) }
}

const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256)

describe.each([{ version: 5, make: express }, { version: 4, make: express4 }])("Express $version", ({ make }) => {
  it("HOST-3 the host's own routes and errors stay its own", async () => {
    const { origin } = await start(make, "/", (app) => app.use(make.json()))
    assert.deepStrictEqual(await (await fetch(`${origin}/users`)).json(), ["ada"])
    const posted = await fetch(`${origin}/users`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{\"name\":\"bob\"}"
    })
    assert.deepStrictEqual(await posted.json(), { name: "bob" })
    const broken = await fetch(`${origin}/broken`)
    assert.strictEqual(broken.status, 500)
    assert.include(broken.headers.get("content-type") ?? "", "text/html")
    const malformed = await fetch(`${origin}/users`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{"
    })
    assert.strictEqual(malformed.status, 400)
    assert.include(malformed.headers.get("content-type") ?? "", "text/html", "the host's error page, not the drive's")
    assert.strictEqual((await fetch(`${origin}/no-such`)).status, 404)
  })

  it.each([
    { what: "malformed", body: "{\"id\":" },
    { what: "too large for the parser", body: JSON.stringify({ id: "x".repeat(200_000) }) },
    { what: "in an unknown charset", body: "{}", type: "application/json; charset=klingon" }
  ])("HOST-3 a body $what for the parser before it is answered as ApiError", async ({ body, type }) => {
    const { client } = await start(make, "/drive", (app) => app.use(make.json()))
    const answer = await client.raw("/trash-files", { body, headers: { "content-type": type ?? "application/json" } })
    assert.strictEqual(answer.status, 400)
    assert.deepInclude(answer.body, { code: "invalid_body", retryable: false })
  })

  it("OAUTH-98 a body that a parser before the drive could not read is an error in OAuth's form", async () => {
    const signIn = { user: () => null, loginUrl: () => "/login" }
    const { url } = await start(make, "/drive", (app) => app.use(make.json()), { signIn })
    const headers = { "content-type": "application/json" }
    const answer = await fetch(`${url}/oauth/register`, { method: "POST", headers, body: "{" })
    assert.strictEqual(answer.status, 400)
    assert.deepStrictEqual(await answer.json(), {
      error: "invalid_request",
      error_description: "The body is not valid JSON."
    })
  })

  it("HOST-3 a parser that reads every upload as bytes hands them on; one that makes text of them is told of", async () => {
    const raw = await start(make, "/drive", (app) => app.use(make.raw({ type: () => true })))
    const id = await raw.client.upload({ fileName: "a.bin", bytes })
    assert.deepStrictEqual(await raw.client.download(id), bytes)

    const text = await start(make, "/drive", (app) => app.use(make.text({ type: () => true })))
    const input = await text.client.describe({ fileName: "a.bin", bytes })
    const sent = await text.client.sendForm(await text.client.ok("/generate-file-urls", input), bytes)
    assert.strictEqual(sent.status, 400)
    assert.strictEqual((await text.client.call("/insert-file", input)).body.code, "object_not_found")
  })

  it("HOST-3 the node handler itself can be mounted, with the path taken off or not", async () => {
    const app = make()
    const server = await listen(app, { port: 0 })
    const { drive } = await start(make, "/elsewhere")
    ends.push(() => server.stop())
    app.use("/elsewhere", drive.nodeHandler)
    assert.strictEqual((await fetch(`${server.origin}/elsewhere/healthz`)).status, 200)
    app.use(drive.nodeHandler)
    assert.strictEqual((await fetch(`${server.origin}/healthz`)).status, 200)
  })

  it("OAUTH-96 of several issuers on one origin each answers with its own documents", async () => {
    const app = make()
    const server = await listen(app, { port: 0 })
    const { origin } = server
    const signIn = { user: () => null, loginUrl: () => "/login" }
    const { drive: one } = await start(make, "/", () => undefined, { url: `${origin}/one`, signIn })
    const { drive: two } = await start(make, "/", () => undefined, { url: `${origin}/one/two`, signIn })
    ends.unshift(() => server.stop())
    app.use("/one/two", filedriveRouter(two))
    app.use("/one", filedriveRouter(one))
    app.all(/^\/\.well-known\//, one.nodeHandler, two.nodeHandler)
    app.use("/.well-known", (request, response) => void response.json({ issuer: `host: ${request.originalUrl}` }))

    const [issuer, resource] = ["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"]
    const read = async (path: string) => {
      const document = await (await fetch(origin + path)).json() as { issuer?: string; resource?: string }
      return document.issuer ?? document.resource
    }
    for (const mount of ["/one", "/one/two"]) {
      assert.strictEqual(await read(issuer + mount), origin + mount)
      assert.strictEqual(await read(mount + issuer), origin + mount)
      assert.strictEqual(await read(`${resource}${mount}/mcp`), `${origin}${mount}/mcp`)
      assert.strictEqual(await read(`${mount}${resource}/mcp`), `${origin}${mount}/mcp`)
    }
    for (
      const path of [
        issuer,
        `${issuer}/api/auth`,
        `${issuer}/one/three`,
        resource,
        `${resource}/mcp`,
        `${resource}/one`
      ]
    ) {
      assert.strictEqual(await read(path), `host: ${path}`)
      assert.deepStrictEqual([one.owns(origin + path), two.owns(path)], [false, false])
    }
  })

  it("RATE-9 the caller's address arrives, and what a proxy says of it", async () => {
    const rateLimits = { address: { calls: 3, perSeconds: 3_600 } }
    const { client } = await start(make, "/drive", (app) => app.use(make.json()), { rateLimits, trustedProxies: 1 })
    const statuses = []
    for (let at = 0; at < 4; at++) statuses.push((await client.call("/select-user-files", {})).status)
    // The exchange was the first call.
    assert.deepStrictEqual(statuses, [200, 200, 429, 429])
    const elsewhere = await client.call("/select-user-files", {}, { "x-forwarded-for": "203.0.113.5" })
    assert.strictEqual(elsewhere.status, 200)
  })
})
