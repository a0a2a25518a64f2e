/** Writes what comes before the samples of an MP4: its type, its index, and the header of the box that the samples are in. */
import { MediaTools } from "@filedrive/core"
import { ascii, box, boxesIn, childOf, concat, fullBox, longs, needed, uint64, viewOf, words } from "./Boxes.ts"
import type { Samples } from "./Samples.ts"
import type { Track } from "./Track.ts"

const fileType = box("ftyp", ascii("isom"), words([0x200]), ascii("isomiso2avc1mp41"))

/** The header of a box of any size. */
const mediaHeader = (payloadBytes: number): Uint8Array =>
  concat([words([1]), ascii("mdat"), longs([payloadBytes + 16])])

const listed = (type: string, numbers: ReadonlyArray<number>, perEntry: number, version = 0): Uint8Array =>
  fullBox(type, version, words([numbers.length / perEntry]), words(numbers))

/** How samples are found. Positions are counted from the payload's beginning, which is at `start` in the file. */
const tableOf = (description: Uint8Array, samples: Samples, start: number, isLong: boolean): Uint8Array => {
  const [offsets, syncs, positions] = [samples.offsetRuns(), samples.syncList(), samples.chunkList()]
  const places = positions.map((position) => position + start)
  return box(
    "stbl",
    description,
    listed("stts", samples.durationRuns(), 2),
    ...offsets.length === 0 ? [] : [listed("ctts", offsets, 2, 1)],
    ...syncs === null ? [] : [listed("stss", syncs, 1)],
    listed("stsc", samples.chunkRuns(), 3),
    fullBox("stsz", 0, words([0, samples.count]), words(samples.sizeList())),
    isLong
      ? fullBox("co64", 0, words([places.length]), longs(places))
      : fullBox("stco", 0, words([places.length]), words(places))
  )
}

/** A box whose duration is set: at the same place in both versions, of 32 or 64 bits. */
const withDuration = (whole: Uint8Array, at: readonly [short: number, long: number], duration: number): Uint8Array => {
  const copy = whole.slice()
  const view = viewOf(copy)
  if (view.getUint8(8) === 1) view.setBigUint64(8 + at[1], BigInt(duration))
  else view.setUint32(8 + at[0], Math.min(duration, 0xffff_ffff))
  return copy
}

interface Edit {
  readonly duration: number
  /** Where in the track it begins; negative for a pause. */
  readonly mediaTime: number
}

/** The edits of a track, in units of the whole, the last of which lasts until its end. Without any: all of it. */
const editsOf = ({ samples, timescale, trak }: Track, movieScale: number): ReadonlyArray<Edit> => {
  const until = samples.shownUntil()
  const playedFrom = (mediaTime: number) => Math.round(Math.max(until - mediaTime, 0) * movieScale / timescale)
  const edts = childOf(trak, "edts")
  if (edts === undefined) return [{ duration: playedFrom(0), mediaTime: 0 }]
  const view = viewOf(needed(edts, "elst"))
  const isLong = view.getUint8(0) === 1
  return Array.from({ length: view.getUint32(4) }, (_, number) => {
    const at = 8 + number * (isLong ? 20 : 12)
    const [duration, mediaTime] = isLong
      ? [uint64(view, at), Number(view.getBigInt64(at + 8))]
      : [view.getUint32(at), view.getInt32(at + 4)]
    return { duration: mediaTime < 0 ? duration : playedFrom(mediaTime), mediaTime }
  })
}

const editBox = (edits: ReadonlyArray<Edit>): Uint8Array => {
  const entries = edits.map(({ duration, mediaTime }) => {
    const bytes = new Uint8Array(20)
    const view = viewOf(bytes)
    view.setBigUint64(0, BigInt(duration))
    view.setBigInt64(8, BigInt(mediaTime))
    view.setUint32(16, 0x10000)
    return bytes
  })
  return box("edts", fullBox("elst", 1, words([entries.length]), ...entries))
}

const lengthOf = (edits: ReadonlyArray<Edit>): number => edits.reduce((sum, { duration }) => sum + duration, 0)

/** Rebuilds a box: of each of its children what `change` makes of it. */
const rebuilt = (
  type: string,
  body: Uint8Array,
  change: (child: { readonly type: string; readonly body: Uint8Array; readonly whole: Uint8Array }) => Uint8Array
): Uint8Array => box(type, ...boxesIn(body).map(change))

const trackOf = (track: Track, movieScale: number, start: number, isLong: boolean): Uint8Array => {
  const { samples, trak } = track
  const edits = editsOf(track, movieScale)
  const description = boxesIn(needed(needed(needed(trak, "mdia"), "minf"), "stbl")).find(({ type }) => type === "stsd")
  if (description === undefined) throw new RangeError("a track has no description")
  return rebuilt("trak", trak, ({ body, type, whole }) => {
    switch (type) {
      case "tkhd":
        return withDuration(whole, [20, 28], lengthOf(edits))
      case "edts":
        return editBox(edits)
      case "mdia":
        return rebuilt("mdia", body, (part) => {
          if (part.type === "mdhd") return withDuration(part.whole, [16, 24], samples.duration)
          if (part.type !== "minf") return part.whole
          return rebuilt(
            "minf",
            part.body,
            (inner) => inner.type === "stbl" ? tableOf(description.whole, samples, start, isLong) : inner.whole
          )
        })
      default:
        return whole
    }
  })
}

/** @param moov what the index of the fragmented file contains. */
export const headOf = (
  moov: Uint8Array,
  tracks: ReadonlyArray<Track>,
  payloadBytes: number
): Uint8Array<ArrayBuffer> => {
  const mvhd = boxesIn(moov).find(({ type }) => type === "mvhd")
  if (mvhd === undefined) throw new RangeError("the index has no header")
  const movieScale = viewOf(mvhd.body).getUint32(mvhd.body[0] === 1 ? 20 : 12)
  const used = tracks.filter(({ samples }) => samples.count > 0)
  const longest = Math.max(...used.map((track) => lengthOf(editsOf(track, movieScale))))
  const isLong = payloadBytes + MediaTools.previewHeadMaxBytes > 0xffff_ffff
  // Positions have the same length wherever the samples begin, which is known once the index has been written.
  const indexAt = (start: number) =>
    box(
      "moov",
      withDuration(mvhd.whole, [16, 24], longest),
      ...used.map((track) => trackOf(track, movieScale, start, isLong))
    )
  const media = mediaHeader(payloadBytes)
  const start = fileType.length + indexAt(0).length + media.length
  if (start > MediaTools.previewHeadMaxBytes) throw new RangeError("the index is too large")
  return concat([fileType, indexAt(start), media])
}
