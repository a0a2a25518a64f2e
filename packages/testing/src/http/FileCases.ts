/** Files once they are recorded: links, ranges, access, names, trash. */
import { assert, it } from "@effect/vitest"
import { content, type CurrentHost, newClient, statusOf } from "./HttpHost.ts"

const script = new TextEncoder().encode("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>")

export const fileCases = (host: CurrentHost): void => {
  it.each([
    { range: "bytes=0-0", status: 206, gives: [0, 1] },
    { range: "bytes=100-", status: 206, gives: [100, 1_000] },
    { range: "bytes=-7", status: 206, gives: [993, 1_000] },
    { range: "bytes=990-5000", status: 206, gives: [990, 1_000] },
    { range: "bytes=1000-", status: 416, gives: null },
    { range: "lines=1-2", status: 200, gives: [0, 1_000] }
  ])("DL-5 HOST-2 $range answers $status", async ({ gives, range, status }) => {
    const client = await newClient(host())
    const bytes = content(1_000)
    const id = await client.upload({ fileName: "range.bin", bytes })
    const { downloadUrl } = await client.ok("/generate-download-url", { id })
    const response = await client.fetch(downloadUrl!, { headers: { range } })
    assert.strictEqual(response.status, status)
    const body = new Uint8Array(await response.arrayBuffer())
    if (gives !== null) assert.deepStrictEqual(body, bytes.slice(gives[0], gives[1]))
  })

  it("ACC-1 ACC-2 HOST-2 a file turns public and private again", async () => {
    const client = await newClient(host())
    const bytes = content(5_000)
    const id = await client.upload({ fileName: "open.bin", bytes })
    const { downloadUrl: signed } = await client.ok("/generate-download-url", { id })

    const opened = await client.ok("/toggle-file-access", { id })
    assert.isTrue(opened.isPublic)
    const anyone = await client.fetch(opened.downloadUrl!)
    assert.deepStrictEqual(new Uint8Array(await anyone.arrayBuffer()), bytes)
    assert.strictEqual(await statusOf(client.fetch(signed!)), 200)
    const listed = (await client.ok("/select-user-files"))[0]
    assert.strictEqual(listed!.downloadUrl, opened.downloadUrl)
    const stranger = await client.raw("/generate-download-url", {
      body: JSON.stringify({ id }),
      headers: { "content-type": "application/json" }
    })
    assert.strictEqual(stranger.status, 200)

    const closed = await client.ok("/toggle-file-access", { id })
    assert.deepInclude(closed, { isPublic: false, downloadUrl: null })
    assert.isAtLeast(await statusOf(client.fetch(opened.downloadUrl!)), 400)
    assert.deepStrictEqual(await client.download(id), bytes)
  })

  it("DL-6 META-2 HOST-2 a download carries the file's name", async () => {
    const client = await newClient(host())
    const id = await client.upload({ fileName: "a.bin", bytes: content(3) })
    const renamed = await client.ok("/rename-file", { fileId: id, fileName: "für \"dich\"; x=1.bin" })
    assert.strictEqual(renamed.fileName, "für \"dich\"; x=1.bin")
    await client.ok("/update-file-description", { fileId: id, description: "two\nlines" })
    const record = await client.ok("/generate-download-url", { id })
    assert.strictEqual(record.description, "two\nlines")
    const response = await client.fetch(record.downloadUrl!)
    const disposition = response.headers.get("content-disposition") ?? ""
    assert.match(disposition, /^attachment; filename="[^"]*"; filename\*=UTF-8''f%C3%BCr%20%22dich%22%3B%20x%3D1\.bin$/)
    await response.arrayBuffer()
  })

  it("SEC-1 HOST-2 a drawing with a script is handed over to be saved, not shown", async () => {
    const client = await newClient(host())
    const id = await client.upload({ fileName: "x.svg", bytes: script, type: "Image", mimeType: "image/svg+xml" })
    const { downloadUrl } = await client.ok("/toggle-file-access", { id })
    const response = await client.fetch(downloadUrl!)
    assert.match(response.headers.get("content-disposition") ?? "", /^attachment/)
    await response.arrayBuffer()
  })

  it.each([
    { sent: "text/csv", text: "a,b\n1,2\n", says: { type: "Text" as const, mimeType: "text/csv" } },
    { sent: "video/mp4", text: "#EXTM3U\n", says: { type: "Text" as const, mimeType: "text/plain" } },
    { sent: "image/png", text: "%PDF-1.7\n1 0 obj\n", says: { type: "Document" as const, mimeType: "application/pdf" } }
  ])("UP-26 HOST-2 what was sent as $sent is recorded as $says.mimeType", async ({ says, sent, text }) => {
    const client = await newClient(host())
    const bytes = new TextEncoder().encode(text)
    await client.upload({ fileName: "x", bytes, type: "Video", mimeType: sent })
    assert.deepInclude((await client.ok("/select-user-files"))[0]!, says)
  })

  it("TR-1 TR-2 TR-4 HOST-2 trash, restore, purge; usage follows", async () => {
    const client = await newClient(host())
    const [a, b] = [
      await client.upload({ fileName: "a.bin", bytes: content(100) }),
      await client.upload({ fileName: "b.bin", bytes: content(50) })
    ]
    assert.deepStrictEqual(await client.ok("/trash-files", [{ id: a }, { id: b }]), { trashed: [a, b] })
    assert.deepStrictEqual(await client.ok("/select-user-files"), [])
    assert.deepStrictEqual(
      (await client.ok("/select-trashed-files")).map((file: { id: string }) => file.id).sort(),
      [a, b].sort()
    )
    assert.deepStrictEqual(await client.ok("/restore-files", [{ id: a }]), { restored: [a] })
    assert.deepInclude(await client.ok("/get-user-storage-usage"), { usedBytes: 150, trashedBytes: 50, objectCount: 2 })
    await client.ok("/purge-trashed-files")
    assert.deepInclude(await client.ok("/get-user-storage-usage"), { usedBytes: 100, trashedBytes: 0, objectCount: 1 })
    assert.deepStrictEqual(await client.ok("/delete-files", [{ id: a }, { id: b }]), { deleted: [a] })
    assert.deepInclude(await client.ok("/get-user-storage-usage"), { usedBytes: 0, pendingBytes: 0, objectCount: 0 })
  })

  it("DL-7 HOST-2 a trashed public file's link answers 404, and again as before once it is restored", async () => {
    const client = await newClient(host())
    const bytes = content(2_000)
    const id = await client.upload({ fileName: "shown.bin", bytes })
    const { downloadUrl } = await client.ok("/toggle-file-access", { id })
    assert.strictEqual(await statusOf(client.fetch(downloadUrl!)), 200)
    await client.ok("/trash-files", [{ id }])
    assert.strictEqual(await statusOf(client.fetch(downloadUrl!)), 404)
    assert.deepInclude((await client.ok("/select-trashed-files"))[0], { id, isPublic: true, downloadUrl: null })
    await client.ok("/restore-files", [{ id }])
    const again = await client.fetch(downloadUrl!)
    assert.deepStrictEqual(new Uint8Array(await again.arrayBuffer()), bytes)
    assert.deepInclude((await client.ok("/select-user-files"))[0], { id, isPublic: true, downloadUrl })
    await client.ok("/delete-files", [{ id }])
    assert.strictEqual(await statusOf(client.fetch(downloadUrl!)), 404)
  })

  it("SEC-2 HOST-2 another user's file is not there", async () => {
    const [owner, stranger] = [await newClient(host()), await newClient(host())]
    const id = await owner.upload({ fileName: "mine.bin", bytes: content(10) })
    const link = await stranger.call("/generate-download-url", { id })
    assert.deepStrictEqual([link.status, link.body.code], [403, "file_not_found"])
    const toggle = await stranger.call("/toggle-file-access", { id })
    assert.deepStrictEqual([toggle.status, toggle.body.code], [404, "not_found"])
    assert.deepStrictEqual(await stranger.ok("/delete-files", [{ id }]), { deleted: [] })
    assert.deepStrictEqual(await stranger.ok("/select-user-files"), [])
    assert.notInclude(JSON.stringify([link.body, toggle.body]), "mine.bin")
    assert.strictEqual((await owner.download(id)).length, 10)
  })
}
