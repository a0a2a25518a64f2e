/** The colour that a file declares for its picture: in chunks of PNG, boxes of HEIF and JPEG 2000, EXIF of a JPEG, or its colour profile. */
import { adobeRgb, bt709, type Colour, isHdr, ofCicp, type Primaries, unlessSrgb } from "./Colour.ts"
import * as Heif from "./Heif.ts"
import { contentOf, isoBoxes } from "./IsoBoxes.ts"

const tagsAt = 132
const tagsMax = 200

/** Of a profile: where it names a high dynamic range, whose curve a profile can't express otherwise. */
const ofProfile = (profile: Buffer): Colour | null => {
  if (profile.length < tagsAt) return null
  const count = Math.min(profile.readUInt32BE(tagsAt - 4), tagsMax)
  for (let at = tagsAt; at + 12 <= Math.min(tagsAt + 12 * count, profile.length); at += 12) {
    const value = profile.readUInt32BE(at + 4) + 8
    if (profile.toString("latin1", at, at + 4) !== "cicp" || value + 4 > profile.length) continue
    const colour = ofCicp(profile[value]!, profile[value + 1]!, profile[value + 3] === 0)
    return colour !== null && isHdr(colour) ? colour : null
  }
  return null
}

/** Chunks before the picture; there are seldom more than ten. */
const chunksMax = 200

const chunksOf = (png: Buffer): ReadonlyMap<string, Buffer> => {
  const found = new Map<string, Buffer>()
  for (let at = 8, chunks = 0; chunks < chunksMax && at + 12 <= png.length; chunks++) {
    const length = png.readUInt32BE(at)
    const type = png.toString("latin1", at + 4, at + 8)
    if (type === "IDAT" || at + 12 + length > png.length) break
    found.set(type, png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return found
}

/** So much do writers round the coordinates of the same primaries. */
const sameChromaticity = 0.002
const triangleMin = 0.01

/** Null when they are no triangle around a white. */
const primariesIn = (chunk: Buffer): Primaries | null => {
  const at = (place: number) => [chunk.readUInt32BE(place) / 1e5, chunk.readUInt32BE(place + 4) / 1e5] as const
  const [white, red, green, blue] = [at(0), at(8), at(16), at(24)]
  const area = Math.abs((green[0] - red[0]) * (blue[1] - red[1]) - (blue[0] - red[0]) * (green[1] - red[1])) / 2
  const isReal = [white, red, green, blue].every(([x, y]) => x >= 0 && y > 0 && x + y <= 1)
  if (!isReal || white[0] < 0.1 || white[1] < 0.1 || area < triangleMin) return null
  const found = { white, red, green, blue }
  const isBt709 = (["white", "red", "green", "blue"] as const).every((name) =>
    [0, 1].every((i) => Math.abs(found[name][i]! - bt709[name][i]!) <= sameChromaticity)
  )
  return isBt709 ? bt709 : found
}

/** The usual gamma is written as approximation of the curve of sRGB. */
const usualGamma = { written: 45_455, within: 500 }
const exponents = { least: 0.2, most: 5 }

const ofGamma = (gamma: Buffer | undefined, chromaticities: Buffer | undefined): Colour | null => {
  if (gamma?.length !== 4) return null
  const written = gamma.readUInt32BE(0)
  const exponent = 1e5 / written
  if (!(exponent >= exponents.least && exponent <= exponents.most)) return null
  const primaries = chromaticities?.length === 32 ? primariesIn(chromaticities) ?? bt709 : bt709
  const isUsual = primaries === bt709 && Math.abs(written - usualGamma.written) <= usualGamma.within
  return unlessSrgb({
    primaries,
    transfer: isUsual ? { curve: "srgb" } : { curve: "power", exponent },
    isNarrow: false
  })
}

/** By the order of the PNG specification: the first of these chunks counts. */
const ofPng = (bytes: Buffer, profile: Buffer | undefined): Colour | null => {
  const chunks = chunksOf(bytes)
  const cicp = chunks.get("cICP")
  if (cicp?.length === 4) return ofCicp(cicp[0]!, cicp[1]!, cicp[3] === 0)
  if (profile !== undefined) return ofProfile(profile)
  return chunks.has("sRGB") ? null : ofGamma(chunks.get("gAMA"), chunks.get("cHRM"))
}

const ofHeif = (bytes: Buffer): Colour | null => {
  const nclx = Heif.coloursOf(bytes).find((colour) => colour.length >= 11 && colour.toString("latin1", 0, 4) === "nclx")
  // The decoder takes the range and the matrix into account.
  return nclx === undefined ? null : ofCicp(nclx.readUInt16BE(4), nclx.readUInt16BE(6))
}

/** The method of JPEG 2000 by which a colour is written in the numbers of H.273. */
const byNumbers = 5

const ofJpeg2000 = (bytes: Buffer): Colour | null => {
  const header = contentOf(bytes, "jp2h") ?? Buffer.alloc(0)
  for (const { bodyStart, end, type } of isoBoxes(header)) {
    const colour = header.subarray(bodyStart, end)
    if (type !== "colr" || colour[0] !== byNumbers || colour.length < 10) continue
    return ofCicp(colour.readUInt16BE(3), colour.readUInt16BE(5), colour[9]! < 0x80)
  }
  return null
}

/** How EXIF names the index of a picture in Adobe RGB (R03), in either order of bytes. */
const indexR03 = [
  Buffer.from("\0\u0001\0\u0002\0\0\0\u0004R03\0", "latin1"),
  Buffer.from("\u0001\0\u0002\0\u0004\0\0\0R03\0", "latin1")
]

/** What tells the colour of a file beside its bytes. */
export interface Blocks {
  readonly icc?: Buffer | undefined
  readonly exif?: Buffer | undefined
}

/**
 * The colour in which the numbers of the decoded picture are to be read; null when they are sRGB, or when its profile tells.
 */
export const declaredColour = (bytes: Uint8Array, mimeType: string, { exif, icc }: Blocks): Colour | null => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (mimeType === "image/png" || mimeType === "image/apng") return ofPng(buffer, icc)
  if (icc !== undefined) return ofProfile(icc)
  if (mimeType === "image/avif" || mimeType.startsWith("image/hei")) return ofHeif(buffer)
  if (mimeType === "image/jp2" || mimeType === "image/jpx") return ofJpeg2000(buffer)
  return exif !== undefined && indexR03.some((index) => exif.includes(index)) ? adobeRgb : null
}
