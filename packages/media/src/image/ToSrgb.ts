/** The one place where pixels of any depth, primaries and transfer become sRGB of 8 bits. */
import { bt709, type Colour, isHdr, type Primaries, type Transfer } from "./Colour.ts"

/** A decoded picture: three channels of colour, and perhaps a fourth of opacity. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Uint8Array | Uint16Array
  /** Null for sRGB. */
  readonly colour: Colour | null
}

type Vector = readonly [number, number, number]
type Matrix = readonly [Vector, Vector, Vector]

const times = (a: Matrix, [x, y, z]: Vector): Vector => a.map(([p, q, r]) => p * x + q * y + r * z) as unknown as Vector
const transposed = ([a, b, c]: Matrix): Matrix => [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]]
const product = (a: Matrix, b: Matrix): Matrix =>
  transposed(transposed(b).map((column) => times(a, column)) as unknown as Matrix)

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0]
]

const inverse = ([a, b, c]: Matrix): Matrix => {
  const [x, y, z] = [cross(b, c), cross(c, a), cross(a, b)]
  const determinant = a[0] * x[0] + a[1] * x[1] + a[2] * x[2]
  return transposed([x, y, z]).map((row) => row.map((value) => value / determinant)) as unknown as Matrix
}

const diagonal = ([x, y, z]: Vector): Matrix => [[x, 0, 0], [0, y, 0], [0, 0, z]]

/** Of luminance 1. */
const xyz = ([x, y]: readonly [number, number]): Vector => [x / y, 1, (1 - x - y) / y]

const toXyz = ({ blue, green, red, white }: Primaries): Matrix => {
  const columns = transposed([xyz(red), xyz(green), xyz(blue)])
  return product(columns, diagonal(times(inverse(columns), xyz(white))))
}

const bradford: Matrix = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]

/** Makes the white of `from` that of `to`. */
const adaptation = (from: Primaries, to: Primaries): Matrix => {
  const [a, b] = [times(bradford, xyz(from.white)), times(bradford, xyz(to.white))]
  return product(inverse(bradford), product(diagonal([b[0] / a[0], b[1] / a[1], b[2] / a[2]]), bradford))
}

const toBt709 = (from: Primaries): Matrix =>
  product(inverse(toXyz(bt709)), product(adaptation(from, bt709), toXyz(from)))

/** The light of white on paper in a picture of high dynamic range, in candela a square metre (ITU-R BT.2408). It becomes white. */
const whiteNits = 203
/** The brightest light of a display for HLG, and the exponent that goes with it (ITU-R BT.2100). */
const hlgDisplay = { nits: 1_000, gamma: 1.2 }

const pq = { m1: 1305 / 8192, m2: 2523 / 32, c1: 107 / 128, c2: 2413 / 128, c3: 2392 / 128 } as const

const pqOf = (nits: number): number => {
  const power = (Math.max(nits, 0) / 10_000) ** pq.m1
  return ((pq.c1 + pq.c2 * power) / (1 + pq.c3 * power)) ** pq.m2
}

const nitsOf = (signal: number): number => {
  const power = Math.max(signal, 0) ** (1 / pq.m2)
  return 10_000 * (Math.max(power - pq.c1, 0) / (pq.c2 - pq.c3 * power)) ** (1 / pq.m1)
}

const hlgSceneOf = (signal: number): number => {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073]
  return signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - c) / a) + b) / 12
}

/** Light of a signal from 0 to 1: of white 1, of HLG as the camera saw it. */
const lightOf = (transfer: Transfer, signal: number): number => {
  switch (transfer.curve) {
    case "pq":
      return nitsOf(signal) / whiteNits
    case "hlg":
      return hlgSceneOf(signal)
    case "power":
      return signal ** transfer.exponent
    case "srgb":
      return signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4
  }
}

const signalOf = (light: number): number => light <= 0.003_130_8 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055

const narrow = { black: 16 / 255, white: 235 / 255 }

const lights = ({ isNarrow, transfer }: Colour, most: number): Float32Array =>
  Float32Array.from({ length: most + 1 }, (_, value) => {
    const signal = value / most
    const full = isNarrow ? (signal - narrow.black) / (narrow.white - narrow.black) : signal
    return lightOf(transfer, Math.min(Math.max(full, 0), 1))
  })

const encoded = Uint8Array.from({ length: 65_536 }, (_, at) => Math.round(signalOf(at / 65_535) * 255))

const shadesMax = 4_096
/** Of the brightest pixels so many may turn white, such as glints. */
const glints = 0.001

/** The light that all but the glints stay below. */
const peakOf = (light: Float32Array): number => {
  const most = nitsOf(1) / whiteNits
  const counts = new Uint32Array(shadesMax)
  for (let at = 0; at < light.length; at += 3) {
    const brightest = Math.max(light[at]!, light[at + 1]!, light[at + 2]!, 0)
    counts[Math.min(Math.ceil((shadesMax - 1) * (brightest / most) ** 0.25), shadesMax - 1)]!++
  }
  let left = Math.floor(light.length / 3 * glints)
  let shade = shadesMax - 1
  while (shade > 0 && counts[shade]! <= left) left -= counts[shade--]!
  return most * (shade / (shadesMax - 1)) ** 4
}

/** ITU-R BT.2390: what is darker than its knee stays, what is brighter is compressed, so that `peak` becomes white. */
const toneMapped = (light: number, peak: number): number => {
  const whole = pqOf(peak * whiteNits)
  const [signal, white] = [pqOf(light * whiteNits) / whole, pqOf(whiteNits) / whole]
  const knee = 1.5 * white - 0.5
  if (signal <= knee) return light
  const t = Math.min((signal - knee) / (1 - knee), 1)
  const mapped = (2 * t ** 3 - 3 * t ** 2 + 1) * knee + (t ** 3 - 2 * t ** 2 + t) * (1 - knee)
    + (3 * t ** 2 - 2 * t ** 3) * white
  return nitsOf(mapped * whole) / whiteNits
}

/** Dims each pixel, with its hue, as its brightest channel is dimmed. */
const dim = (light: Float32Array): void => {
  const peak = peakOf(light)
  if (peak <= 1) return
  const scales = Float32Array.from({ length: shadesMax }, (_, shade) => {
    const brightest = peak * (shade / (shadesMax - 1)) ** 4
    return shade === 0 ? 1 : toneMapped(brightest, peak) / brightest
  })
  for (let at = 0; at < light.length; at += 3) {
    const brightest = Math.max(light[at]!, light[at + 1]!, light[at + 2]!, 0)
    const place = (shadesMax - 1) * (Math.min(brightest, peak) / peak) ** 0.25
    const shade = Math.floor(place)
    const [low, high] = [scales[shade]!, scales[Math.min(shade + 1, shadesMax - 1)]!]
    const scale = brightest > peak ? 1 / brightest : low + (high - low) * (place - shade)
    for (let channel = at; channel < at + 3; channel++) light[channel] = light[channel]! * scale
  }
}

/** Light in the primaries of BT.709, of white 1. */
const lightIn709 = ({ channels, data }: Pixels, colour: Colour): Float32Array => {
  const table = lights(colour, data instanceof Uint16Array ? 65_535 : 255)
  const [red, green, blue] = toBt709(colour.primaries)
  const [, luminance] = toXyz(colour.primaries)
  const isHlg = colour.transfer.curve === "hlg"
  const brightest = hlgDisplay.nits / whiteNits
  const light = new Float32Array(data.length / channels * 3)
  for (let from = 0, to = 0; to < light.length; from += channels, to += 3) {
    let [r, g, b] = [table[data[from]!]!, table[data[from + 1]!]!, table[data[from + 2]!]!]
    if (isHlg) {
      const seen = luminance[0] * r + luminance[1] * g + luminance[2] * b
      const shown = brightest * seen ** (hlgDisplay.gamma - 1)
      r *= shown
      g *= shown
      b *= shown
    }
    light[to] = red[0] * r + red[1] * g + red[2] * b
    light[to + 1] = green[0] * r + green[1] * g + green[2] * b
    light[to + 2] = blue[0] * r + blue[1] * g + blue[2] * b
  }
  return light
}

const shallow = (data: Pixels["data"]): Uint8Array =>
  data instanceof Uint8Array ? data : Uint8Array.from(data, (value) => Math.round(value / 257))

/** The same picture in sRGB, with as many channels. Colours that sRGB has not become the nearest by clipping. */
export const toSrgb = (pixels: Pixels): Uint8Array => {
  const { channels, colour, data } = pixels
  if (colour === null) return shallow(data)
  const light = lightIn709(pixels, colour)
  if (isHdr(colour)) dim(light)
  const shown = new Uint8Array(data.length)
  const opacityBits = data instanceof Uint16Array ? 8 : 0
  for (let from = 0, to = 0; from < light.length; from += 3, to += channels) {
    for (let channel = 0; channel < 3; channel++) {
      shown[to + channel] = encoded[Math.round(Math.min(Math.max(light[from + channel]!, 0), 1) * 65_535)]!
    }
    if (channels > 3) shown[to + 3] = data[to + 3]! >> opacityBits
  }
  return shown
}
