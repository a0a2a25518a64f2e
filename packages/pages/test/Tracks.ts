/** Tracks made in code: sounds as WAV files, which every browser plays. */

const perSecond = 8_000

/** One channel of 8 bits. `loudness` of 0 to 1 at a moment in seconds. */
const wav = (seconds: number, loudness: (at: number) => number): Buffer => {
  const length = Math.round(seconds * perSecond)
  const header = Buffer.alloc(44)
  header.write("RIFF", 0)
  header.writeUInt32LE(36 + length, 4)
  header.write("WAVEfmt ", 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(perSecond, 24)
  header.writeUInt32LE(perSecond, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write("data", 36)
  header.writeUInt32LE(length, 40)
  const samples = Buffer.alloc(length)
  for (let at = 0; at < length; at++) {
    samples[at] = Math.round(128 + 127 * loudness(at / perSecond) * Math.sin(at / 4))
  }
  return Buffer.concat([header, samples])
}

/** A tone of one loudness. */
export const tone = (seconds: number): Buffer => wav(seconds, () => 0.7)

/** A tone that begins in silence and gets louder. */
export const swelling = (seconds: number): Buffer => wav(seconds, (at) => at / seconds)
