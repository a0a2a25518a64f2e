/** Accounts share the places of calls: none keeps another from them. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type MemoryDrive, memoryDrive } from "@filedrive/testing"
import { connect, newDrive, register } from "../oauth/Apps.ts"
import { mcpUrl, post, request } from "./Mcp.ts"

let drive: MemoryDrive

beforeAll(async () => {
  drive = await memoryDrive()
})
afterAll(() => drive.close())

/** A message whose body's length nobody knows beforehand; without `text` it never ends. */
const streamed = (token: string, signal: AbortSignal, text?: string) => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(text ?? "{"))
      if (text !== undefined) controller.close()
    }
  })
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body,
    duplex: "half",
    signal
  }
  return drive.fetch(new Request(mcpUrl, init as RequestInit))
}

const archive = (fileId: string, id = 1) =>
  request("tools/call", {
    name: "create_archive_request",
    arguments: { fileIds: [fileId] },
    _meta: { progressToken: id }
  }, id)

const messagesOf = async (response: Response): Promise<ReadonlyArray<any>> =>
  (await response.text()).trim().split("\n\n").map((event) => JSON.parse(event.slice(event.indexOf("data: ") + 6)))

describe("places", () => {
  it("MCP-22 callers who send slowly keep no other waiting", async () => {
    const end = new AbortController()
    const [bob, eve, ada] = [await drive.user(), await drive.user(), await drive.user()]
    const slow = [bob, bob, eve, eve].map(({ apiToken }) => streamed(apiToken, end.signal).catch(() => null))
    const response = await streamed(ada.apiToken, end.signal, JSON.stringify(request("ping")))
    assert.deepStrictEqual(await response.json(), { jsonrpc: "2.0", id: 1, result: {} })
    end.abort()
    await Promise.all(slow)
  })

  it("MCP-23 with as much followed as an account may have, what is asked for begins, and its result comes at once", async () => {
    const ada = await drive.user()
    const id = await ada.upload({ fileName: "packed.txt", bytes: new TextEncoder().encode("pack me") })
    const calls = Array.from(
      { length: 20 },
      (_, n) => post(drive, archive(id, n), { token: ada.apiToken }).then(messagesOf)
    )
    let ended = 0
    const short = new Promise<void>((resolve) => {
      for (const call of calls) void call.then(() => ++ended === 12 && resolve())
    })
    await short
    await drive.runJobs()
    const all = await Promise.all(calls)
    assert.isTrue(all.every((messages) => typeof messages.at(-1).result.structuredContent.id === "string"))
    assert.lengthOf(all.filter((messages) => messages.length > 1), 8)
  })

  it("MCP-23 a caller who disconnects frees its place, and what it has begun goes on", async () => {
    const ada = await drive.user()
    const id = await ada.upload({ fileName: "packed.txt", bytes: new TextEncoder().encode("pack me") })
    for (let n = 0; n < 20; n++) {
      const response = await post(drive, archive(id, n), { token: ada.apiToken })
      const reader = response.body!.getReader()
      assert.match(new TextDecoder().decode((await reader.read()).value), /notifications\/progress/)
      await reader.cancel()
    }
    await drive.runJobs()
    const listed = await post(drive, request("tools/call", { name: "select_archives" }), { token: ada.apiToken })
    const { files: archives } = (await listed.json() as any).result.structuredContent
    // Archives of the same files are one.
    assert.deepStrictEqual(archives.map(({ status }: { readonly status: string }) => status), ["done"])
  })
})

describe("apps", () => {
  it("MCP-24 an app without a tool's permission is told which, whether or not it asks for progress", async () => {
    const open = await newDrive()
    const ada = await open.user()
    const { access_token } = await connect(open, await register(open), ada, { permissions: ["read"] })
    const params = { name: "import_from_url", arguments: { url: "https://example.com/a" } }
    for (const given of [params, { ...params, _meta: { progressToken: 1 } }]) {
      const response = await open.fetch(
        new Request("https://drive.test/mcp", {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            authorization: `Bearer ${access_token}`
          },
          body: JSON.stringify(request("tools/call", given))
        })
      )
      assert.strictEqual(response.status, 403)
      assert.match(response.headers.get("www-authenticate")!, /error="insufficient_scope".*scope="[^"]*add/)
    }
    await open.close()
  })
})
