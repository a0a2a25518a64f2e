/** HEIC and AVIF files of encoded pictures, with the boxes that telephones write. */
import { readFileSync } from "node:fs"
import { ascii, box, concat, fullBox, words } from "../src/mp4/Boxes.ts"
import * as Fixtures from "./FfmpegFixtures.ts"

const halves = (numbers: ReadonlyArray<number>): Uint8Array =>
  Uint8Array.from(numbers.flatMap((number) => [number >> 8, number & 0xff]))

export interface Item {
  readonly type: "hvc1" | "av01"
  /** The box `hvcC` or `av1C`. */
  readonly configuration: Uint8Array
  readonly data: Uint8Array
  readonly side: number
  /** Primaries, transfer, matrix of H.273. */
  readonly colour: readonly [number, number, number] | null
}

export interface HeifPicture {
  /** As ffmpeg names it. */
  readonly pixels: string
  readonly matrix: string
  readonly code: readonly [number, number, number]
  readonly side: number
  readonly colour: Item["colour"]
}

let made = 0

/** A box of that type, wherever it is. */
export const boxOf = (file: Buffer, type: string): Buffer => {
  const start = file.indexOf(type) - 4
  return file.subarray(start, start + file.readUInt32BE(start))
}

/** Encoded by ffmpeg. */
export const hevc = ({ code, colour, matrix, pixels, side }: HeifPicture): Item => {
  const hex = code.map((value) => value.toString(16).padStart(2, "0")).join("")
  const source = ["-f", "lavfi", "-i", `color=0x${hex}:s=${side}x${side}:r=1:d=1,format=gbrp`]
  const filter = `scale=out_color_matrix=${matrix}:out_range=tv,format=${pixels}`
  const encoder = "-c:v libx265 -preset ultrafast -x265-params log-level=error:qp=4 -tag:v hvc1".split(" ")
  const path = Fixtures.make(`heif${made++}.mp4`, ...source, "-vf", filter, "-frames:v", "1", ...encoder)
  const file = readFileSync(path)
  return { type: "hvc1", side, colour, configuration: boxOf(file, "hvcC"), data: boxOf(file, "mdat").subarray(8) }
}

/** `primary` is the number of the picture that is shown, from 0. */
export const heif = (all: ReadonlyArray<Item>, primary = 0, isFull = false): Uint8Array<ArrayBuffer> => {
  const properties = all.map(({ colour, configuration, side }) => [
    configuration,
    fullBox("ispe", 0, words([side, side])),
    ...colour === null ? [] : [box("colr", ascii("nclx"), halves(colour), Uint8Array.of(isFull ? 0x80 : 0))]
  ])
  let property = 0
  const associations = properties.map((own, i) =>
    concat([halves([i + 1]), Uint8Array.of(own.length, ...own.map(() => 0x80 | ++property))])
  )
  const items = all.map(({ type }, i) => fullBox("infe", 2, halves([i + 1, 0]), ascii(`${type}\0`)))
  const brand = all[0]!.type === "hvc1" ? "heic" : "avif"
  const brands = all.flatMap(() => ["mif1", brand, "miaf"]).join("")
  const head = (offset: number) => {
    let start = offset
    const locations = all.map(({ data }, i) => {
      const location = concat([halves([i + 1, 0, 1]), words([start, data.length])])
      start += data.length
      return location
    })
    return concat([
      box("ftyp", ascii(`${brand}\0\0\0\0`), ascii(brands)),
      fullBox(
        "meta",
        0,
        fullBox("hdlr", 0, words([0]), ascii("pict"), words([0, 0, 0]), Uint8Array.of(0)),
        fullBox("pitm", 0, halves([primary + 1])),
        fullBox("iloc", 0, halves([0x4400, all.length]), ...locations),
        fullBox("iinf", 0, halves([items.length]), ...items),
        box("iprp", box("ipco", ...properties.flat()), fullBox("ipma", 0, words([all.length]), ...associations))
      ),
      words([8 + all.reduce((sum, { data }) => sum + data.length, 0)]),
      ascii("mdat")
    ])
  }
  return concat([head(head(0).length), ...all.map(({ data }) => data)])
}
