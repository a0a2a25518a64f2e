/** What the numbers of a picture mean: the light of each primary, and how numbers grow with light. Numbered as in ITU-T H.273 (CICP). */

type Chromaticity = readonly [x: number, y: number]

export interface Primaries {
  readonly red: Chromaticity
  readonly green: Chromaticity
  readonly blue: Chromaticity
  readonly white: Chromaticity
}

/**
 * `pq` and `hlg` are of high dynamic range. `srgb` is that of all video of standard range too: every browser shows
 * BT.601, BT.709 and BT.2020 by the same curve as sRGB.
 */
export type Transfer =
  | { readonly curve: "srgb" | "pq" | "hlg" }
  /** Light is the number to this power; 1 is linear. */
  | { readonly curve: "power"; readonly exponent: number }

export interface Colour {
  readonly primaries: Primaries
  readonly transfer: Transfer
  /** Whether RGB is stored from 16 (black) to 235 (white), of 255. */
  readonly isNarrow: boolean
}

const d65: Chromaticity = [0.3127, 0.329]
const illuminantC: Chromaticity = [0.31, 0.316]

export const bt709: Primaries = { red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06], white: d65 }
const bt2020: Primaries = { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: d65 }
const bt601of525Lines: Primaries = { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: d65 }
const p3: Primaries = { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: d65 }

export const adobeRgb: Colour = {
  primaries: { red: [0.64, 0.33], green: [0.21, 0.71], blue: [0.15, 0.06], white: d65 },
  transfer: { curve: "power", exponent: 563 / 256 },
  isNarrow: false
}

const primariesOf: Readonly<Record<number, Primaries>> = {
  1: bt709,
  4: { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: illuminantC },
  5: { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: d65 },
  6: bt601of525Lines,
  7: bt601of525Lines,
  8: { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: illuminantC },
  9: bt2020,
  11: { ...p3, white: [0.314, 0.351] },
  12: p3,
  22: { red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: d65 }
}

const srgb: Transfer = { curve: "srgb" }

const transfers: Readonly<Record<number, Transfer>> = {
  1: srgb,
  4: { curve: "power", exponent: 2.2 },
  5: { curve: "power", exponent: 2.8 },
  6: srgb,
  7: srgb,
  8: { curve: "power", exponent: 1 },
  11: srgb,
  12: srgb,
  13: srgb,
  14: srgb,
  15: srgb,
  16: { curve: "pq" },
  17: { curve: "power", exponent: 2.6 },
  18: { curve: "hlg" }
}

export const isHdr = ({ transfer }: Colour): boolean => transfer.curve === "pq" || transfer.curve === "hlg"

const isSrgb = ({ isNarrow, primaries, transfer }: Colour): boolean =>
  primaries === bt709 && transfer.curve === "srgb" && !isNarrow

/** Null when it is sRGB, or nothing is said. */
export const unlessSrgb = (colour: Colour): Colour | null => isSrgb(colour) ? null : colour

/** The colour of numbers of H.273, null when it is sRGB. What is unspecified is taken for the usual. */
export const ofCicp = (primaries: number, transfer: number, isNarrow = false): Colour | null => {
  const curve = transfers[transfer] ?? srgb
  const usual = curve.curve === "pq" || curve.curve === "hlg" ? bt2020 : bt709
  return unlessSrgb({ primaries: primariesOf[primaries] ?? usual, transfer: curve, isNarrow })
}
