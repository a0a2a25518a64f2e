import { afterAll, assert, describe, it } from "@effect/vitest"
import { DriveClient } from "@filedrive/testing"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ServerProcess, startServer } from "./ServerProcess.ts"

const bytes = Uint8Array.from({ length: 400_000 }, (_, at) => at % 251)

const servers: Array<ServerProcess> = []
const directories: Array<string> = []
afterAll(async () => {
  for (const server of servers) server.signal("SIGKILL")
  await Promise.all(servers.map((server) => server.ended))
  await Promise.all(directories.map((path) => rm(path, { recursive: true, force: true })))
})

const newDirectory = async () => {
  const path = await mkdtemp(join(tmpdir(), "filedrive-server-"))
  directories.push(path)
  return join(path, "data")
}

const start = (variables: Readonly<Record<string, string>>) => {
  const server = startServer(variables)
  servers.push(server)
  return server
}

const stop = async (server: ServerProcess) => {
  server.signal("SIGTERM")
  return server.ended
}

/** Posts a body whose second half waits for `between`. */
const postSlowly = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  between: () => Promise<unknown>
): Promise<number> =>
  new Promise((resolve, reject) => {
    const sending = request(url, { method: "POST", headers: { ...headers, "content-length": body.length } })
    sending.on("response", (response) => {
      response.resume()
      response.on("end", () => resolve(response.statusCode ?? 0))
    }).on("error", reject)
    const half = Math.floor(body.length / 2)
    sending.write(body.subarray(0, half), () => {
      between().then(() => sending.end(body.subarray(half)), reject)
    })
  })

describe("the example server", () => {
  it("HOST-1 HOST-5 starts on nothing, keeps files and token over a restart, lets no second process in", async () => {
    const directory = await newDirectory()
    const first = start({ FILEDRIVE_DATA: directory })
    const ready = await first.ready
    assert.match(ready.siteUrl, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.deepStrictEqual([ready.baseUrl, ready.authUrl, ready.a2aUrl], [
      `${ready.siteUrl}/api`,
      `${ready.siteUrl}/auth`,
      `${ready.siteUrl}/a2a`
    ])
    assert.deepStrictEqual(ready.accounts.map(({ handle }) => handle), ["demo"])
    assert.strictEqual((await stat(directory)).mode & 0o777, 0o700)
    assert.strictEqual((await stat(join(directory, "demo-token"))).mode & 0o777, 0o600)
    const id = await new DriveClient({ url: ready.siteUrl, ...ready.accounts[0]! }).upload({ fileName: "a.bin", bytes })

    const second = await start({ FILEDRIVE_DATA: directory }).ended
    assert.strictEqual(second.code, 1)
    assert.match(second.stderr, /^filedrive can't start: FILEDRIVE_DATA: Another process is using .+\n$/)

    const ended = await stop(first)
    assert.deepStrictEqual([ended.code, ended.stderr], [0, ""])

    const again = await start({ FILEDRIVE_DATA: directory }).ready
    assert.deepStrictEqual(again.accounts, ready.accounts)
    const client = new DriveClient({ url: again.siteUrl, ...again.accounts[0]! })
    assert.deepStrictEqual(await client.download(id), bytes)
  }, 120_000)

  it("HOST-6 SIGTERM lets an upload in flight end, takes no new one, and exits 0", async () => {
    const server = start({ FILEDRIVE_DATA: await newDirectory() })
    const { accounts, siteUrl } = await server.ready
    const client = new DriveClient({ url: siteUrl, ...accounts[0]! })
    const form = await client.ok("/generate-file-urls", await client.describe({ fileName: "a.bin", bytes }))
    const data = new FormData()
    for (const [name, value] of Object.entries<string>(form.uploadForm)) data.append(name, value)
    data.append("file", new Blob([bytes]))
    const whole = new Response(data)
    const contentType = whole.headers.get("content-type") ?? ""
    const refused: Array<unknown> = []
    const status = await postSlowly(
      form.uploadUrl,
      { "content-type": contentType },
      new Uint8Array(await whole.arrayBuffer()),
      async () => {
        server.signal("SIGTERM")
        // The server no longer listens once it has heard the signal.
        while (refused.length === 0) await fetch(`${siteUrl}/healthz`).catch((error: unknown) => refused.push(error))
      }
    )
    assert.strictEqual(status, 204)
    assert.strictEqual((await server.ended).code, 0)
  }, 120_000)

  it("HOST-5 the environment's accounts are there, and become what it says at the next start", async () => {
    const FILEDRIVE_DATA = await newDirectory()
    const account = { handle: "ada", apiToken: "fdt_ada_012345678900000000000000", quotaBytes: 1_000 }
    const at = (changed: object) => ({
      FILEDRIVE_DATA,
      FILEDRIVE_ACCOUNTS: JSON.stringify([{ ...account, ...changed }])
    })
    const first = start(at({}))
    const { accounts, siteUrl } = await first.ready
    const client = new DriveClient({ url: siteUrl, ...accounts[0]! })
    assert.deepInclude(await client.ok("/get-user-storage-usage"), { quotaBytes: 1_000 })
    await stop(first)
    const second = await start(at({ quotaBytes: 2_000 })).ready
    assert.strictEqual(second.accounts[0]?.userId, accounts[0]?.userId)
    const later = new DriveClient({ url: second.siteUrl, ...second.accounts[0]! })
    assert.deepInclude(await later.ok("/get-user-storage-usage"), { quotaBytes: 2_000 })
  }, 120_000)

  it("AUTH-20 a rotated or removed apiToken ends its predecessor and its sessions at the next start", async () => {
    const FILEDRIVE_DATA = await newDirectory()
    const token = (name: string) => name.padEnd(40, "-")
    const at = (...accounts: ReadonlyArray<readonly [string, string]>) => ({
      FILEDRIVE_DATA,
      FILEDRIVE_ACCOUNTS: JSON.stringify(accounts.map(([handle, name]) => ({ handle, apiToken: token(name) })))
    })
    const sessionOf = async (server: Awaited<ReturnType<typeof start>["ready"]>, name: string) => {
      const response = await fetch(`${server.authUrl}/exchange-token`, {
        method: "POST",
        headers: { authorization: `Bearer ${token(name)}` }
      })
      return response.status === 200 ? (await response.json() as { readonly gelToken: string }).gelToken : null
    }
    const statusOf = async (server: Awaited<ReturnType<typeof start>["ready"]>, session: string | null) => {
      const headers = { authorization: `Bearer ${session}`, "x-service-app": "filedrive" }
      return (await fetch(`${server.baseUrl}/select-user-files`, { method: "POST", headers })).status
    }
    const first = start(at(["ada", "ada-one"], ["bob", "bob-one"]))
    const before = await first.ready
    const [ada, bob] = [await sessionOf(before, "ada-one"), await sessionOf(before, "bob-one")]
    assert.deepStrictEqual([await statusOf(before, ada), await statusOf(before, bob)], [200, 200])
    await stop(first)
    const after = await start(at(["ada", "ada-two"])).ready
    assert.deepStrictEqual([await statusOf(after, ada), await statusOf(after, bob)], [401, 401])
    assert.deepStrictEqual([await sessionOf(after, "ada-one"), await sessionOf(after, "bob-one")], [null, null])
    assert.strictEqual(await statusOf(after, await sessionOf(after, "ada-two")), 200)
  }, 120_000)

  it("HOST-5 HOST-13 SEC-4 logs and metrics are switched on, and hold no token, session or signed link", async () => {
    const server = start({ FILEDRIVE_DATA: await newDirectory(), FILEDRIVE_LOG: "json", FILEDRIVE_METRICS: "1" })
    const { accounts, siteUrl } = await server.ready
    const client = new DriveClient({ url: siteUrl, ...accounts[0]! })
    await client.upload({ fileName: "a.bin", bytes })
    const page = await fetch(siteUrl)
    assert.include(page.headers.get("content-security-policy") ?? "", "default-src 'none'")
    assert.include(await page.text(), `${siteUrl}/api/docs`)
    const metrics = await (await fetch(`${siteUrl}/metrics`)).text()
    assert.match(metrics, /filedrive_http_requests_total\{.*status="200".*\} \d+/)
    const { gelToken } = await client.session()
    const { code, stderr } = await stop(server)
    assert.strictEqual(code, 0)
    const lines = stderr.trim().split("\n").map((line) => JSON.parse(line))
    assert.isAtLeast(lines.length, 3)
    for (const secret of [accounts[0]!.apiToken, gelToken, "X-Amz-Signature"]) assert.notInclude(stderr, secret)
  }, 120_000)

  it.each([
    { variables: { PORT: "eighty" }, says: /^filedrive can't start: PORT must be a whole number .+\n$/ },
    {
      variables: { DATABASE_URL: "postgres://u:hush@127.0.0.1:1/d" },
      says: /: DATABASE_URL: no PostgreSQL server answers at/
    },
    { variables: { HOST: "192.0.2.1" }, says: /: HOST is no address of this machine\.\n$/ },
    {
      variables: { FILEDRIVE_DATA: "/dev/null/x" },
      says: /: FILEDRIVE_DATA: The directory \/dev\/null\/x can't be used: it is no directory/
    },
    {
      variables: {
        FILEDRIVE_ACCOUNTS: JSON.stringify([
          { handle: "ada", apiToken: "a".repeat(32) },
          { handle: "bob", apiToken: "b".repeat(32), displayName: "B\u2028ob" }
        ])
      },
      says: /^filedrive can't start: FILEDRIVE_ACCOUNTS \[1\]\.displayName must not contain line separators\.\n$/
    }
  ])("HOST-5 $variables stops the start with a sentence", async ({ says, variables }) => {
    const FILEDRIVE_DATA = await newDirectory()
    const { code, stderr, stdout } = await start({ FILEDRIVE_DATA, ...variables }).ended
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.match(stderr, says)
    assert.notMatch(stderr, /hush|\n\s+at /)
  }, 60_000)
})
