/** Reading files over HTTP, covers and similar tracks, with the media tools the host has. */
import { assert, it } from "@effect/vitest"
import type { AnswerOf, DriveClient } from "../DriveClient.ts"
import { content, type CurrentHost, eventually, mediaWith, newClient } from "./HttpHost.ts"
import { photo, png, wav } from "./MediaFiles.ts"
import { pdf, shiftJis, utf16 } from "./ReadFiles.ts"

/** Decoders start when they are first needed. */
const patience = 60_000

const unknown = "019845e1-682f-7b02-a706-3b2422d13aff"

/** Width and height of a JPEG in base64. */
const sizeOf = (data: string) => {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  for (let at = 2; at < bytes.length; at += 2 + view.getUint16(at + 2)) {
    const marker = bytes[at + 1]!
    if (marker >= 0xc0 && marker <= 0xc2) return [view.getUint16(at + 7), view.getUint16(at + 5)]
  }
  return assert.fail("no JPEG has come")
}

/** The bytes at a link. */
const fetched = async (client: DriveClient, url: string) => {
  const response = await client.fetch(url)
  const { headers, status } = response
  return { status, type: headers.get("content-type"), bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** The status, code and field of a refusal. */
const refusal = async (client: DriveClient, route: string, body: unknown) => {
  const { body: { code, field }, status } = await client.call(route, body)
  return field === undefined ? [status, code] : [status, code, field]
}

const uploadText = (client: DriveClient, fileName: string, bytes: Uint8Array<ArrayBuffer>) =>
  client.upload({ fileName, bytes, type: "Text", mimeType: "text/plain" })

/** Sets the cover of a track. */
const coverOf = async (client: DriveClient, imageId: string, trackId: string) => {
  const answer = await client.ok("/set-cover", { imageId, trackId })
  if (!("trackId" in answer)) throw new Error("The cover of a playlist was set.")
  return answer
}

/** A track after its analysis. */
const uploadTrack = async (client: DriveClient) => {
  const bytes = wav(3, { title: "Silence", artist: "Nobody" })
  const id = await client.upload({ fileName: "a.wav", bytes, type: "Audio", mimeType: "audio/wav" })
  await eventually(
    async () => (await client.ok("/select-user-files")).find((file) => file.id === id)!,
    ({ metadataStatus }) => metadataStatus !== "pending"
  )
  return id
}

export const readCases = (host: CurrentHost): void => {
  it("READ-1 READ-7 HOST-2 an image is read as a JPEG, upright and no larger than 1,568 px", async () => {
    const client = await newClient(host())
    const fileId = await client.upload({ fileName: "photo.jpg", bytes: photo(2_000, 1_000) })
    const { image, note, ...rest } = await client.ok("/read-file", { fileId, at: 3, fromPage: 2 })
    assert.deepStrictEqual(sizeOf(image!.data), [784, 1_568])
    assert.strictEqual(image!.mimeType, "image/jpeg")
    assert.match(note, /\.$/)
    assert.deepInclude(rest, { id: fileId, fileName: "photo.jpg", type: "Image", mimeType: "image/jpeg" })
    assert.deepStrictEqual(Object.keys(rest).sort(), ["fileName", "fileSize", "id", "mimeType", "type"])
    const small = await client.upload({ fileName: "a.png", key: "2", bytes: await png(30, 20, [1, 2, 3]) })
    assert.deepStrictEqual(sizeOf((await client.ok("/read-file", { fileId: small })).image!.data), [30, 20])
    const cut = (await png(64, 64, [0, 0, 0])).slice(0, -40)
    const broken = await client.upload({ fileName: "cut.png", key: "3", bytes: cut })
    assert.deepStrictEqual(await refusal(client, "/read-file", { fileId: broken }), [422, "unreadable"])
  }, patience)

  it("READ-3 READ-4 READ-5 HOST-2 pages of a PDF are read by range", async () => {
    const client = await newClient(host())
    const bytes = pdf(Array.from({ length: 24 }, (_, index) => `Text of page ${index + 1}`))
    const fileId = await client.upload({ fileName: "a.pdf", bytes })
    const first = await client.ok("/read-file", { fileId })
    assert.deepStrictEqual(first.pages, { from: 1, to: 10, total: 24 })
    assert.include(first.text, "Text of page 10")
    assert.notInclude(first.text, "Text of page 11")
    assert.include(first.note, "fromPage 11")
    const last = await client.ok("/read-file", { fileId, fromPage: 22, toPage: 99 })
    assert.deepStrictEqual(last.pages, { from: 22, to: 24, total: 24 })
    assert.match(last.text!, /page 22[^]*page 23[^]*page 24/)
    const refused = (range: object) => refusal(client, "/read-file", { fileId, ...range })
    assert.deepStrictEqual(await refused({ fromPage: 25 }), [400, "invalid_field", "fromPage"])
    assert.deepStrictEqual(await refused({ fromPage: 0 }), [400, "invalid_field", "fromPage"])
    assert.deepStrictEqual(await refused({ fromPage: 3, toPage: 2 }), [400, "invalid_field", "toPage"])
    assert.deepStrictEqual(await refused({ toPage: 21 }), [400, "invalid_field", "toPage"])
    const scan = await client.upload({ fileName: "scan.pdf", key: "2", bytes: pdf([null]) })
    assert.match((await client.ok("/read-file", { fileId: scan })).note, /scan/)
    const cut = await client.upload({ fileName: "cut.pdf", key: "3", bytes: bytes.slice(0, 40) })
    assert.deepStrictEqual(await refusal(client, "/read-file", { fileId: cut }), [422, "unreadable"])
  }, patience)

  it("READ-10 READ-13 READ-16 HOST-2 a text is read piece by piece, whatever its encoding", async () => {
    const client = await newClient(host())
    const text = "Grüße, 世界 🌍!\r\n".repeat(9_000)
    const files = [
      [new TextEncoder().encode(text), text],
      [utf16(text), text],
      [repeated(shiftJis.bytes, 1_700), shiftJis.text.repeat(1_700)]
    ] as const
    for (const [index, [bytes, whole]] of files.entries()) {
      const fileId = await uploadText(client, `${index}.txt`, bytes)
      let all = ""
      let offset: number | undefined = 0
      while (offset !== undefined) {
        const piece: AnswerOf<"/read-file"> = await client.ok("/read-file", {
          fileId,
          offset
        })
        assert.isAtMost(new TextEncoder().encode(piece.text!).length, 102_400)
        all += piece.text!
        offset = piece.nextOffset
      }
      // Only the note says so: the page is long.
      assert.isTrue(all === whole, `text ${index} is read as it was written`)
      const past = await refusal(client, "/read-file", { fileId, offset: bytes.length + 1 })
      assert.deepStrictEqual(past, [400, "invalid_field", "offset"])
    }
    const empty = await uploadText(client, "empty.txt", new Uint8Array())
    assert.strictEqual((await client.ok("/read-file", { fileId: empty })).text, "")
  }, patience)

  it("READ-6 READ-8 HOST-2 other files are answered with a note; what can't be seen is not found", async () => {
    const client = await newClient(host())
    const [track, binary] = [
      await uploadTrack(client),
      await client.upload({ fileName: "a.bin", bytes: content(9_000) })
    ]
    for (const fileId of [track, binary]) {
      const answer = await client.ok("/read-file", { fileId, offset: 5, at: 1 })
      assert.deepStrictEqual(Object.keys(answer).sort(), ["fileName", "fileSize", "id", "mimeType", "note", "type"])
    }
    assert.deepStrictEqual(await refusal(client, "/read-file", {}), [400, "missing_field", "fileId"])
    assert.deepStrictEqual(await refusal(client, "/read-file", { fileId: unknown }), [404, "not_found"])
    assert.deepStrictEqual(await refusal(client, "/read-file", { fileId: binary, at: -1 }), [
      400,
      "invalid_field",
      "at"
    ])
    const stranger = await newClient(host())
    const text = await uploadText(client, "a.txt", new TextEncoder().encode("hello"))
    assert.deepStrictEqual(await refusal(stranger, "/read-file", { fileId: text }), [404, "not_found"])
    await client.ok("/toggle-file-access", { id: text })
    assert.strictEqual((await stranger.ok("/read-file", { fileId: text })).text, "hello")
    const { files } = await client.ok("/select-file-views", { fileIds: [text] })
    assert.strictEqual(files[0]!.views, 1)
    await client.ok("/trash-files", [{ id: text }])
    assert.deepStrictEqual(await refusal(client, "/read-file", { fileId: text }), [404, "not_found"])
  }, patience)

  it("COVER-1 COVER-2 COVER-3 COVER-5 HOST-2 a track and a playlist get covers", async () => {
    const client = await newClient(host())
    const trackId = await uploadTrack(client)
    const bytes = await png(40, 30, [9, 9, 9])
    const imageId = await client.upload({ fileName: "art.png", bytes })
    const { art, ...answer } = await coverOf(client, imageId, trackId)
    assert.deepStrictEqual(answer, { trackId })
    assert.isNull(art.downloadUrl)
    const cover = await client.download(art.id)
    assert.deepStrictEqual(sizeOf(Buffer.from(cover).toString("base64")), [40, 30])
    const [track] = (await client.ok("/search-files", { types: ["Audio"] })).files
    assert.strictEqual(mediaWith(track!.media, "coverId").coverId, art.id)
    assert.deepStrictEqual(sizeOf((await client.ok("/read-file", { fileId: art.id })).image!.data), [40, 30])
    const { thumbnailUrl } = await client.ok("/toggle-file-access", { id: trackId })
    assert.deepStrictEqual((await fetched(client, thumbnailUrl!)).bytes, cover)
    const again = await coverOf(client, imageId, trackId)
    assert.strictEqual((await fetched(client, again.art.downloadUrl!)).status, 200)
    assert.isAtLeast((await fetched(client, thumbnailUrl!)).status, 400)
    const usage = await client.ok("/get-user-storage-usage")
    assert.strictEqual(usage.objectCount, 2)

    const { id: playlistId } = await client.ok("/create-playlist", { title: "Mix", fileIds: [trackId] })
    const set = await client.ok("/set-cover", { imageId, playlistId })
    assert.deepStrictEqual(set, { playlistId, title: "Mix", isPublic: false })
    const [playlist] = (await client.ok("/select-collections")).playlists
    assert.strictEqual(playlist!.coverId, imageId)
    assert.deepStrictEqual((await fetched(client, playlist!.coverUrl!)).bytes, bytes)
    assert.strictEqual((await client.ok("/select-playlist", { playlistId })).coverId, imageId)
    const refused = (body: object) => refusal(client, "/set-cover", body)
    assert.deepStrictEqual(await refused({ imageId }), [400, "missing_field", "trackId"])
    assert.deepStrictEqual(await refused({ imageId, trackId, playlistId }), [400, "invalid_field", "playlistId"])
    assert.deepStrictEqual(await refused({ imageId: trackId, trackId }), [400, "invalid_field", "imageId"])
    assert.deepStrictEqual(await refused({ imageId: unknown, playlistId }), [404, "not_found"])
    const large = await client.upload({ fileName: "l.png", bytes: padded(bytes, 5_242_881) })
    assert.deepStrictEqual(await refused({ imageId: large, trackId }), [400, "image_too_large", "imageId"])
  }, patience)

  it(
    "COVER-11 MEDIA-35 MEDIA-36 HOST-2 posters are for one's own videos; a silent track is like no other",
    async () => {
      const client = await newClient(host())
      const track = await uploadTrack(client)
      assert.deepStrictEqual(await client.ok("/select-similar-tracks", { fileId: track }), {
        pending: false,
        tracks: []
      })
      const binary = await client.upload({ fileName: "a.bin", bytes: content(10) })
      const similar = (body: object) => refusal(client, "/select-similar-tracks", body)
      assert.deepStrictEqual(await similar({ fileId: binary }), [400, "invalid_field", "fileId"])
      assert.deepStrictEqual(await similar({ fileId: track, limit: 101 }), [400, "invalid_field", "limit"])
      assert.deepStrictEqual(await similar({ fileId: unknown }), [404, "not_found"])
      const stranger = await newClient(host())
      const video = await stranger.upload({
        fileName: "v.mp4",
        bytes: content(99),
        type: "Video",
        mimeType: "video/mp4"
      })
      const poster = (body: object) => refusal(client, "/set-video-thumbnail", body)
      assert.deepStrictEqual(await poster({ videoId: video, timestampSeconds: 1 }), [404, "not_found"])
      await stranger.ok("/toggle-file-access", { id: video })
      assert.deepStrictEqual(await poster({ videoId: video, timestampSeconds: 1 }), [403, "not_owner"])
      assert.deepStrictEqual(await poster({ videoId: track, timestampSeconds: 1 }), [400, "invalid_field", "videoId"])
      assert.deepStrictEqual(await poster({ videoId: track }), [400, "missing_field", "timestampSeconds"])
      const mine = await client.upload({
        fileName: "v.mp4",
        bytes: content(99, 1),
        type: "Video",
        mimeType: "video/mp4"
      })
      const imageId = await client.upload({ fileName: "p.png", bytes: await png(20, 10, [1, 1, 1]) })
      assert.deepStrictEqual(await client.ok("/set-video-thumbnail", { videoId: mine, imageId }), { success: true })
      const { media, thumbnailUrl } = (await client.ok("/search-files", { types: ["Video"] })).files[0]!
      assert.isTrue(media === null || typeof mediaWith(media, "thumbnailId").thumbnailId === "string")
      assert.strictEqual((await fetched(client, thumbnailUrl!)).type, "image/jpeg")
    },
    patience
  )
}

/** The bytes, and zeros behind them to a length. */
const padded = (bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(length)
  all.set(bytes)
  return all
}

const repeated = (bytes: Uint8Array, times: number): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(bytes.length * times)
  for (let at = 0; at < all.length; at += bytes.length) all.set(bytes, at)
  return all
}
