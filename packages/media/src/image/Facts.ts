/** The facts written in an image: its size as shown, when, where and with what it was taken. Runs in the sandbox. */
import type { MediaTools } from "@filedrive/core"
import { SandboxError } from "../sandbox/SandboxError.ts"
import type { Size } from "../Size.ts"
import { decoderOf } from "../tags/CodePage.ts"
import { embeddedJpegs } from "./EmbeddedJpeg.ts"
import { type Tag, type Tags, type Written, written } from "./ExifReader.ts"
import { type ImageKind, imageKind } from "./ImageKind.ts"
import * as Magick from "./Magick.ts"
import { exifBlocks, gpsOfCr3, rawFacts } from "./RawFacts.ts"
import * as SharpImage from "./Sharp.ts"
import { takenTime } from "./TakenTime.ts"

export interface ImageFacts extends Pick<MediaTools.ProbeResult, "title" | "width" | "height" | "location" | "camera"> {
  readonly mimeType: string
  /** In milliseconds since 1970. */
  readonly takenMillis: number | null
}

const rawSize = (bytes: Uint8Array): Size => {
  const { height, orientation = 1, width } = rawFacts(bytes) ?? {}
  const [preview] = embeddedJpegs(bytes)
  const size = width !== undefined && height !== undefined && width * height > 0 ? { width, height } : preview
  if (size === undefined) throw new SandboxError("This camera file is damaged: it has no picture.")
  return orientation > 4 ? { width: size.height, height: size.width } : { width: size.width, height: size.height }
}

/** Of HEIC sharp reads the head, though it decodes no picture; the size is that of the picture turned upright. A sequence has no such head. */
const heicSize = async (bytes: Uint8Array): Promise<Size> => {
  try {
    const { height, width } = await SharpImage.head(bytes)
    return { width, height }
  } catch (error) {
    if (error instanceof SandboxError) throw error
    return Magick.sizeOf(bytes, "HEIC")
  }
}

const sizeOf = async (bytes: Uint8Array, { decoder, magickFormat }: ImageKind): Promise<Size> => {
  if (decoder === "raw") return rawSize(bytes)
  if (decoder === "sharp") return (await SharpImage.head(bytes)).autoOrient
  return magickFormat === "HEIC" ? heicSize(bytes) : Magick.sizeOf(bytes, magickFormat)
}

/** Every group of tags in the file, those of several blocks put together. */
const tagsOf = (bytes: Uint8Array): Written => {
  const blocks = exifBlocks(bytes).map(written)
  return Object.assign({}, ...blocks, { exif: Object.assign({}, ...blocks.map(({ exif }) => exif)) })
}

/** ExifReader's text for a tag whose value is outside the file. */
const faulty = "<faulty value>"

const textOf = (tags: Tags | undefined, name: string): string | undefined => {
  const { description, value } = tags?.[name] ?? {}
  if ([value].flat().includes(faulty)) return undefined
  // oxlint-disable-next-line no-control-regex
  const text = typeof description === "string" ? description.replaceAll(/[\u0000-\u001f]+/g, " ").trim() : ""
  return text === "" ? undefined : text
}

const textMax = 500

const firstOf = (...texts: ReadonlyArray<string | undefined>): string | null =>
  texts.find((text) => text !== undefined)?.slice(0, textMax) ?? null

/** A text that may exist in several languages: the default one, else the first. */
const ofAnyLanguage = (tags: Tags | undefined, name: string): string | undefined => {
  const texts = tags?.[name]?.value
  if (!Array.isArray(texts)) return textOf(tags, name)
  const several = texts as ReadonlyArray<Tag & { readonly attributes?: { readonly lang?: string } }>
  const chosen = several.find(({ attributes }) => attributes?.lang === "x-default") ?? several[0]
  return chosen === undefined ? undefined : textOf({ [name]: chosen }, name)
}

const bytesIn = (tag: Tag | undefined): ReadonlyArray<Uint8Array> =>
  [tag ?? []].flat().flatMap(({ value }) =>
    Array.isArray(value) && value.every((byte) => typeof byte === "number") ? [Uint8Array.from(value)] : []
  )

/** Of IPTC that names no character set: in an old code page, if that is what all of its texts are in. */
const iptcText = (tags: Tags | undefined, name: string): string | undefined => {
  const [bytes] = bytesIn(tags?.[name])
  if (tags === undefined || bytes === undefined || tags["Coded Character Set"] !== undefined) return textOf(tags, name)
  const decode = decoderOf(Object.values(tags).flatMap(bytesIn))
  return textOf({ [name]: { value: null, description: decode(bytes) } }, name)
}

const cameraOf = (exif: Tags | undefined): string | null => {
  const make = textOf(exif, "Make")
  const model = textOf(exif, "Model")
  // Most makers begin the model with their name, or its first word.
  const named = make !== undefined && model?.toLowerCase().startsWith(make.split(" ")[0]!.toLowerCase())
  return firstOf(named || make === undefined || model === undefined ? model ?? make : `${make} ${model}`)
}

/** Degrees as XMP writes them: `33,52,7S` or `33,52.12S`. */
const xmpDegrees = (xmp: Tags | undefined, name: string): number | undefined => {
  const value = xmp?.[name]?.value
  const [, parts, side] =
    /^\s*(\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?){0,2})([NSEW])\s*$/.exec(typeof value === "string" ? value : "") ?? []
  const [degrees = 0, minutes = 0, seconds = 0] = (parts ?? "").split(",").map(Number)
  return parts === undefined
    ? undefined
    : (side === "S" || side === "W" ? -1 : 1) * (degrees + minutes / 60 + seconds / 3600)
}

const gpsOfXmp = ({ xmp }: Written): Written["gps"] => {
  const Latitude = xmpDegrees(xmp, "GPSLatitude")
  const Longitude = xmpDegrees(xmp, "GPSLongitude")
  return Latitude === undefined || Longitude === undefined ? undefined : { Latitude, Longitude }
}

const locationOf = (bytes: Uint8Array, tags: Written): ImageFacts["location"] => {
  const { Latitude: latitude, Longitude: longitude } = tags.gps ?? gpsOfCr3(bytes) ?? gpsOfXmp(tags) ?? {}
  if (latitude === undefined || longitude === undefined) return null
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null
  return { latitude, longitude }
}

const joined = (tags: Tags | undefined, date: string, time: string): string | undefined => {
  const day = textOf(tags, date)
  const hour = textOf(tags, time)
  return day === undefined || hour === undefined ? day : `${day} ${hour}`
}

const timeOf = ({ exif, iptc, xmp }: Written): number | null =>
  takenTime({
    original: textOf(exif, "DateTimeOriginal"),
    originalOffset: textOf(exif, "OffsetTimeOriginal"),
    originalFraction: textOf(exif, "SubSecTimeOriginal"),
    digitized: textOf(exif, "DateTimeDigitized"),
    digitizedOffset: textOf(exif, "OffsetTimeDigitized"),
    digitizedFraction: textOf(exif, "SubSecTimeDigitized"),
    gps: textOf(exif, "GPSTimeStamp") === undefined ? undefined : joined(exif, "GPSDateStamp", "GPSTimeStamp"),
    others: [
      textOf(xmp, "DateTimeOriginal"),
      textOf(xmp, "DateCreated"),
      joined(iptc, "Date Created", "Time Created"),
      textOf(xmp, "CreateDate")
    ].filter((one) => one !== undefined)
  })

export const imageFacts = async (
  bytes: Uint8Array,
  { fileName }: { readonly fileName: string }
): Promise<ImageFacts> => {
  const kind = await imageKind(bytes, fileName)
  if (kind === null) throw new SandboxError("This file is not an image of a kind that can be shown.")
  const { height, width } = await sizeOf(bytes, kind)
  const tags = tagsOf(bytes)
  return {
    mimeType: kind.mimeType,
    width,
    height,
    title: firstOf(
      ofAnyLanguage(tags.xmp, "title"),
      iptcText(tags.iptc, "Object Name"),
      textOf(tags.exif, "XPTitle"),
      textOf(tags.pngText, "Title")
    ),
    camera: cameraOf(tags.exif) ?? cameraOf(tags.xmp),
    takenMillis: timeOf(tags),
    location: locationOf(bytes, tags)
  }
}
