/** Uploads in one piece and in parts, as a client makes them. */
import { assert, it } from "@effect/vitest"
import { content, type CurrentHost, newClient, statusOf } from "./HttpHost.ts"

const partSize = 64 * 1024 * 1024

export const uploadCases = (host: CurrentHost): void => {
  it("UP-10 HOST-2 a file goes up in one piece and comes down as it was", async () => {
    const client = await newClient(host())
    const bytes = content(300_000)
    const id = await client.upload({ fileName: "Ferien “2026”.bin", bytes })
    assert.deepStrictEqual(await client.download(id), bytes)
    const [file, ...others] = await client.ok("/select-user-files")
    assert.deepStrictEqual(others, [])
    assert.deepInclude(file, {
      id,
      fileName: "Ferien “2026”.bin",
      fileSize: 300_000,
      isPublic: false,
      downloadUrl: null
    })
  })

  it("UP-14 HOST-2 an empty file goes up by form", async () => {
    const client = await newClient(host())
    const id = await client.upload({ fileName: "empty.txt", bytes: content(0) })
    assert.strictEqual((await client.download(id)).length, 0)
  })

  it("UP-12 HOST-2 a form takes its exact length only, and keeps nothing else", async () => {
    const client = await newClient(host())
    const input = await client.describe({ fileName: "a.bin", bytes: content(1_000) })
    const form = await client.ok("/generate-file-urls", input)
    assert.strictEqual(await statusOf(client.sendForm(form, content(999))), 400)
    assert.strictEqual((await client.call("/insert-file", input)).body.code, "object_not_found")
    assert.isTrue((await client.sendForm(form, content(1_000))).ok)
    assert.match(await client.insert(input), /^[0-9a-f-]{36}$/)
  })

  it("UP-22 HOST-2 inserting twice makes one file", async () => {
    const client = await newClient(host())
    const file = { fileName: "twice.bin", bytes: content(10) }
    const id = await client.upload(file)
    assert.strictEqual(await client.insert(await client.describe(file)), id)
    assert.strictEqual((await client.ok("/get-user-storage-usage")).usedBytes, 10)
  })

  it("UP-132 UP-70 UP-9 HOST-2 the answers have the stored name; an empty media type counts as left out", async () => {
    const client = await newClient(host())
    const bytes = content(10)
    const given = {
      ...await client.describe({ fileName: "\u200etram\u202egpj\u2069.bin", bytes, key: "a" }),
      mimeType: ""
    }
    const kept = "\u200etramgpj.bin"
    const form = await client.ok("/generate-file-urls", given)
    assert.strictEqual(form.fileName, kept)
    assert.isTrue((await client.sendForm(form, bytes)).ok)
    const inserted = await client.ok("/insert-file", given)
    assert.strictEqual(inserted.fileName, kept)
    const [file] = await client.ok("/select-user-files")
    assert.deepInclude(file, { id: inserted.id, fileName: kept, mimeType: "application/octet-stream" })
    // A repeated insert answers the name that the file has by then.
    await client.ok("/rename-file", { fileId: inserted.id, fileName: "other.bin" })
    assert.deepStrictEqual(await client.ok("/insert-file", given), { id: inserted.id, fileName: "other.bin" })
    const parts = await client.ok("/create-multipart-upload", { ...given, objectKey: `${given.objectKey}-parts` })
    assert.strictEqual(parts.fileName, kept)
  })

  it("UP-130 UP-131 HOST-2 many files go up in two calls and their bytes, and what is refused of one stops no other", async () => {
    const client = await newClient(host(), { quotaBytes: 1_000 })
    const given = ["a", "b", "c"].map((name) => ({ fileName: `${name}.bin`, bytes: content(300) }))
    const files = await Promise.all(given.map((file) => client.describe(file)))
    const large = await client.describe({ fileName: "large.bin", bytes: content(2_000) })
    const strange = { ...files[0]!, objectKey: `users/${large.objectKey.slice(10)}/x` }
    const { forms } = await client.ok("/generate-upload-forms", { files: [large, ...files, strange] })
    assert.lengthOf(forms, 5)
    const refusals = forms.map((form) => "failure" in form ? [form.failure.status, form.failure.code] : null)
    assert.deepStrictEqual(refusals, [[400, "storage_limit_reached"], null, null, null, [403, "not_allowed"]])
    const refused = await client.call("/generate-file-urls", large)
    assert.deepStrictEqual(forms[0], { failure: { status: refused.status, ...refused.body } })
    assert.strictEqual((await client.ok("/get-user-storage-usage")).pendingBytes, 900)

    for (const [at, form] of forms.slice(1, 3).entries()) {
      if ("failure" in form) throw new Error(form.failure.error)
      assert.isTrue((await client.sendForm(form, given[at]!.bytes)).ok)
    }
    const inserted = (await client.ok("/insert-files", { files: [files[0]!, files[2]!, files[1]!] })).files
    const absent = await client.call("/insert-file", files[2]!)
    assert.deepStrictEqual(inserted[1], { failure: { status: absent.status, ...absent.body } })
    assert.strictEqual(absent.body.code, "object_not_found")
    const ids = inserted.flatMap((file) => "id" in file ? [file.id] : [])
    assert.deepStrictEqual(await client.download(ids[0]!), given[0]!.bytes)
    assert.deepStrictEqual(await client.download(ids[1]!), given[1]!.bytes)
    // Sent again, as after an answer that was lost.
    assert.deepStrictEqual((await client.ok("/insert-files", { files: [files[1]!, files[0]!] })).files, [
      { id: ids[1]!, fileName: files[1]!.fileName },
      { id: ids[0]!, fileName: files[0]!.fileName }
    ])
    assert.deepInclude(await client.ok("/get-user-storage-usage"), { usedBytes: 600, pendingBytes: 300 })
  })

  it("UP-130 UP-131 HOST-2 a list with a malformed file is refused as a whole, naming its field", async () => {
    const client = await newClient(host())
    const file = await client.describe({ fileName: "a.bin", bytes: content(10) })
    for (const route of ["/generate-upload-forms", "/insert-files"] as const) {
      const call = async (files: ReadonlyArray<unknown>) => {
        const { body: { code, field }, status } = await client.call(route, { files })
        return [status, code, field]
      }
      assert.deepStrictEqual(await call([file, { ...file, fileSize: -1 }]), [400, "invalid_field", "files[1].fileSize"])
      assert.deepStrictEqual(await call([]), [400, "invalid_field", "files"])
      assert.deepStrictEqual(await call(Array.from({ length: 101 }, () => file)), [400, "invalid_field", "files"])
    }
    assert.strictEqual((await client.ok("/get-user-storage-usage")).pendingBytes, 0)
  })

  it("UP-33 HOST-2 an upload in parts is cut, resumed and completed", async () => {
    const client = await newClient(host())
    const bytes = content(partSize + 70_000)
    const part = (number: number) => bytes.subarray((number - 1) * partSize, number * partSize)
    const input = await client.describe({ fileName: "film.bin", bytes })
    const begun = await client.ok("/create-multipart-upload", input)
    assert.deepInclude(begun, { resumed: false, partSize, partCount: 2, parts: [], downloadUrl: null })
    const [first, second] = begun.signedParts
    assert.isTrue((await client.fetch(second!.url, { method: "PUT", body: part(2) })).ok)
    await cutShort(client.fetch, first!.url, part(1))
    const missing = await client.call("/complete-multipart-upload", { token: begun.token })
    assert.deepInclude(missing.body, { code: "parts_missing", parts: [1], retryable: false })
    assert.strictEqual(missing.status, 409)

    const resumed = await client.ok("/create-multipart-upload", input)
    assert.deepInclude(resumed, { resumed: true, uploadId: begun.uploadId, parts: [{ partNumber: 2, size: 70_000 }] })
    assert.strictEqual((await client.ok("/get-user-storage-usage")).pendingBytes, bytes.length)
    const { parts: [signed] } = await client.ok("/sign-upload-parts", { token: resumed.token, partNumbers: [1] })
    assert.isTrue((await client.fetch(signed!.url, { method: "PUT", body: part(1) })).ok)
    const completed = await client.ok("/complete-multipart-upload", { token: resumed.token })
    assert.deepStrictEqual(completed, { bucket: "private", objectKey: input.objectKey, fileSize: bytes.length })
    assert.deepStrictEqual(await client.ok("/complete-multipart-upload", { token: resumed.token }), completed)

    const id = await client.insert(input)
    const { downloadUrl } = await client.ok("/generate-download-url", { id })
    const border = await client.fetch(downloadUrl!, { headers: { range: `bytes=${partSize - 5}-${partSize + 4}` } })
    assert.strictEqual(border.status, 206)
    assert.strictEqual(border.headers.get("content-range"), `bytes ${partSize - 5}-${partSize + 4}/${bytes.length}`)
    assert.deepStrictEqual(new Uint8Array(await border.arrayBuffer()), bytes.subarray(partSize - 5, partSize + 5))
    const whole = await client.download(id)
    assert.strictEqual(whole.length, bytes.length)
    assert.strictEqual(Buffer.compare(whole, bytes), 0)
  }, 60_000)

  it("UP-54 HOST-2 a form holds its bytes until it is cancelled, and sends nothing more then", async () => {
    const client = await newClient(host(), { quotaBytes: 1_000 })
    const pending = async () => (await client.ok("/get-user-storage-usage")).pendingBytes
    const input = await client.describe({ fileName: "a.bin", bytes: content(900) })
    const superseded = await client.ok("/generate-file-urls", input)
    const form = await client.ok("/generate-file-urls", input)
    assert.strictEqual(await pending(), 900)
    const other = await client.describe({ fileName: "b.bin", bytes: content(200) })
    const refused = await client.call("/generate-file-urls", other)
    assert.deepStrictEqual([refused.status, refused.body.code], [400, "storage_limit_reached"])
    assert.isTrue((await client.sendForm(form, content(900))).ok)
    const { objectKey } = input
    assert.deepStrictEqual(await client.ok("/cancel-file-urls", { objectKey }), { cancelled: true })
    assert.deepStrictEqual(await client.ok("/cancel-file-urls", { objectKey }), { cancelled: false })
    assert.strictEqual(await pending(), 0)
    for (const ended of [superseded, form]) {
      assert.strictEqual(await statusOf(client.sendForm(ended, content(900))), 403)
    }
    assert.strictEqual((await client.call("/insert-file", input)).body.code, "object_not_found")
    assert.strictEqual((await client.call("/generate-file-urls", other)).status, 200)
  })

  it("UP-44 HOST-2 an aborted upload gives its bytes back", async () => {
    const client = await newClient(host(), { quotaBytes: 1_000 })
    const input = await client.describe({ fileName: "a.bin", bytes: content(900) })
    const { signedParts: [part], token } = await client.ok("/create-multipart-upload", input)
    const other = await client.describe({ fileName: "b.bin", bytes: content(200) })
    const refused = await client.call("/generate-file-urls", other)
    assert.deepStrictEqual([refused.status, refused.body.code], [400, "storage_limit_reached"])
    assert.deepStrictEqual(await client.ok("/abort-multipart-upload", { token }), { aborted: true })
    assert.deepStrictEqual(await client.ok("/abort-multipart-upload", { token }), { aborted: true })
    assert.strictEqual(await statusOf(client.fetch(part!.url, { method: "PUT", body: content(900) })), 404)
    assert.strictEqual((await client.call("/generate-file-urls", other)).status, 200)
    const gone = await client.call("/complete-multipart-upload", { token })
    assert.deepStrictEqual([gone.status, gone.body.code], [404, "upload_not_found"])
  })
}

/** Sends the beginning of a part and breaks off. */
const cutShort = async (
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  url: string,
  part: Uint8Array
) => {
  let sent = false
  const body = new ReadableStream({
    pull: (controller) => {
      if (sent) return controller.error(new Error("cut short"))
      sent = true
      controller.enqueue(part.slice(0, 100_000))
    }
  }, { highWaterMark: 0 })
  // Over a network the client gets only its own disconnect; without one, the refusal.
  const status = await statusOf(fetch(url, { method: "PUT", body, duplex: "half" } as RequestInit)).catch(() => 0)
  assert.isFalse(status >= 200 && status < 300)
}
