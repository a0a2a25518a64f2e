/** Where the agent is found on a drive, by whatever it is hosted. What its methods answer is tested in `packages/agent`. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { filedriveRouter } from "@filedrive/adapter-express"
import { memoryDrive, type MemoryDriveOptions } from "@filedrive/testing"
import express from "express"
import type { AddressInfo } from "node:net"
import { listen } from "../../src/server.ts"
import { temporaryDrive, userOf } from "./hosts.ts"

const card = "/.well-known/agent-card.json"

const call = (token: string, method = "ListTasks", params: unknown = {}): RequestInit => ({
  method: "POST",
  headers: { "authorization": `Bearer ${token}`, "content-type": "application/json", "a2a-version": "1.0" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
})

const withDrive = async (
  options: MemoryDriveOptions,
  test: (drive: Awaited<ReturnType<typeof memoryDrive>>) => Promise<void>
) => {
  const drive = await memoryDrive(options)
  try {
    await test(drive)
  } finally {
    await drive.close()
  }
}

describe("the agent of a drive", () => {
  let drive: Awaited<ReturnType<typeof memoryDrive>>
  let token: string

  beforeAll(async () => {
    const signIn = { user: () => null, loginUrl: () => "/login" }
    drive = await memoryDrive({ url: "https://app.test/files", signIn })
    token = (await drive.user()).apiToken
  })
  afterAll(() => drive.close())

  it("A2A-15 it answers with a slash and without, with the mount and without, to POST alone", async () => {
    assert.strictEqual(drive.urls.a2a, "https://app.test/files/a2a")
    for (const path of ["/files/a2a", "/files/a2a/", "/a2a", "/a2a/"]) {
      assert.isTrue(drive.owns(path), path)
      const answer = await drive.fetch(`https://app.test${path}`, call(token))
      assert.deepStrictEqual([answer.status, (await answer.json()).result.totalSize], [200, 0], path)
      const read = await drive.fetch(`https://app.test${path}`)
      assert.deepStrictEqual([read.status, read.headers.get("allow")], [405, "POST"], path)
    }
    const below = await drive.fetch("https://app.test/files/a2a/other", call(token))
    assert.strictEqual(below.status, 404)
  })

  it("A2A-15 its card is at the root of the origin, and says where the agent is", async () => {
    for (const path of [card, `/files${card}`]) {
      assert.isTrue(drive.owns(path), path)
      const answer = await drive.fetch(`https://app.test${path}`)
      const { securitySchemes, supportedInterfaces } = await answer.json()
      assert.strictEqual(supportedInterfaces[0].url, "https://app.test/files/a2a")
      const { oauth2SecurityScheme } = securitySchemes.oauth
      assert.strictEqual(
        oauth2SecurityScheme.oauth2MetadataUrl,
        "https://app.test/.well-known/oauth-authorization-server/files"
      )
      const head = await drive.fetch(`https://app.test${path}`, { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.headers.get("etag")], [200, answer.headers.get("etag")])
      assert.strictEqual((await drive.fetch(`https://app.test${path}`, { method: "POST" })).status, 405)
    }
    assert.isFalse(drive.owns("/.well-known/other"))
    assert.deepStrictEqual(
      [`http://any.test${card}?a=1`, "http://any.test/other", "http://"].map(drive.owns),
      [true, false, false]
    )
  })

  it("A2A-2 who has no credential is told where the agent's metadata is", async () => {
    const { headers, status } = await drive.fetch("https://app.test/files/a2a", { method: "POST" })
    assert.strictEqual(status, 401)
    assert.include(
      headers.get("www-authenticate")!,
      "resource_metadata=\"https://app.test/.well-known/oauth-protected-resource/files/a2a\""
    )
    const session = await drive.fetch("https://app.test/files/a2a", call("fdt_of_nobody"))
    assert.strictEqual(session.status, 401)
    const { apiToken } = await drive.user({ permissions: ["read", "add"] })
    assert.strictEqual((await drive.fetch("https://app.test/files/a2a", call(apiToken))).status, 403)
  })

  it("A2A-15 in an Express app its card is answered where the host passes it", async () => {
    const app = express().use(express.json()).use("/files", filedriveRouter(drive)).get(card, drive.nodeHandler)
    const { origin, stop } = await listen(app, { port: 0 })
    try {
      const answer = await fetch(`${origin}/files/a2a`, call(token))
      assert.strictEqual((await answer.json()).result.totalSize, 0)
      assert.strictEqual((await fetch(origin + card)).status, 200)
    } finally {
      await stop()
    }
  })

  it("A2A-15 its path is the host's to choose, and a drive may have none", async () => {
    await withDrive({ paths: { a2a: "/assistant" }, agent: { name: "Acme" } }, async (other) => {
      const answer = await other.fetch(`http://drive.test${card}`)
      const { name, supportedInterfaces } = await answer.json()
      assert.deepStrictEqual([name, supportedInterfaces[0].url], ["Acme", "http://drive.test/assistant"])
      assert.isFalse(other.owns("/a2a"))
    })
    await withDrive({ agent: false }, async (other) => {
      assert.deepStrictEqual([other.owns("/a2a"), other.owns(card)], [false, false])
      assert.strictEqual((await other.fetch("http://drive.test/a2a", call(token))).status, 404)
    })
  })

  it("A2A-8 a message is a task of the drive's at once", async () => {
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "find my photos" }] }
    const configuration = { returnImmediately: true }
    const sent = async () => {
      const answer = await drive.fetch(drive.urls.a2a, call(token, "SendMessage", { message, configuration }))
      return (await answer.json()).result.task
    }
    const task = await sent()
    assert.include(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"], task.status.state)
    assert.strictEqual((await sent()).id, task.id)
    const list = await drive.fetch(drive.urls.a2a, call(token))
    assert.strictEqual((await list.json()).result.totalSize, 1)
  })

  it("A2A-16 the limits of an account and an address hold for it; wrong tokens are counted, and keep nobody else at that address out", async () => {
    const limited = await temporaryDrive({
      url: "http://drive.test",
      rateLimits: {
        account: { calls: 2, perSeconds: 60 },
        anonymous: { calls: 2, perSeconds: 60 },
        failedExchange: { calls: 1, perSeconds: 60 }
      }
    })
    try {
      const { server, stop } = await listen((request, response) => limited.drive.nodeHandler(request, response), {
        port: 0
      })
      const { port } = server.address() as AddressInfo
      const { apiToken } = await userOf(limited.drive)()
      const statuses = async (bearer: string) => {
        const all: Array<number> = []
        for (let times = 0; times < 3; times++) {
          const answer = await fetch(`http://127.0.0.1:${port}/a2a`, call(bearer))
          all.push(answer.status)
          if (answer.status === 429) assert.match(answer.headers.get("retry-after")!, /^[1-9]\d*$/)
        }
        return all
      }
      assert.deepStrictEqual(await statuses(apiToken), [200, 200, 429])
      assert.deepStrictEqual(await statuses("fdt_of_nobody"), [401, 401, 429])
      const other = await userOf(limited.drive)()
      assert.deepStrictEqual(await statuses(other.apiToken), [200, 200, 429])
      await stop()
    } finally {
      await limited.close()
    }
  })
})
