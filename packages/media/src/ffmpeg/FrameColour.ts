/** The colour of a video's pictures, by ffprobe's names. */
import { type Colour, ofCicp } from "../image/Colour.ts"
import type { Stream } from "./Probe.ts"

const primaries: Readonly<Record<string, number>> = {
  bt709: 1,
  bt470m: 4,
  bt470bg: 5,
  smpte170m: 6,
  smpte240m: 7,
  film: 8,
  bt2020: 9,
  smpte431: 11,
  smpte432: 12,
  ebu3213: 22,
  "jedec-p22": 22
}

const transfers: Readonly<Record<string, number>> = {
  bt709: 1,
  gamma22: 4,
  bt470m: 4,
  gamma28: 5,
  bt470bg: 5,
  smpte170m: 6,
  smpte240m: 7,
  linear: 8,
  "iec61966-2-1": 13,
  "bt2020-10": 14,
  "bt2020-12": 15,
  smpte2084: 16,
  smpte428: 17,
  "arib-std-b67": 18
}

const unspecified = 2

/** Null when it is sRGB, or nothing is stated. */
export const colourOf = ({ color_primaries, color_transfer }: Stream): Colour | null =>
  ofCicp(primaries[color_primaries ?? ""] ?? unspecified, transfers[color_transfer ?? ""] ?? unspecified)
