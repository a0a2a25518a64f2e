/**
 * The kind of an image, by its bytes, which decides the decoder. Many RAW files are
 * TIFF by their first bytes, and a decoder of TIFF shows their thumbnail as if it were the
 * picture; so the kind of a TIFF is looked up in its directories.
 */
import { fileTypeFromBuffer } from "file-type"
import { bySignature } from "../Signatures.ts"
import { ofText } from "../TextKind.ts"
import * as Tiff from "./Tiff.ts"

export interface ImageKind {
  readonly mimeType: string
  readonly decoder: "sharp" | "magick" | "raw"
  /** ImageMagick's name of the format; it must never guess. */
  readonly magickFormat: string
}

const sharpTypes = new Set([
  "image/jpeg",
  "image/png",
  "image/apng",
  "image/webp",
  "image/tiff",
  "image/gif",
  "image/svg+xml",
  "image/avif"
])

const magickFormats: Readonly<Record<string, string>> = {
  "image/heic": "HEIC",
  "image/heif": "HEIC",
  "image/heic-sequence": "HEIC",
  "image/heif-sequence": "HEIC",
  "image/jxl": "JXL",
  "image/vnd.adobe.photoshop": "PSD",
  "image/jp2": "JP2",
  "image/jpx": "JP2",
  "image/jpm": "JPM",
  "image/j2c": "J2C",
  "image/bmp": "BMP",
  "image/x-icon": "ICO",
  "image/x-xcf": "XCF",
  "image/x-exr": "EXR",
  "image/vnd.ms-dds": "DDS",
  "image/qoi": "QOI"
}

const rawFormats: Readonly<Record<string, string>> = {
  "image/x-adobe-dng": "DNG",
  "image/x-canon-cr2": "CR2",
  "image/x-canon-cr3": "CR3",
  "image/x-fujifilm-raf": "RAF",
  "image/x-nikon-nef": "NEF",
  "image/x-olympus-orf": "ORF",
  "image/x-panasonic-rw2": "RW2",
  "image/x-sony-arw": "ARW",
  "image/x-pentax-pef": "PEF",
  "image/x-samsung-srw": "SRW",
  "image/x-kodak-dcr": "DCR",
  "image/x-kodak-kdc": "KDC",
  "image/x-hasselblad-3fr": "3FR",
  "image/x-phaseone-iiq": "IIQ",
  "image/x-mamiya-mef": "MEF",
  "image/x-epson-erf": "ERF",
  "image/x-leaf-mos": "MOS",
  "image/x-leica-rwl": "RWL",
  "image/x-sigma-x3f": "X3F",
  "image/x-minolta-mrw": "MRW",
  "image/x-canon-crw": "CRW",
  "image/x-raw": "DCRAW"
}

/** Names that decide between TIFF and RAW where the content says TIFF. */
const rawExtensions: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(rawFormats).map(([mimeType, format]) => [format.toLowerCase(), mimeType]),
  ["nrw", "image/x-nikon-nef"],
  ["sr2", "image/x-sony-arw"],
  ["srf", "image/x-sony-arw"]
])

const makers: ReadonlyArray<readonly [RegExp, string]> = [
  [/^nikon/i, "image/x-nikon-nef"],
  [/^sony/i, "image/x-sony-arw"],
  [/^canon/i, "image/x-canon-cr2"],
  [/^(?:pentax|asahi|ricoh)/i, "image/x-pentax-pef"],
  [/^samsung/i, "image/x-samsung-srw"],
  [/^(?:eastman )?kodak/i, "image/x-kodak-kdc"],
  [/^hasselblad/i, "image/x-hasselblad-3fr"],
  [/^phase one/i, "image/x-phaseone-iiq"],
  [/^mamiya/i, "image/x-mamiya-mef"],
  [/^seiko epson/i, "image/x-epson-erf"],
  [/^leaf/i, "image/x-leaf-mos"],
  [/^leica/i, "image/x-leica-rwl"],
  [/^(?:olympus|om digital)/i, "image/x-olympus-orf"]
]

/** Data of the sensor: a colour filter array, or a linear form of one. */
const sensorPhotometrics = new Set([32_803, 34_892])
/** Compressions that cameras alone write: of Sony, Samsung, Nikon, Kodak and Pentax. */
const sensorCompressions = new Set([32_767, 32_769, 32_770, 34_713, 65_000, 65_535])

const isSensorData = (directory: Tiff.Directory): boolean =>
  sensorPhotometrics.has(Tiff.number(directory, Tiff.tag.photometric) ?? 0)
  || sensorCompressions.has(Tiff.number(directory, Tiff.tag.compression) ?? 0)

/** The kind of RAW that a TIFF is, or null when it is a plain TIFF. */
const rawInTiff = (bytes: Uint8Array, fileName: string): string | null => {
  const found = Tiff.read(bytes)
  if (found?.first.has(Tiff.tag.dngVersion) === true) return "image/x-adobe-dng"
  const named = rawExtensions[/\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ""]
  if (found === null || ![found.first, ...found.others].some(isSensorData)) return named ?? null
  const maker = Tiff.text(found.first, Tiff.tag.make)
  return makers.find(([name]) => name.test(maker))?.[1] ?? named ?? "image/x-raw"
}

/** Signatures take some TIFFs for camera RAW by a tag that other programs write as well. */
const guessedTiffs = new Set(["image/tiff", "image/x-nikon-nef", "image/x-sony-arw"])

const headBytes = 64 * 1024

const ofMimeType = (mimeType: string): ImageKind | null => {
  const raw = rawFormats[mimeType]
  if (raw !== undefined) return { mimeType, decoder: "raw", magickFormat: raw }
  const magick = magickFormats[mimeType]
  if (magick !== undefined) return { mimeType, decoder: "magick", magickFormat: magick }
  return sharpTypes.has(mimeType) ? { mimeType, decoder: "sharp", magickFormat: "" } : null
}

/** Null when it is not an image, or of a kind that no decoder here supports. */
export const imageKind = async (bytes: Uint8Array, fileName: string): Promise<ImageKind | null> => {
  // A head that ends in the middle of a structure is of no known kind.
  const signed = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime ?? bySignature(bytes)
  const isTiff = signed === null ? Tiff.read(bytes) !== null : guessedTiffs.has(signed)
  const mimeType = isTiff
    ? rawInTiff(bytes, fileName) ?? "image/tiff"
    : signed === null || signed === "application/xml"
    ? ofText(bytes.subarray(0, headBytes))
    : signed
  return mimeType === null ? null : ofMimeType(mimeType)
}
