/** Frames of MPEG sound (MP3): whether their bitrates differ, so that a few tell nothing of how long all of them play. */
import { runsOf } from "./RawTexts.ts"

/** Kilobits a second by version (MPEG-1, else 2 and 2.5), layer and index. */
const bitrates: Readonly<Record<1 | 2, Readonly<Record<1 | 2 | 3, ReadonlyArray<number>>>>> = {
  1: {
    1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  },
  2: {
    1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  }
}
const sampleRates = [44_100, 48_000, 32_000]

interface Frame {
  readonly bytes: number
  readonly bitrate: number
  /** What does not change from frame to frame. */
  readonly kind: number
}

const frameAt = (bytes: Uint8Array, at: number): Frame | null => {
  if (bytes[at] !== 0xff || at + 4 > bytes.length || (bytes[at + 1]! & 0xe0) !== 0xe0) return null
  const second = bytes[at + 1]!
  const third = bytes[at + 2]!
  const version = (second >> 3) & 3 // 3: MPEG-1, 2: MPEG-2, 0: MPEG-2.5
  const layer = 4 - ((second >> 1) & 3)
  const bitrate = bitrates[version === 3 ? 1 : 2][layer as 1 | 2 | 3]?.[third >> 4]
  const rate = sampleRates[(third >> 2) & 3]
  if (version === 1 || layer === 4 || bitrate === undefined || bitrate === 0 || rate === undefined) return null
  const sampleRate = rate / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const padding = (third >> 1) & 1
  const length = layer === 1
    ? (Math.floor((12_000 * bitrate) / sampleRate) + padding) * 4
    : Math.floor(((layer === 3 && version !== 3 ? 72_000 : 144_000) * bitrate) / sampleRate) + padding
  return { bytes: length, bitrate, kind: (second & 0xfe) << 8 | (third & 0x0c) }
}

/** So many in a row can't be an accident. */
const inARow = 4

/** Frames from `at` on, one behind the other. */
function* framesFrom(bytes: Uint8Array, at: number): Generator<Frame> {
  const first = frameAt(bytes, at)
  let frame = first
  while (frame !== null && frame.kind === first?.kind) {
    yield frame
    frame = frameAt(bytes, at += frame.bytes)
  }
}

const bitratesIn = (bytes: Uint8Array): ReadonlySet<number> => {
  const found = new Set<number>()
  for (let at = bytes.indexOf(0xff); at >= 0 && found.size < 2;) {
    const row = [...framesFrom(bytes, at)]
    const isSound = row.length >= inARow
    if (isSound) { for (const { bitrate } of row) found.add(bitrate) }
    at = bytes.indexOf(0xff, at + (isSound ? row.reduce((sum, frame) => sum + frame.bytes, 0) : 1))
  }
  return found
}

/** The available blocks, by their number in the file. */
export const bitratesVary = (blocks: ReadonlyMap<number, Uint8Array>): boolean => {
  return new Set(runsOf(blocks).flatMap((run) => [...bitratesIn(run)])).size > 1
}
