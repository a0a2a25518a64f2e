/** Tracks that are the same recording, by their real soundprints: encoded well and badly, cut, and another song. */
import { DriveClient } from "@filedrive/testing"
import { readFileSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { assert, describe, it } from "vitest"
import { make, missing, place } from "../../../media/test/FfmpegFixtures.ts"
import { sampleRate, song } from "../../../media/test/Synthesis.ts"
import { fetchOf, temporaryDrive, userOf } from "../hosts/hosts.ts"

/** The song as a file of samples, to be encoded. */
const samples = (name: string, track: Float32Array): ReadonlyArray<string> => {
  const path = place(name)
  writeFileSync(path, new Uint8Array(track.buffer))
  return ["-f", "f32le", "-ar", String(sampleRate), "-ac", "1", "-i", path]
}

describe.skipIf(missing !== undefined)(`Similar tracks${missing === undefined ? "" : ` (${missing})`}`, () => {
  it("MEDIA-30 MEDIA-31 the same song at another bitrate is found, and cut; another song is not", async () => {
    const { close, drive } = await temporaryDrive({ url: "http://drive.test" })
    try {
      const { apiToken, userId } = await userOf(drive)()
      const client = new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(drive) })
      const one = samples("one.f32", song(128, "Am", 40))
      const other = samples("other.f32", song(92, "F#", 40))
      const upload = (path: string) =>
        client.upload({
          fileName: basename(path),
          bytes: new Uint8Array(readFileSync(path)),
          type: "Audio",
          mimeType: "audio/mpeg"
        })
      const good = await upload(make("good.mp3", ...one, "-b:a", "128k"))
      const bad = await upload(make("bad.mp3", ...one, "-b:a", "24k", "-ar", "16000"))
      const flac = await upload(make("a.flac", ...one))
      const cut = await upload(make("cut.mp3", "-ss", "7.3", ...one, "-b:a", "96k", "-af", "volume=-12dB"))
      const another = await upload(make("another.mp3", ...other, "-b:a", "128k"))

      const similar = (fileId: string) => drive.as(userId).selectSimilarTracks({ fileId })
      const ids = [good, bad, flac, cut, another]
      for (const id of ids) {
        while ((await similar(id)).pending) await new Promise((resolve) => setTimeout(resolve, 50))
      }
      const found = async (id: string) => (await similar(id)).tracks.map(({ file }) => file.id)
      assert.sameMembers(await found(good), [bad, flac, cut])
      assert.sameMembers(await found(cut), [good, bad, flac])
      assert.deepStrictEqual(await found(another), [])
      const [best] = (await similar(good)).tracks
      assert.strictEqual(best?.file.id, flac)
      assert.isAbove(best?.similarity ?? 0, 0.95)
    } finally {
      await close()
    }
  }, 240_000)
})
