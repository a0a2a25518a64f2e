/** ImageMagick as WebAssembly: decodes what sharp does not, and passes it to sharp as a TIFF. */
import type { IMagickImage } from "@imagemagick/magick-wasm"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Sharp } from "sharp"
import { library } from "../sandbox/SandboxError.ts"
import type { Size } from "../Size.ts"
import { declaredColour } from "./Declared.ts"
import { withShortBrands } from "./Heif.ts"
import type { ImageKind } from "./ImageKind.ts"
import { type TwoChannels, twoChannels } from "./Jpeg2000.ts"
import * as SharpImage from "./Sharp.ts"

const name = "@imagemagick/magick-wasm"

const start = async () => {
  const magick = await library(name, () => import("@imagemagick/magick-wasm"))
  await magick.initializeImageMagick(await readFile(fileURLToPath(import.meta.resolve(`${name}/magick.wasm`))))
  const { ResourceLimits } = magick
  ResourceLimits.memory = 1_200_000_000n
  ResourceLimits.area = 268_402_689n
  ResourceLimits.width = 65_500n
  ResourceLimits.height = 65_500n
  ResourceLimits.listLength = 64n
  ResourceLimits.disk = 0n
  return magick
}

let starting: ReturnType<typeof start> | undefined

/** An icon contains several sizes; of all other formats the first picture is used. */
const severalSizes = new Set(["ICO"])

const largestOf = <Image extends Size>(images: Iterable<Image>): Image =>
  [...images].sort((a, b) => b.width * b.height - a.width * a.height)[0]!

/** The decoders here keep eight bits of each colour, whatever the file has. */
const depth = 8

/** The spaces that a TIFF is read in as it was written; of others the zero of a colour is at another place. */
const writtenAsIs = (magick: Awaited<ReturnType<typeof start>>): ReadonlySet<number> => {
  const { ColorSpace } = magick
  return new Set([ColorSpace.sRGB, ColorSpace.RGB, ColorSpace.Gray, ColorSpace.LinearGray, ColorSpace.CMYK])
}

const toTiff = async (bytes: Uint8Array, format: string): Promise<Uint8Array> => {
  const magick = await (starting ??= start())
  const { ColorSpace, ImageMagick, MagickFormat, MagickReadSettings } = magick
  const settings = new MagickReadSettings({ format: format as never })
  const write = (image: IMagickImage): Uint8Array => {
    // A TIFF of ten or twelve bits is one that others can't read.
    image.depth = depth
    // Channels beside the picture, like a saved selection, would be read as its transparency.
    image.metaChannelCount = 0
    if (!writtenAsIs(magick).has(image.colorSpace)) image.colorSpace = ColorSpace.sRGB
    return image.write(MagickFormat.Tiff, (data) => new Uint8Array(data)) // the callback's is gone with it
  }
  if (severalSizes.has(format)) {
    return ImageMagick.readCollection(bytes, settings, (images) => write(largestOf(images)))
  }
  settings.frameIndex = 0
  settings.frameCount = 1
  return ImageMagick.read(format === "HEIC" ? withShortBrands(bytes) : bytes, settings, write)
}

const jpeg2000 = new Set(["JP2", "J2C"])

/** Grey, with its opacity. */
const greyOf = async ({ codestream, hasOpacity }: TwoChannels): Promise<Sharp> => {
  const { ImageMagick, MagickFormat, MagickReadSettings } = await (starting ??= start())
  const settings = new MagickReadSettings({ format: MagickFormat.J2c })
  const { channels, data, height, width } = ImageMagick.read(codestream, settings, (image) => {
    const { height, width } = image
    const mapping = hasOpacity ? "RG" : "R"
    const data = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, height, mapping)) ?? new Uint8Array()
    return { channels: hasOpacity ? 2 as const : 1 as const, data, height, width }
  })
  return SharpImage.open(data, { raw: { width, height, channels } })
}

/**
 * The picture, upright and with its colour profile. The decoder of HEIC turns it by itself and reports that; those of
 * JPEG XL and RAW only report the orientation.
 */
export const open = async (bytes: Uint8Array, { magickFormat, mimeType }: ImageKind): Promise<SharpImage.Decoded> => {
  const grey = jpeg2000.has(magickFormat) ? twoChannels(bytes) : null
  if (grey !== null) return { image: await greyOf(grey), colour: null }
  const tiff = await toTiff(bytes, magickFormat)
  const { icc } = await (await SharpImage.open(tiff)).metadata()
  const colour = declaredColour(bytes, mimeType, { icc })
  return { image: (await SharpImage.open(tiff, { ignoreIcc: colour !== null })).autoOrient(), colour }
}

/** Its size upright, without decoding it unless it is small. */
export const sizeOf = async (bytes: Uint8Array, format: string): Promise<Size> => {
  const { ImageMagick, MagickImageInfo, MagickReadSettings } = await (starting ??= start())
  if (severalSizes.has(format)) {
    return ImageMagick.readCollection(bytes, new MagickReadSettings({ format: format as never }), (images) => {
      const { height, width } = largestOf(images)
      return { width, height }
    })
  }
  const settings = new MagickReadSettings({ format: format as never, frameIndex: 0, frameCount: 1 })
  const { height, orientation, width } = MagickImageInfo.create(
    format === "HEIC" ? withShortBrands(bytes) : bytes,
    settings
  )
  return orientation > 4 ? { width: height, height: width } : { width, height }
}
