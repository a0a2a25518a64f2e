/** ImageMagick as WebAssembly: what sharp does not decode, as a TIFF that it does. */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { library } from "../sandbox/Refusal.ts"

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

let started: ReturnType<typeof start> | undefined

const started_ = () => started ??= start()

const settingsFor = async (format: string) => {
  const magick = await started_()
  const settings = new magick.MagickReadSettings({ format: format as never, frameIndex: 0, frameCount: 1 })
  return { magick, settings }
}

/** An icon holds itself in several sizes; of everything else the first picture is the one. */
const severalSizes = new Set(["ICO"])

/** The picture as it is to be seen (these formats' decoders turn it upright themselves), as a TIFF with its colour profile. */
export const toTiff = async (bytes: Uint8Array, format: string): Promise<Uint8Array> => {
  const { magick, settings } = await settingsFor(format)
  const { ImageMagick, MagickFormat } = magick
  const copyOf = (data: Uint8Array) => new Uint8Array(data) // the callback's is gone with it
  if (!severalSizes.has(format)) {
    return ImageMagick.read(bytes, settings, (image) => image.write(MagickFormat.Tiff, copyOf))
  }
  const all = new magick.MagickReadSettings({ format: format as never })
  return ImageMagick.readCollection(bytes, all, (images) => {
    const [largest] = [...images].sort((a, b) => b.width * b.height - a.width * a.height)
    return largest!.write(MagickFormat.Tiff, copyOf)
  })
}

/** Its size, without decoding it. */
export const sizeOf = async (
  bytes: Uint8Array,
  format: string
): Promise<{ readonly width: number; readonly height: number }> => {
  const { magick, settings } = await settingsFor(format)
  const { height, width } = magick.MagickImageInfo.create(bytes, settings)
  return { width, height }
}
