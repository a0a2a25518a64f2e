/** Archives over HTTP: asked for, built in the background, downloaded and read. */
import { assert, it } from "@effect/vitest"
import type { DriveClient } from "../DriveClient.ts"
import { content, type CurrentHost, eventually, newClient } from "./HttpHost.ts"

const nobody = "019845e1-682f-7b02-a706-3b2422d13aff"

/** Files of a ZIP that stores them as they are, by name; of archives without ZIP64. */
const unzipped = (zip: Uint8Array): ReadonlyMap<string, Uint8Array> => {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length)
  const end = zip.length - 22
  assert.strictEqual(view.getUint32(end, true), 0x06054b50)
  const files = new Map<string, Uint8Array>()
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const [size, nameLength, extraLength] = [
      view.getUint32(at + 24, true),
      view.getUint16(at + 28, true),
      view.getUint16(at + 30, true)
    ]
    const local = view.getUint32(at + 42, true)
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    files.set(new TextDecoder().decode(zip.subarray(at + 46, at + 46 + nameLength)), zip.slice(start, start + size))
    at += 46 + nameLength + extraLength
  }
  return files
}

/** The archive once it has ended. */
const ended = (client: DriveClient, id: string) =>
  eventually(
    async () => (await client.ok("/select-archives", { ids: [id] }))[0]!,
    ({ status }) => status !== "working"
  )

const download = async (client: DriveClient, url: string) => {
  const response = await client.fetch(url)
  assert.strictEqual(response.status, 200)
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    disposition: response.headers.get("content-disposition")
  }
}

export const archiveCases = (host: CurrentHost): void => {
  it(
    "ZIP-1 ZIP-2 ZIP-5 ZIP-6 ZIP-16 HOST-2 files become a ZIP with their folders, downloaded under its title",
    async () => {
      const client = await newClient(host())
      const [large, small, odd, trashed] = [
        await client.upload({ fileName: "same.bin", key: "1", bytes: content(300_000) }),
        await client.upload({ fileName: "SAME.bin", key: "2", bytes: content(10, 1) }),
        await client.upload({ fileName: "../ü:?.txt", key: "3", bytes: content(0) }),
        await client.upload({ fileName: "gone.bin", key: "4", bytes: content(5) })
      ]
      await client.ok("/move-files", { fileIds: [odd], folder: "/A/B" })
      await client.ok("/trash-files", [{ id: trashed }])
      const asked = await client.ok("/create-archive-request", {
        fileIds: [large, small, odd, trashed, nobody],
        title: "Alles 2026"
      })
      const { bytes, id, ...rest } = asked
      const skipped = [{ id: trashed, reason: "trashed" as const }, { id: nobody, reason: "not_found" as const }]
      assert.deepStrictEqual(rest, { title: "Alles 2026", status: "working", fileCount: 3, skipped })
      const done = await ended(client, id)
      assert.deepInclude(done, { id, status: "done", error: null, fileCount: 3, bytes, receivedBytes: bytes, skipped })
      assert.match(done.expireTime!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const zip = await download(client, done.downloadUrl!)
      assert.strictEqual(zip.bytes.length, bytes)
      assert.strictEqual(zip.disposition, "attachment; filename=\"Alles 2026.zip\"")
      assert.deepStrictEqual(
        [...unzipped(zip.bytes)],
        [["same.bin", content(300_000)], ["SAME (2).bin", content(10, 1)], ["A/B/.._ü__.txt", content(0)]]
      )
      const { trashedBytes, usedBytes } = await client.ok("/get-user-storage-usage")
      assert.deepStrictEqual([usedBytes, trashedBytes], [300_015, 5])
      await client.ok("/delete-files", [{ id: large }, { id: small }])
      assert.strictEqual(unzipped((await download(client, done.downloadUrl!)).bytes).size, 3)
    },
    60_000
  )

  it("ZIP-1 ZIP-2 ZIP-3 HOST-2 what is wrong is named, and nobody sees another's archive", async () => {
    const [client, other] = [await newClient(host()), await newClient(host())]
    const id = await client.upload({ fileName: "a.bin", bytes: content(1) })
    for (
      const [body, status, code, field] of [
        [{}, 400, "missing_field", "fileIds"],
        [{ fileIds: [] }, 400, "invalid_field", "fileIds"],
        [{ fileIds: [id, "x"] }, 400, "invalid_field", "fileIds[1]"],
        [{ fileIds: [id], galleryId: nobody }, 400, "invalid_field", "galleryId"],
        [{ fileIds: [id], title: "" }, 400, "invalid_field", "title"],
        [{ fileIds: [nobody] }, 404, "not_found", undefined],
        [{ playlistId: nobody }, 404, "not_found", undefined]
      ] as const
    ) {
      const answer = await client.call("/create-archive-request", body)
      assert.deepStrictEqual([answer.status, answer.body.code, answer.body.field], [status, code, field])
    }
    assert.strictEqual((await other.call("/create-archive-request", { fileIds: [id] })).status, 404)
    const asked = await client.ok("/create-archive-request", { fileIds: [id] })
    assert.strictEqual(asked.title, "Archive")
    assert.deepStrictEqual(await other.ok("/select-archives", { ids: [asked.id] }), [])
    assert.strictEqual((await client.call("/select-archives", { ids: [] })).body.field, "ids")
    assert.strictEqual((await ended(client, asked.id)).status, "done")
  }, 60_000)

  it("ZIP-19 ZIP-20 HOST-2 the same request answers the archive there is, until it is deleted", async () => {
    const [client, other] = [await newClient(host()), await newClient(host())]
    const fileIds = [await client.upload({ fileName: "a.bin", bytes: content(1) })]
    const { id } = await client.ok("/create-archive-request", { fileIds })
    assert.strictEqual((await client.ok("/create-archive-request", { fileIds })).id, id)
    await ended(client, id)
    assert.deepInclude(await client.ok("/create-archive-request", { fileIds }), { id, status: "done" })
    assert.deepStrictEqual(await other.ok("/delete-archive", { id }), { deleted: false })
    assert.deepStrictEqual(await client.ok("/delete-archive", { id }), { deleted: true })
    assert.deepStrictEqual(await client.ok("/select-archives", { ids: [id] }), [])
    assert.notStrictEqual((await client.ok("/create-archive-request", { fileIds })).id, id)
    assert.strictEqual((await client.call("/delete-archive", {})).body.field, "id")
  }, 60_000)

  it("ZIP-3 HOST-2 without a plan it is 403 no_plan", async () => {
    const client = await newClient(host(), { plan: null })
    const answer = await client.call("/create-archive-request", { fileIds: [nobody] })
    assert.deepStrictEqual([answer.status, answer.body.code], [403, "no_plan"])
  })
}
