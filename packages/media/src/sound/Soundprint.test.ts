import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { bitError, decompressed } from "../../test/Fingerprints.ts"
import * as Samples from "../../test/Samples.ts"
import * as Synthesis from "../../test/Synthesis.ts"
import { fingerprint } from "./Chromaprint.ts"
import { downsampled } from "./Downsample.ts"
import { sound } from "./Sound.ts"

/** The samples of a WAV of 16 bits, mono, from its `data` on. */
const samplesOfWav = (path: string): Float32Array => {
  const bytes = readFileSync(path)
  const data = bytes.subarray(bytes.indexOf("data") + 8)
  const channels = bytes.readUInt16LE(22)
  const step = 2 * channels
  return Float32Array.from({ length: Math.floor(data.length / step) }, (_, i) => data.readInt16LE(i * step) / 32_768)
}

describe("soundprints", () => {
  it.skipIf(Samples.missing !== undefined)(
    `MEDIA-22 prints silence as fpcalc does${Samples.because(Samples.missing)}`,
    async () => {
      const [, printed] = Samples.fingerprints().find(([path]) => path === "audio/silence.wav")!
      // 44,100 samples a second, downsampled twice.
      const half = downsampled(samplesOfWav(Samples.sample("audio/silence.wav")), Number.POSITIVE_INFINITY)
      const quarter = downsampled(Float32Array.from(half, (sample) => sample / 32_768), Number.POSITIVE_INFINITY)
      assert.strictEqual(bitError(await fingerprint(quarter), decompressed(printed)), 0)
    }
  )

  it("MEDIA-22 prints one song alike at any loudness, and another song otherwise", async () => {
    const print = async (samples: Float32Array) => (await sound(new Uint8Array(samples.slice().buffer))).soundprint!
    const song = Synthesis.song(128, "Am")
    const [original, quieter, other] = [
      await print(song),
      await print(song.map((sample) => sample / 3)),
      await print(Synthesis.song(97, "F#"))
    ]
    assert.isAbove(original.length, 200)
    assert.isTrue(original.every((number) => Number.isInteger(number) && number >= 0 && number < 2 ** 32))
    assert.isBelow(bitError(original, quieter), 0.01)
    assert.isAbove(bitError(original, other), 0.3)
  })

  it("MEDIA-22 has no print of what is too short for one", async () => {
    const { soundprint } = await sound(new Uint8Array(Synthesis.song(128, "Am", 1).slice().buffer))
    assert.isNull(soundprint)
  })
})
