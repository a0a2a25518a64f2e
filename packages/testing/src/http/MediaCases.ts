/** Media facts over HTTP: with the media tools the host has, on files whose facts are known. */
import { assert, it } from "@effect/vitest"
import type { DriveClient } from "../DriveClient.ts"
import { type CurrentHost, eventually, mediaWith, newClient, statusOf } from "./HttpHost.ts"
import { photo, png, wav } from "./MediaFiles.ts"

/** Decoders start when they are first needed. */
const patience = 60_000

/** The record of a file after its extraction. */
const extracted = (client: DriveClient, id: string) =>
  eventually(
    async () => (await client.ok("/select-user-files")).find((file) => file.id === id)!,
    ({ metadataStatus }) => metadataStatus !== "pending"
  )

/** Width and height of the JPEG at a link. */
const sizeOfJpeg = async (client: DriveClient, url: string) => {
  const response = await client.fetch(url)
  assert.strictEqual(response.status, 200)
  assert.strictEqual(response.headers.get("content-type"), "image/jpeg")
  const bytes = new Uint8Array(await response.arrayBuffer())
  const view = new DataView(bytes.buffer)
  for (let at = 2; at < bytes.length; at += 2 + view.getUint16(at + 2)) {
    const marker = bytes[at + 1]!
    if (marker >= 0xc0 && marker <= 0xc2) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
  }
  return assert.fail("no JPEG has come")
}

export const mediaCases = (host: CurrentHost): void => {
  it("MEDIA-1 MEDIA-2 MEDIA-8 HOST-2 a photo is understood: when, where, by what, which way up", async () => {
    const client = await newClient(host())
    const id = await client.upload({ fileName: "photo.bin", bytes: photo(1_600, 1_200) })
    const record = await extracted(client, id)
    assert.deepInclude(record, { type: "Image", mimeType: "image/jpeg", metadataStatus: "done" })
    const { camera, location, ...media } = mediaWith(record.media, "camera")
    assert.deepInclude(media, { title: null, width: 1_200, height: 1_600, takenTime: "2024-05-06T05:08:09.000Z" })
    assert.include(camera, "Box 1")
    assert.closeTo(location!.latitude, 48.5, 1e-6)
    assert.closeTo(location!.longitude, -2.25, 1e-6)
    assert.deepStrictEqual(await sizeOfJpeg(client, record.thumbnailUrl!), { width: 384, height: 512 })
    const found = await client.ok("/search-files", {
      within: { south: 48, west: -3, north: 49, east: -2 },
      takenAfter: "2024-05-06T05:08:09Z",
      takenBefore: "2024-05-06T05:08:10Z"
    })
    assert.deepStrictEqual(found.files.map((file: { id: string }) => file.id), [id])
  }, patience)

  it("MEDIA-2 MEDIA-8 HOST-2 a track's title, artists and length are found", async () => {
    const client = await newClient(host())
    const bytes = wav(3, { title: "Long Silence", artist: "Nobody" })
    const id = await client.upload({ fileName: "a.wav", bytes, type: "Audio", mimeType: "audio/wav" })
    const record = await extracted(client, id)
    assert.deepInclude(record, { type: "Audio", metadataStatus: "done", thumbnailUrl: null })
    const { duration, ...media } = mediaWith(record.media, "artists")
    assert.deepInclude(media, {
      title: "Long Silence",
      artists: ["Nobody"],
      album: null,
      genre: null,
      tempo: null,
      key: null,
      coverId: null
    })
    assert.closeTo(duration!, 3, 0.05)
    const found = await client.ok("/search-files", { text: "silence nobody", minDuration: 2.9, maxDuration: 3.1 })
    assert.deepStrictEqual(found.files.map((file: { id: string }) => file.id), [id])
  }, patience)

  it(
    "MEDIA-9 MEDIA-11 MEDIA-12 HOST-2 a thumbnail goes public, private, to trash and away with its image",
    async () => {
      const client = await newClient(host())
      const id = await client.upload({ fileName: "a.png", bytes: await png(64, 48, [200, 30, 30]) })
      const { thumbnailUrl: signed } = await extracted(client, id)
      assert.deepStrictEqual(await sizeOfJpeg(client, signed!), { width: 64, height: 48 })
      const { thumbnailUrl: lasting } = await client.ok("/toggle-file-access", { id })
      assert.deepStrictEqual(await sizeOfJpeg(client, lasting!), { width: 64, height: 48 })
      assert.strictEqual(await statusOf(client.fetch(signed!)), 200)
      const { thumbnailUrl: again } = await client.ok("/toggle-file-access", { id })
      assert.isAtLeast(await statusOf(client.fetch(lasting!)), 400)
      assert.strictEqual(await statusOf(client.fetch(again!)), 200)
      await client.ok("/trash-files", [{ id }])
      assert.isNull((await client.ok("/select-trashed-files"))[0]!.thumbnailUrl)
      await client.ok("/restore-files", [{ id }])
      assert.isString((await client.ok("/search-files")).files[0]!.thumbnailUrl)
      assert.deepInclude(await client.ok("/get-user-storage-usage"), { objectCount: 1 })
      await client.ok("/delete-files", [{ id }])
      assert.isAtLeast(await statusOf(client.fetch(again!)), 400)
    },
    patience
  )

  it("MEDIA-5 HOST-2 what is cut off is failed, and everything else continues", async () => {
    const client = await newClient(host())
    const whole = await png(64, 64, [0, 0, 0])
    const id = await client.upload({ fileName: "cut.png", bytes: whole.slice(0, whole.length - 40) })
    const record = await extracted(client, id)
    assert.deepInclude(record, { metadataStatus: "failed", thumbnailUrl: null, type: "Image" })
    assert.strictEqual((await client.download(id)).length, whole.length - 40)
  }, patience)
}
