/** Writes a video as WebM (https://www.rfc-editor.org/rfc/rfc9559): its length, an index of its key frames, and its frames. */

/** A picture as an encoder gives it. */
export interface EncodedFrame {
  readonly isKey: boolean
  readonly data: Uint8Array
}

export interface WebmOptions {
  readonly width: number
  readonly height: number
  /** When a frame begins, in milliseconds. */
  readonly beginOf: (frame: number) => number
  /** The first is a key frame. */
  readonly frames: ReadonlyArray<EncodedFrame>
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex, "hex")

/** A number without leading zeros. */
const number = (value: number): Buffer => {
  const hex = value.toString(16)
  return bytesOf(hex.padStart(hex.length + hex.length % 2, "0"))
}

const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}

/** Of a length that does not depend on the value. */
const offset = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const element = (id: string, ...content: ReadonlyArray<Buffer>): Buffer => {
  const data = Buffer.concat(content)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(data.length) | 1n << 56n)
  return Buffer.concat([bytesOf(id), size, data])
}

const header = element(
  "1a45dfa3",
  element("4286", number(1)),
  element("42f7", number(1)),
  element("42f2", number(4)),
  element("42f3", number(8)),
  element("4282", Buffer.from("webm")),
  element("4287", number(4)),
  element("4285", number(2))
)

const block = (data: Uint8Array, millis: number, isKey: boolean): Buffer => {
  const head = Buffer.from([0x81, 0, 0, isKey ? 0x80 : 0])
  head.writeInt16BE(millis, 1)
  return element("a3", head, Buffer.from(data))
}

interface Cluster {
  readonly beginMillis: number
  readonly bytes: Buffer
}

/** One for each key frame, with those that need it. */
const clustersOf = ({ beginOf, frames }: WebmOptions): ReadonlyArray<Cluster> => {
  const keys = frames.flatMap(({ isKey }, at) => isKey ? [at] : [])
  return keys.map((first, at) => {
    const beginMillis = Math.round(beginOf(first))
    const blocks = frames.slice(first, keys[at + 1]).map(({ data, isKey }, behind) =>
      block(data, Math.round(beginOf(first + behind)) - beginMillis, isKey)
    )
    return { beginMillis, bytes: element("1f43b675", element("e7", number(beginMillis)), ...blocks) }
  })
}

const cuesOf = (clusters: ReadonlyArray<Cluster>, from: number): Buffer => {
  let at = from
  return element(
    "1c53bb6b",
    ...clusters.map(({ beginMillis, bytes }) => {
      const place = element("b7", element("f7", number(1)), element("f1", offset(at)))
      at += bytes.length
      return element("bb", element("b3", number(beginMillis)), place)
    })
  )
}

export const webmOf = (options: WebmOptions): Buffer => {
  const { beginOf, frames, height, width } = options
  const info = element(
    "1549a966",
    element("2ad7b1", number(1_000_000)),
    element("4489", double(beginOf(frames.length))),
    element("4d80", Buffer.from("filedrive")),
    element("5741", Buffer.from("filedrive"))
  )
  const tracks = element(
    "1654ae6b",
    element(
      "ae",
      element("d7", number(1)),
      element("73c5", number(1)),
      element("83", number(1)),
      element("9c", number(0)),
      element("86", Buffer.from("V_VP8")),
      element("e0", element("b0", number(width)), element("ba", number(height)))
    )
  )
  const clusters = clustersOf(options)
  // As long with other offsets.
  const cuesLength = cuesOf(clusters, 0).length
  const cues = cuesOf(clusters, info.length + tracks.length + cuesLength)
  return Buffer.concat([
    header,
    element("18538067", info, tracks, cues, ...clusters.map(({ bytes }) => bytes))
  ])
}
