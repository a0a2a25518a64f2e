/** What camera RAW says of itself, wherever each maker has it written. */
import * as Tiff from "./Tiff.ts"

export interface RawFacts {
  readonly orientation: number | undefined
  /** Before it is turned. */
  readonly width: number | undefined
  readonly height: number | undefined
}

/** The TIFF that holds a RAW file's EXIF, or null where it is in none: CR3 keeps each directory as one of its own, RAF has it in its JPEG. */
export const exifBlocks = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.subarray(4, 12).toString("latin1") === "ftypcrx ") {
    return ["CMT1", "CMT2", "CMT4"].flatMap((name) => {
      const at = buffer.indexOf(name)
      if (at < 4) return []
      const size = buffer.readUInt32BE(at - 4)
      return [buffer.subarray(at + 4, at - 4 + size)]
    })
  }
  if (buffer.subarray(0, 8).toString("latin1") === "FUJIFILM" && buffer.length > 108) {
    const start = buffer.readUInt32BE(84)
    return [buffer.subarray(start, start + buffer.readUInt32BE(88))]
  }
  if (buffer.subarray(0, 3).toString("latin1") === "IIU") {
    const asTiff = Buffer.from(buffer)
    asTiff[2] = 0x2a
    return [asTiff]
  }
  return [buffer]
}

/** Width and height, where they are told. */
type Size = readonly [number | undefined, number | undefined]

const unknown: Size = [undefined, undefined]
const reducedSize = 1

/** The picture itself among the directories: the largest that is not marked as a small copy. */
const size = ({ exif, first, others }: Tiff.Directories): Size => {
  const right = Tiff.number(first, Tiff.tag.panasonicRight)
  const bottom = Tiff.number(first, Tiff.tag.panasonicBottom)
  if (right !== undefined && bottom !== undefined) {
    const left = Tiff.number(first, Tiff.tag.panasonicLeft) ?? 0
    return [right - left, bottom - (Tiff.number(first, Tiff.tag.panasonicTop) ?? 0)]
  }
  // Canon writes the size as shown here, and only copies among its directories.
  if (/^canon/i.test(Tiff.text(first, Tiff.tag.make))) {
    const exifSize = [Tiff.number(exif, Tiff.tag.exifWidth), Tiff.number(exif, Tiff.tag.exifHeight)] as const
    if (exifSize[0] !== undefined) return exifSize
  }
  const sizes = [first, ...others]
    .filter((one) => Tiff.number(one, Tiff.tag.subfileType) !== reducedSize)
    .map((one) => {
      const [cropWidth, cropHeight] = Tiff.numbers(one, Tiff.tag.dngCropSize)
      return [cropWidth ?? Tiff.number(one, Tiff.tag.width), cropHeight ?? Tiff.number(one, Tiff.tag.height)] as const
    })
    .sort(([aWidth = 0, aHeight = 0], [bWidth = 0, bHeight = 0]) => bWidth * bHeight - aWidth * aHeight)
  return sizes[0] ?? unknown
}

/** Width and height of RAF: its list of records begins at an offset of its own, each a number, a length and values. */
const fujiSize = (buffer: Buffer): Size => {
  let at = buffer.readUInt32BE(92) + 4
  const end = Math.min(at + buffer.readUInt32BE(96), buffer.length)
  const croppedSize = 0x0111
  for (; at + 8 <= end; at += 4 + buffer.readUInt16BE(at + 2)) {
    if (buffer.readUInt16BE(at) === croppedSize) return [buffer.readUInt16BE(at + 6), buffer.readUInt16BE(at + 4)]
  }
  return unknown
}

export const rawFacts = (bytes: Uint8Array): RawFacts | null => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.subarray(0, 8).toString("latin1") === "FUJIFILM") {
    // Its orientation is that of its JPEG.
    const [width, height] = buffer.length > 108 ? fujiSize(buffer) : unknown
    return { orientation: undefined, width, height }
  }
  const found = Tiff.read(exifBlocks(bytes)[0] ?? new Uint8Array())
  if (found === null) return null
  const [width, height] = size(found)
  return { orientation: Tiff.number(found.first, Tiff.tag.orientation), width, height }
}
