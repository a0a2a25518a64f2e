/** Imports over HTTP: files fetched from a server that the suite runs itself, so the host must allow private addresses. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { DriveClient } from "../DriveClient.ts"
import { content, type CurrentHost, eventually, newClient } from "./HttpHost.ts"

const nobody = "019845e1-682f-7b02-a706-3b2422d13aff"
const large = content(9_000_000)
const png = Uint8Array.from(Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex"))

/** What the server has, by path. */
const files: Readonly<Record<string, RequestListener>> = {
  "/dir/caf%C3%A9": (_, response) => response.writeHead(200, { "content-length": png.length }).end(png),
  "/large": (_, response) => {
    response.writeHead(200, { "content-disposition": "attachment; filename*=UTF-8''gro%C3%9F.bin" })
    response.end(large)
  },
  "/moved": (_, response) => response.writeHead(302, { location: "/large" }).end(),
  "/endless": (_, response) => {
    // Until its reader has disconnected.
    const more = (error?: Error | null) =>
      error == null && response.write(large, (failed) => setImmediate(more, failed))
    more()
  },
  "/missing": (_, response) => response.writeHead(404).end(),
  "/packed": (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(large)
}

/** The import once it has ended. */
const ended = (client: DriveClient, id: string) =>
  eventually(
    async () => (await client.ok("/select-imports", { ids: [id] }))[0]!,
    ({ status }) => status !== "working"
  )

export const importCases = (host: CurrentHost): void => {
  let server: Server | undefined
  let origin = ""
  beforeAll(async () => {
    const started = createServer((request, response) => files[request.url ?? ""]!(request, response))
    server = started
    await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve))
    origin = `http://127.0.0.1:${(started.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })

  const imported = async (client: DriveClient, path: string, request: object = {}) => {
    const started = await client.ok("/import-from-url", { url: origin + path, ...request })
    assert.deepStrictEqual(Object.keys(started).sort(), ["id", "status"])
    assert.strictEqual(started.status, "working")
    return ended(client, started.id)
  }

  it("IMP-1 IMP-4 HOST-2 a link's file is brought in, found by its kind and told with its import", async () => {
    const client = await newClient(host())
    const { file, ...item } = await imported(client, "/dir/caf%C3%A9", { folder: "/From/Afar", description: "a dot" })
    assert.deepInclude(item, { url: `${origin}/dir/caf%C3%A9`, status: "done", error: null, code: null })
    assert.deepInclude(item, { receivedBytes: png.length, totalBytes: png.length })
    assert.deepInclude(file, { fileName: "café.png", type: "Image", mimeType: "image/png", description: "a dot" })
    assert.strictEqual(file!.folder!.path, "/From/Afar")
    assert.deepStrictEqual(await client.download(file!.id), png)
    const { events } = await client.ok("/select-drive-events", { kinds: ["file"] })
    assert.deepStrictEqual(events.flatMap((event) => event.kind === "file" ? [event.file.id] : []), [file!.id])
    assert.deepStrictEqual((await client.ok("/select-user-files")).map(({ id }: { id: string }) => id), [file!.id])
    await client.ok("/delete-files", [{ id: file!.id }])
    assert.isNull((await ended(client, item.id)).file)
  })

  it("IMP-6 IMP-9 HOST-2 a large file of no stated length comes whole, behind a redirect", async () => {
    const client = await newClient(host(), { quotaBytes: large.length })
    const { file, totalBytes } = await imported(client, "/moved", { folderId: null })
    assert.strictEqual(totalBytes, large.length)
    assert.deepInclude(file, { fileName: "groß.bin", fileSize: large.length, folder: null })
    assert.isTrue(Buffer.from(large).equals(await client.download(file!.id)))
    const full = await client.call("/import-from-url", { url: `${origin}/large` })
    assert.deepStrictEqual([full.status, full.body.code, full.body.field], [400, "storage_limit_reached", "url"])
  }, 30_000)

  it("IMP-11 HOSTILE-33 HOSTILE-35 HOST-2 what can't be brought in says why and leaves nothing", async () => {
    const client = await newClient(host(), { quotaBytes: 20_000_000 })
    for (
      const [path, code] of [
        ["/endless", "storage_limit_reached"],
        ["/missing", "server_refused"],
        ["/packed", "invalid_answer"]
      ] as const
    ) {
      const item = await imported(client, path)
      assert.deepInclude(item, { status: "failed", code, file: null })
      assert.match(item!.error!, /^[A-Z].*\.$/)
    }
    const usage = await client.ok("/get-user-storage-usage")
    assert.deepInclude(usage, { usedBytes: 0, pendingBytes: 0, objectCount: 0 })
  }, 30_000)

  it("IMP-2 IMP-3 IMP-4 HOST-2 what is wrong is named", async () => {
    const client = await newClient(host())
    const url = `${origin}/large`
    const wrong: ReadonlyArray<readonly [route: string, body: object, status: number, code: string, field?: string]> = [
      ["/import-from-url", {}, 400, "missing_field", "url"],
      ["/import-from-url", { url: 5 }, 400, "invalid_field", "url"],
      ["/import-from-url", { url: "" }, 400, "invalid_field", "url"],
      ["/import-from-url", { url: "file:///etc/passwd" }, 400, "invalid_field", "url"],
      ["/import-from-url", { url: "http://user:pass@files.test/" }, 400, "invalid_field", "url"],
      ["/import-from-url", { url: `${url}?${"x".repeat(8_192)}` }, 400, "invalid_field", "url"],
      ["/import-from-url", { url, fileName: "" }, 400, "invalid_field", "fileName"],
      ["/import-from-url", { url, fileName: "a\nb" }, 400, "invalid_field", "fileName"],
      ["/import-from-url", { url, folder: "A" }, 400, "invalid_field", "folder"],
      ["/import-from-url", { url, folder: "/A", folderId: null }, 400, "invalid_field", "folderId"],
      ["/import-from-url", { url, folderId: "A" }, 400, "invalid_field", "folderId"],
      ["/import-from-url", { url, folderId: nobody }, 404, "not_found"],
      ["/import-from-url", { url, description: "x".repeat(10_001) }, 400, "invalid_field", "description"],
      ["/select-imports", { limit: 0 }, 400, "invalid_field", "limit"],
      ["/select-imports", { ids: [] }, 400, "invalid_field", "ids"],
      ["/select-imports", { ids: Array(101).fill(nobody) }, 400, "invalid_field", "ids"],
      ["/select-imports", { ids: [nobody, "A"] }, 400, "invalid_field", "ids[1]"]
    ]
    for (const [route, body, status, code, field] of wrong) {
      const answer = await client.call(route, body)
      assert.deepStrictEqual(
        [answer.status, answer.body.code, answer.body.field],
        [status, code, field],
        JSON.stringify(body)
      )
    }
    assert.deepStrictEqual(await client.ok("/select-imports", { ids: [nobody] }), [])
    const planless = await newClient(host(), { plan: null })
    assert.strictEqual((await planless.call("/import-from-url", { url })).body.code, "no_plan")
  })
}
