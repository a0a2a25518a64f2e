/** The right sRGB values of colours, by the constants that the standards print: a second way to the values that the drive shows. */

type Vector = readonly [number, number, number]
type Matrix = readonly [Vector, Vector, Vector]

/** Linear light to that in BT.709: ITU-R BT.2087 for BT.2020, CSS Color 4 for P3, Lindbloom for Adobe RGB. */
const toBt709: Readonly<Record<string, Matrix>> = {
  srgb: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  bt2020: [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]],
  p3: [[1.224940, -0.224940, 0], [-0.042057, 1.042057, 0], [-0.019638, -0.078636, 1.098274]],
  adobe: [[1.39836, -0.39836, 0], [0, 1, 0], [0, -0.04293, 1.04293]]
}

/** SMPTE ST 2084, in candela a square metre. */
export const nitsOfPq = (signal: number): number => {
  const power = signal ** (1 / 78.84375)
  return 10_000 * (Math.max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)) ** (1 / 0.1593017578125)
}

export const pqOfNits = (nits: number): number => {
  const power = (nits / 10_000) ** 0.1593017578125
  return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375
}

/** ITU-R BT.2100 on a display of 1,000 nits. */
const nitsOfHlg = (signals: Vector): Vector => {
  const scene = signals.map((signal) =>
    signal <= 0.5 ? signal * signal / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
  ) as unknown as Vector
  const luminance = 0.2627 * scene[0] + 0.678 * scene[1] + 0.0593 * scene[2]
  return scene.map((light) => 1_000 * luminance ** 0.2 * light) as unknown as Vector
}

export const whiteNits = 203

const linear = (transfer: string, signals: Vector): Vector => {
  switch (transfer) {
    case "pq":
      return signals.map((signal) => nitsOfPq(signal) / whiteNits) as unknown as Vector
    case "hlg":
      return nitsOfHlg(signals).map((nits) => nits / whiteNits) as unknown as Vector
    case "gamma22":
      return signals.map((signal) => signal ** 2.2) as unknown as Vector
    default:
      return signals.map((signal) =>
        signal > 0.04045 ? ((signal + 0.055) / 1.055) ** 2.4 : signal / 12.92
      ) as unknown as Vector
  }
}

export const encoded = (light: number): number => {
  const clipped = Math.min(Math.max(light, 0), 1)
  return 255 * (clipped > 0.0031308 ? 1.055 * clipped ** (1 / 2.4) - 0.055 : 12.92 * clipped)
}

/** Of a colour no brighter than white, whose numbers are of 255. */
export const shownAs = (primaries: string, transfer: string, code: Vector): ReadonlyArray<number> => {
  const light = linear(transfer, code.map((value) => value / 255) as unknown as Vector)
  return toBt709[primaries]!.map((row) => encoded(row[0] * light[0] + row[1] * light[1] + row[2] * light[2]))
}

/** ITU-R BT.2390, section 5.4.1, of a grey in a picture whose brightest light is `peak`. */
export const toneMapped = (nits: number, peak: number): number => {
  const [e1, maxLum] = [pqOfNits(nits) / pqOfNits(peak), pqOfNits(whiteNits) / pqOfNits(peak)]
  const ks = 1.5 * maxLum - 0.5
  const t = (e1 - ks) / (1 - ks)
  const spline = (2 * t ** 3 - 3 * t ** 2 + 1) * ks + (t ** 3 - 2 * t ** 2 + t) * (1 - ks)
    + (-2 * t ** 3 + 3 * t ** 2) * maxLum
  return encoded(nitsOfPq((e1 < ks ? e1 : spline) * pqOfNits(peak)) / whiteNits)
}
