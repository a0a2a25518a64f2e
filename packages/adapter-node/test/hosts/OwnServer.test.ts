/** A host's own server, with a drive that was not told where people reach it. */
import { afterEach, assert, describe, it } from "@effect/vitest"
import { createDrive, type Drive, type DriveOptions, serve } from "@filedrive/adapter-node"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const ends: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A drive, and the warnings that its host hears. */
const opened = async (options: DriveOptions = {}) => {
  const directory = await mkdtemp(join(tmpdir(), "filedrive-own-"))
  ends.push(() => rm(directory, { recursive: true, force: true }))
  const warnings: Array<string> = []
  const drive = createDrive({
    dataDirectory: directory,
    media: false,
    log: ({ message }) => void warnings.push(message),
    ...options
  })
  ends.push(() => drive.close())
  return { drive, told: () => warnings.filter((message) => message.includes("`url`")) }
}

const ownServer = async (drive: Drive) => {
  const server = createServer((request, response) => drive.nodeHandler(request, response))
  server.requestTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sends a request line and what follows; the status line of the answer. */
const statusOf = (origin: string, target: string, method = "GET") =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1")
    let text = ""
    socket.on("data", (chunk) => text += chunk.toString("latin1")).on("error", reject)
    socket.on("close", () => resolve(text.split("\r\n")[0] ?? ""))
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n`)
  })

const health = async (origin: string) => {
  const answer = await fetch(`${origin}/healthz`, { headers: { connection: "close", host: "elsewhere.example" } })
  assert.strictEqual(answer.status, 200)
}

describe("a host's own server", () => {
  it("HOST-81 without a url it is told once that the links lead elsewhere", async () => {
    const { drive, told } = await opened()
    const origin = await ownServer(drive)
    await health(origin)
    await health(origin)
    assert.deepStrictEqual(told(), [
      `A request came to ${origin}, but this drive's links begin with http://127.0.0.1:4500: give createDrive its \`url\`, ` +
      "where people reach it."
    ])
    const web = await opened()
    await web.drive.fetch(new Request("http://app.example.com/healthz"))
    assert.match(web.told().join(), /^A request came to http:\/\/app\.example\.com, but/)
  })

  it("HOST-81 with a url, or served by serve, it is told nothing", async () => {
    const withUrl = await opened({ url: "https://app.example.com" })
    await health(await ownServer(withUrl.drive))
    const served = await opened()
    const server = await serve(served.drive, { port: 0 })
    ends.push(() => server.stop())
    await health(server.origin)
    assert.deepStrictEqual([withUrl.told(), served.told()], [[], []])
  })

  it("HOST-244 whole URLs as request targets are answered like their paths, and other targets are not for the drive", async () => {
    const { drive } = await opened({ url: "http://app.example.com/drive" })
    const origin = await ownServer(drive)
    const user = await drive.accounts.create({}) ?? assert.fail("no account")
    const { id } = await drive.as(user.userId).files.put(new Uint8Array(10), { fileName: "a.bin" })
    const downloadUrl = (await drive.as(user.userId).generateDownloadUrl({ id })).downloadUrl!
    const ok = "HTTP/1.1 200 OK"
    for (const target of [downloadUrl, downloadUrl.replace("http://app.example.com", "https://other.example")]) {
      assert.strictEqual(await statusOf(origin, target), ok)
      assert.strictEqual(
        await statusOf(origin, target.replace("&X-Amz-Signature=", "&X-Amz-Signature=0")),
        "HTTP/1.1 403 Forbidden"
      )
    }
    assert.strictEqual(await statusOf(origin, "http://app.example.com/drive/healthz"), ok)
    assert.strictEqual(await statusOf(origin, "http://app.example.com/healthz?x"), ok)
    assert.isTrue(drive.owns("http://app.example.com/drive/healthz"))
    for (
      const [target, method] of [["*", "OPTIONS"], ["//", "GET"], ["//healthz", "GET"], ["http://", "GET"], [
        "http://x",
        "GET"
      ], ["/%", "GET"]]
    ) {
      assert.match(await statusOf(origin, target!, method), /^HTTP\/1\.1 40[04] /, `${method} ${target}`)
    }
    assert.strictEqual(await statusOf(origin, "/drive/healthz"), ok)
  })
})
