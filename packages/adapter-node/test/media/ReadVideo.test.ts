/** Videos as they are read and shown over HTTP, by what is seen in them at each moment. */
import { DriveClient } from "@filedrive/testing"
import { readFileSync } from "node:fs"
import sharp from "sharp"
import { assert, describe, it } from "vitest"
import { colourSource, make, missing, nearest } from "../../../media/test/FfmpegFixtures.ts"
import { fetchOf, temporaryDrive, userOf } from "../hosts/hosts.ts"

/** The colour of a picture's middle. */
const colourOf = async (jpeg: Uint8Array): Promise<string> => {
  const { data } = await sharp(jpeg).extract({ left: 70, top: 50, width: 1, height: 1 }).raw().toBuffer({
    resolveWithObject: true
  })
  return nearest(data)
}

describe.skipIf(missing !== undefined)(`Videos over HTTP${missing === undefined ? "" : ` (${missing})`}`, () => {
  it("READ-2 COVER-10 a video is read at a moment and shown by another; past its end is refused", async () => {
    const { close, drive } = await temporaryDrive({ url: "http://drive.test" })
    try {
      const { apiToken } = await userOf(drive)()
      const client = new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(drive) })
      const path = make("colours.mp4", ...colourSource, "-map", "[v]", "-pix_fmt", "yuv420p")
      const fileId = await client.upload({ fileName: "colours.mp4", bytes: new Uint8Array(readFileSync(path)) })
      const read = async (at?: number) => {
        const answer = await client.ok("/read-file", { fileId, ...(at !== undefined && { at }) })
        return { ...answer, colour: await colourOf(Buffer.from(answer.image!.data, "base64")) }
      }
      assert.deepInclude(await read(), { colour: "red", duration: 6 })
      assert.deepInclude(await read(2.5), { colour: "blue", at: 2.5 })
      assert.deepInclude(await read(4.5), { colour: "cyan" })
      const past = await client.call("/read-file", { fileId, at: 6.5 })
      assert.deepInclude(past.body, { code: "invalid_field", field: "at" })

      assert.deepStrictEqual(
        await client.ok("/set-video-thumbnail", { videoId: fileId, timestampSeconds: 3.5 }),
        { success: true }
      )
      const { thumbnailUrl } = (await client.ok("/search-files", { types: ["Video"] })).files[0]!
      const poster = await client.fetch(thumbnailUrl!)
      assert.strictEqual(await colourOf(new Uint8Array(await poster.arrayBuffer())), "yellow")
      const late = await client.call("/set-video-thumbnail", { videoId: fileId, timestampSeconds: 60 })
      assert.deepInclude(late.body, { code: "invalid_field", field: "timestampSeconds" })
    } finally {
      await close()
    }
  }, 120_000)
})
