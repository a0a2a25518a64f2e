/** The facts of camera RAW, in the format of each maker. */
import { xmpOfGif } from "./Gif.ts"
import { jxlMetadata } from "./JpegXl.ts"
import * as Tiff from "./Tiff.ts"

export interface RawFacts {
  readonly orientation: number | undefined
  /** Before it is turned. */
  readonly width: number | undefined
  readonly height: number | undefined
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const says = (buffer: Buffer, at: number, name: string): boolean =>
  buffer.subarray(at, at + name.length).toString("latin1") === name

const isCr3 = (buffer: Buffer): boolean => says(buffer, 4, "ftypcrx ")
const isRaf = (buffer: Buffer): boolean => says(buffer, 0, "FUJIFILM") && buffer.length > 108

/** A box of CR3 that is a TIFF of one directory. */
const cr3Box = (buffer: Buffer, name: "CMT1" | "CMT2" | "CMT4"): ReadonlyArray<Buffer> => {
  const at = buffer.indexOf(name)
  return at < 4 ? [] : [buffer.subarray(at + 4, at - 4 + buffer.readUInt32BE(at - 4))]
}

/** Panasonic's and Olympus's marks of a TIFF. */
const tiffMarks = new Set(["IIU\0", "IIRO", "IIRS"])

const asTiff = (buffer: Buffer): Buffer => {
  const tiff = Buffer.from(buffer)
  tiff.set([0x2a, 0], 2)
  return tiff
}

/** Where JPEG 2000 and Photoshop keep a TIFF with the EXIF: behind a mark, and as many bytes of length. */
const exifMarks = [
  { head: "\0\0\0\u000cjP  ", mark: "JpgTiffExif->JP2", lengthBytes: 0 },
  { head: "8BPS", mark: "8BIM\u0004\u0022\0\0", lengthBytes: 4 }
] as const

const xmpFileHead = Buffer.from("<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>")

/** XMP as a file of its own, by the words that those begin with. */
const asXmpFile = (xmp: Buffer): Buffer => {
  const start = xmp.indexOf("<x:xmpmeta")
  return start < 0 ? xmp : Buffer.concat([xmpFileHead, xmp.subarray(start)])
}

/**
 * The bytes to pass to a reader of EXIF. For most formats the file itself; but CR3 keeps each directory as a
 * TIFF of its own, RAF has a JPEG with it, some have a TIFF under another mark, JPEG XL compresses it, and GIF has XMP.
 */
export const exifBlocks = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const buffer = asBuffer(bytes)
  if (isCr3(buffer)) return [...cr3Box(buffer, "CMT1"), ...cr3Box(buffer, "CMT2")]
  if (isRaf(buffer)) {
    const start = buffer.readUInt32BE(84)
    return [buffer.subarray(start, start + buffer.readUInt32BE(88))]
  }
  const ofJxl = jxlMetadata(buffer)
  if (ofJxl !== null) return [ofJxl]
  const xmp = xmpOfGif(buffer)
  if (xmp !== undefined) return [asXmpFile(xmp)]
  if (tiffMarks.has(buffer.toString("latin1", 0, 4))) return [asTiff(buffer)]
  const within = exifMarks.find(({ head }) => says(buffer, 0, head))
  const at = within === undefined ? -1 : buffer.indexOf(within.mark, 0, "latin1")
  return within === undefined || at < 0 ? [buffer] : [buffer.subarray(at + within.mark.length + within.lengthBytes)]
}

/** Degrees, of degrees, minutes and seconds. */
const degrees = ([whole = Number.NaN, minutes = 0, seconds = 0]: ReadonlyArray<number>): number =>
  whole + minutes / 60 + seconds / 3600

/** Where a CR3 was taken: a directory of its own, as EXIF has it otherwise within another. */
export const gpsOfCr3 = (bytes: Uint8Array): { readonly Latitude: number; readonly Longitude: number } | undefined => {
  const [box] = isCr3(asBuffer(bytes)) ? cr3Box(asBuffer(bytes), "CMT4") : []
  const gps = box === undefined ? undefined : Tiff.read(box)?.first
  if (gps === undefined) return undefined
  const north = Tiff.text(gps, 1)
  const east = Tiff.text(gps, 3)
  if (north === "" || east === "") return undefined
  return {
    Latitude: degrees(Tiff.numbers(gps, 2)) * (north === "S" ? -1 : 1),
    Longitude: degrees(Tiff.numbers(gps, 4)) * (east === "W" ? -1 : 1)
  }
}

/** Width and height, where they are stated. */
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
  const buffer = asBuffer(bytes)
  if (isRaf(buffer)) {
    // Its orientation is that of its JPEG.
    const [width, height] = fujiSize(buffer)
    return { orientation: undefined, width, height }
  }
  const found = Tiff.read(exifBlocks(bytes)[0] ?? new Uint8Array())
  if (found === null) return null
  const [width, height] = size(found)
  return { orientation: Tiff.number(found.first, Tiff.tag.orientation), width, height }
}
