/** The size of a video's pictures: upright as they are stored, and as they are shown, with square pixels. */
import type { Size } from "../Size.ts"
import type { Stream } from "./Probe.ts"

export const isOnItsSide = ({ side_data_list, tags }: Stream): boolean => {
  const rotation = side_data_list?.find((one) => one.rotation !== undefined)?.rotation ?? Number(tags?.["rotate"] ?? 0)
  return Math.abs(Math.round(rotation / 90)) % 2 === 1
}

/** The widest pixels, and the narrowest as its inverse; no standard has any that are further from square. */
const widestPixel = 8

/** How much wider than high a pixel is, before it is turned; 1 where the file doesn't state it, or not plausibly. */
const pixelAspect = ({ sample_aspect_ratio }: Stream): number => {
  const [across = Number.NaN, down = Number.NaN] = (sample_aspect_ratio ?? "").split(":").map(Number)
  const aspect = across / down
  return aspect >= 1 / widestPixel && aspect <= widestPixel ? aspect : 1
}

const upright = (stream: Stream, aspect: number): Size | null => {
  const { height = 0, width = 0 } = stream
  if (width <= 0 || height <= 0) return null
  const across = Math.max(1, Math.round(width * aspect))
  return isOnItsSide(stream) ? { width: height, height: across } : { width: across, height }
}

/** In the pixels that are stored, whatever their shape. Null when the stream has no size. */
export const storedSize = (stream: Stream): Size | null => upright(stream, 1)

/** The rows stay and are made wider or narrower, as players do. Null when the stream has no size. */
export const displaySize = (stream: Stream): Size | null => upright(stream, pixelAspect(stream))

/** At most `maxSide` a side, and never larger than it is. */
export const within = (size: Size | null, maxSide: number): Size | null => {
  if (size === null) return null
  const scale = Math.min(1, maxSide / Math.max(size.width, size.height))
  return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) }
}
