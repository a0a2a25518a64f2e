/** What arrives on a drive with the libraries of this workspace, from its bytes to what is shown of it. */
import { assert, describe, it } from "@effect/vitest"
import { DriveClient } from "@filedrive/testing"
import { assertQuadrants, pngBomb, quadrants } from "../../../media/test/PictureFixtures.ts"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"

const url = "http://drive.test"

const withClient = async (options: Parameters<typeof temporaryDrive>[0] = {}) => {
  const { close, drive } = await temporaryDrive({ url, runJobs: false, ...options })
  const { apiToken } = await userOf(drive)()
  const client = new DriveClient({ url, apiToken, fetch: fetchOf(drive) })
  const record = async (id: string) => (await client.ok("/select-user-files")).find((one) => one.id === id)!
  return { client, drive, close, record }
}

describe("a drive that opens files", () => {
  it("MEDIA-1 MEDIA-43 a photo is understood and shown", async () => {
    const { client, close, drive, record } = await withClient()
    const exif = {
      IFD0: { Make: "Canon", Model: "Canon EOS 5D" },
      IFD2: { DateTimeOriginal: "2021:05:12 12:21:21", OffsetTimeOriginal: "+02:00" }
    }
    const photo = await quadrants().withExif(exif).withMetadata({ orientation: 1 }).jpeg().toBuffer()
    const id = await client.upload({ fileName: "photo.bin", bytes: new Uint8Array(photo) })
    assert.deepInclude(await record(id), { type: "Image", mimeType: "image/jpeg", metadataStatus: "pending" })
    await drive.runJobs()
    const { media, metadataStatus, thumbnailUrl } = await record(id)
    assert.strictEqual(metadataStatus, "done")
    assert.deepInclude(media, { width: 720, height: 480, camera: "Canon EOS 5D" })
    assert.strictEqual(
      Date.parse((media as { readonly takenTime: string }).takenTime),
      Date.parse("2021-05-12T10:21:21Z")
    )

    const thumbnail = Buffer.from(await (await client.fetch(thumbnailUrl!)).arrayBuffer())
    await assertQuadrants({ jpeg: thumbnail, width: 512, height: 341 })
    const { image } = await client.ok("/read-file", { fileId: id })
    assert.strictEqual(image!.mimeType, "image/jpeg")
    await assertQuadrants({ jpeg: Buffer.from(image!.data, "base64"), width: 720, height: 480 })
    await close()
  }, 120_000)

  it("HOSTILE-40 what can't be opened is failed and 422, while others are answered", async () => {
    const { client, close, drive, record } = await withClient({ media: { processes: 1 } })
    const bomb = await client.upload({ fileName: "a.png", bytes: pngBomb(30_000) })
    const cut = await client.upload({
      fileName: "b.jpg",
      bytes: new Uint8Array((await quadrants().jpeg().toBuffer()).subarray(0, 300))
    })
    await drive.runJobs()
    for (const id of [bomb, cut]) {
      assert.strictEqual((await record(id)).metadataStatus, "failed")
      const { body, status } = await client.call("/read-file", { fileId: id })
      assert.deepStrictEqual([status, body.code, body.retryable], [422, "unreadable", false])
    }
    await close()
  }, 120_000)

  it("HOST-11 a drive without media keeps files and opens none", async () => {
    const { client, close, drive, record } = await withClient({ media: false })
    const id = await client.upload({ fileName: "a.jpg", bytes: new Uint8Array(await quadrants().jpeg().toBuffer()) })
    await drive.runJobs()
    assert.deepInclude(await record(id), { type: "Image", metadataStatus: "done", thumbnailUrl: null })
    assert.strictEqual((await client.call("/read-file", { fileId: id })).status, 422)
    await close()
  }, 120_000)
})
