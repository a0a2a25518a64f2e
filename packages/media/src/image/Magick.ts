/** ImageMagick as WebAssembly: decodes what sharp does not, and passes it to sharp as a TIFF. */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Sharp } from "sharp"
import { library } from "../sandbox/SandboxError.ts"
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

interface Size {
  readonly width: number
  readonly height: number
}

const largestOf = <Image extends Size>(images: Iterable<Image>): Image =>
  [...images].sort((a, b) => b.width * b.height - a.width * a.height)[0]!

const toTiff = async (bytes: Uint8Array, format: string): Promise<Uint8Array> => {
  const { ColorSpace, ImageMagick, MagickFormat, MagickReadSettings } = await (starting ??= start())
  const copyOf = (data: Uint8Array) => new Uint8Array(data) // the callback's is gone with it
  const settings = new MagickReadSettings({ format: format as never })
  if (severalSizes.has(format)) {
    return ImageMagick.readCollection(bytes, settings, (images) => largestOf(images).write(MagickFormat.Tiff, copyOf))
  }
  settings.frameIndex = 0
  settings.frameCount = 1
  return ImageMagick.read(bytes, settings, (image) => {
    // Channels beside the picture, like a saved selection, would be read as its transparency.
    image.metaChannelCount = 0
    // Written as it is, it would be read with its colours' zero at another place.
    if (image.colorSpace === ColorSpace.Lab) image.colorSpace = ColorSpace.sRGB
    return image.write(MagickFormat.Tiff, copyOf)
  })
}

/**
 * The picture, upright and with its colour profile. The decoder of HEIC turns it by itself and reports that; those of
 * JPEG XL and RAW only report the orientation.
 */
export const open = async (bytes: Uint8Array, format: string): Promise<Sharp> =>
  (await SharpImage.open(await toTiff(bytes, format))).autoOrient()

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
  const { height, orientation, width } = MagickImageInfo.create(bytes, settings)
  return orientation > 4 ? { width: height, height: width } : { width, height }
}
