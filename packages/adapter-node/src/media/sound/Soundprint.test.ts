import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Samples from "../../../test/media/Samples.ts"
import * as Synthesis from "../../../test/media/Synthesis.ts"
import { fingerprint } from "./Chromaprint.ts"
import { halved } from "./Halving.ts"
import { sound } from "./Sound.ts"

/** Share of the bits that differ, where both have any. */
const bitError = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number => {
  const length = Math.min(a.length, b.length)
  let bits = 0
  for (let i = 0; i < length; i++) {
    for (let rest = (a[i]! ^ b[i]!) >>> 0; rest > 0; rest &= rest - 1) bits++
  }
  return bits / (32 * length)
}

const bitReader = (bytes: Uint8Array) => (index: number, bits: number) => {
  let value = 0
  for (let bit = 0; bit < bits; bit++) {
    const at = index * bits + bit
    value |= ((bytes[at >> 3]! >> (at & 7)) & 1) << bit
  }
  return value
}

/**
 * What `fpcalc` prints, as numbers: for each, how far apart its changed bits are, in threes of bits with 0 at its end; the
 * rest of distances over 6 follows in fives.
 */
const decompressed = (text: string): ReadonlyArray<number> => {
  const bytes = Buffer.from(text, "base64url")
  const count = bytes.readUIntBE(1, 3)
  const three = bitReader(bytes.subarray(4))
  const distances: Array<number> = []
  for (let ends = 0; ends < count;) {
    const distance = three(distances.length, 3)
    distances.push(distance)
    if (distance === 0) ends++
  }
  const five = bitReader(bytes.subarray(4 + Math.ceil((distances.length * 3) / 8)))
  const numbers: Array<number> = []
  let [large, bit, changed] = [0, 0, 0]
  for (const distance of distances) {
    if (distance === 0) {
      numbers.push(((numbers.at(-1) ?? 0) ^ changed) >>> 0)
      bit = changed = 0
    } else {
      bit += distance === 7 ? 7 + five(large++, 5) : distance
      changed |= 1 << (bit - 1)
    }
  }
  return numbers
}

/** The samples of a WAV of 16 bits, mono, from its `data` on. */
const samplesOfWav = (path: string): Float32Array => {
  const bytes = readFileSync(path)
  const data = bytes.subarray(bytes.indexOf("data") + 8)
  const channels = bytes.readUInt16LE(22)
  const step = 2 * channels
  return Float32Array.from({ length: Math.floor(data.length / step) }, (_, i) => data.readInt16LE(i * step) / 32_768)
}

describe("soundprints", () => {
  it.skipIf(Samples.missing !== undefined)("MEDIA-22 prints silence as fpcalc does", async () => {
    const [, printed] = Samples.fingerprints().find(([path]) => path === "audio/silence.wav")!
    // 44,100 samples a second, halved twice.
    const half = halved(samplesOfWav(Samples.sample("audio/silence.wav")), Number.POSITIVE_INFINITY)
    const quarter = halved(Float32Array.from(half, (sample) => sample / 32_768), Number.POSITIVE_INFINITY)
    assert.strictEqual(bitError(await fingerprint(quarter), decompressed(printed)), 0)
  })

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
