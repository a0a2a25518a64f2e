/**
 * Makes an MP4 whose index comes first out of a fragmented one, while that is written. A program that writes to a
 * connection can't go back and put the index in front, so it writes fragments, each with an index of its own. From these the
 * whole index is collected; the samples are passed on as they come.
 *
 * ```text
 *   in:   ftyp moov │ moof mdat │ moof mdat │ … │ mfra
 *   out:  ftyp moov (made at the end) mdat │ samples │ samples │ …
 * ```
 *
 * The program has read a stranger's file: nothing of what it writes is trusted. Pure; what is not as it should be throws.
 */
import { boxesIn, concat, needed, typeAt, uint64, viewOf } from "./Boxes.ts"
import { headOf } from "./Head.ts"
import { Samples } from "./Samples.ts"
import type { Defaults, Track } from "./Track.ts"

/** The largest box that is kept in memory: the index of one fragment, of a second. */
const boxMaxBytes = 8e6

const isSync = (flags: number): boolean => (flags & 0x10000) === 0

export class Fragments {
  /** The bytes of samples that were passed on. */
  payloadBytes = 0
  private tracks: ReadonlyArray<Track> = []
  private moov: Uint8Array | null = null
  /** What was received of a box that is read as a whole. */
  private pending: Uint8Array = new Uint8Array(0)
  /** What is still to come of samples, and of a box that is ignored. */
  private passing = 0
  private skipping = 0

  /** How much of the first track was received, in seconds. */
  get seconds(): number {
    const [first] = this.tracks
    return first === undefined ? 0 : first.samples.duration / first.timescale
  }

  /** Takes the next bytes. Answers those of them that are samples. */
  take(bytes: Uint8Array): ReadonlyArray<Uint8Array> {
    const samples: Array<Uint8Array> = []
    for (let rest = bytes; rest.length > 0;) {
      const wanted = this.passing > 0 ? this.passing : this.skipping
      if (wanted > 0) {
        const piece = rest.subarray(0, wanted)
        if (this.passing > 0) {
          this.passing -= piece.length
          this.payloadBytes += piece.length
          samples.push(piece)
        } else {
          this.skipping -= piece.length
        }
        rest = rest.subarray(piece.length)
        continue
      }
      const had = this.pending.length
      const sizeBytes = had < 8 ? 8 : this.begin()
      const piece = rest.subarray(0, sizeBytes - had)
      this.pending = concat([this.pending, piece])
      rest = rest.subarray(piece.length)
      this.settle()
    }
    return samples
  }

  /** The index, in front of the samples. Throws when the last fragment is not complete, or there is none. */
  head(): Uint8Array<ArrayBuffer> {
    if (this.moov === null || this.passing > 0 || this.pending.length > 0 || this.payloadBytes === 0) {
      throw new RangeError("the file is not complete")
    }
    return headOf(this.moov, this.tracks, this.payloadBytes)
  }

  /** The size of the box that has begun. */
  private begin(): number {
    const sizeBytes = viewOf(this.pending).getUint32(0)
    if (sizeBytes < 8 || sizeBytes > boxMaxBytes) throw new RangeError("a box has a wrong size")
    return sizeBytes
  }

  /** Reads the box that has begun, as soon as it is there; one of samples as soon as its header is. */
  private settle(): void {
    const { pending } = this
    if (pending.length < 8) return
    const type = typeAt(pending, 4)
    if (type === "mdat" || (type !== "moov" && type !== "moof")) {
      this.pending = new Uint8Array(0)
      const sizeBytes = viewOf(pending).getUint32(0)
      if (sizeBytes < 8) throw new RangeError("a box has a wrong size")
      if (type === "mdat") this.passing = sizeBytes - 8
      else this.skipping = sizeBytes - 8
      return
    }
    if (pending.length < this.begin()) return
    this.pending = new Uint8Array(0)
    if (type === "moov") this.readIndex(pending.subarray(8))
    else this.readFragment(pending)
  }

  private readIndex(moov: Uint8Array): void {
    if (this.moov !== null) throw new RangeError("there are two indexes")
    this.moov = moov
    const defaults = new Map(
      boxesIn(needed(moov, "mvex")).filter(({ type }) => type === "trex").map(({ body }) => {
        const view = viewOf(body)
        const of: Defaults = { duration: view.getUint32(12), sizeBytes: view.getUint32(16), flags: view.getUint32(20) }
        return [view.getUint32(4), of]
      })
    )
    this.tracks = boxesIn(moov).filter(({ type }) => type === "trak").map(({ body }): Track => {
      const [tkhd, mdhd] = [needed(body, "tkhd"), needed(needed(body, "mdia"), "mdhd")]
      const id = viewOf(tkhd).getUint32(tkhd[0] === 1 ? 20 : 12)
      const timescale = viewOf(mdhd).getUint32(mdhd[0] === 1 ? 20 : 12)
      if (timescale === 0) throw new RangeError("a track has no unit of time")
      const none = { duration: 0, sizeBytes: 0, flags: 0 }
      return { id, timescale, trak: body, defaults: defaults.get(id) ?? none, samples: new Samples() }
    })
  }

  private readFragment(moof: Uint8Array): void {
    for (const { body, type } of boxesIn(moof.subarray(8))) {
      if (type !== "traf") continue
      const tfhd = viewOf(needed(body, "tfhd"))
      const track = this.tracks.find(({ id }) => id === tfhd.getUint32(4))
      if (track === undefined) throw new RangeError("a fragment is of no track")
      const defaults = fragmentDefaults(tfhd, track.defaults)
      const tfdt = viewOf(needed(body, "tfdt"))
      track.samples.continueAt(tfdt.getUint8(0) === 1 ? uint64(tfdt, 4) : tfdt.getUint32(4))
      for (const part of boxesIn(body)) {
        if (part.type === "trun") this.readRun(track, viewOf(part.body), defaults, moof.length)
      }
    }
  }

  private readRun({ samples }: Track, trun: DataView, defaults: Defaults, moofBytes: number): void {
    const version = trun.getUint8(0)
    const flags = trun.getUint32(0) & 0xff_ffff
    const count = trun.getUint32(4)
    let at = 8
    const next = (isThere: boolean, otherwise: number): number => {
      if (!isThere) return otherwise
      at += 4
      return trun.getUint32(at - 4)
    }
    // The samples follow the fragment's index and the header of their own box.
    const position = (next((flags & 0x1) !== 0, moofBytes + 8) | 0) - moofBytes - 8
    if (position < 0) throw new RangeError("samples are before their fragment")
    samples.beginChunk(this.payloadBytes + position)
    const firstFlags = next((flags & 0x4) !== 0, defaults.flags)
    for (let number = 0; number < count; number++) {
      const duration = next((flags & 0x100) !== 0, defaults.duration)
      const sizeBytes = next((flags & 0x200) !== 0, defaults.sizeBytes)
      const own = next((flags & 0x400) !== 0, number === 0 ? firstFlags : defaults.flags)
      const offset = next((flags & 0x800) !== 0, 0)
      samples.add({ duration, sizeBytes, offset: version === 0 ? offset : offset | 0, isSync: isSync(own) })
    }
  }
}

const fragmentDefaults = (tfhd: DataView, ofTrack: Defaults): Defaults => {
  const flags = tfhd.getUint32(0) & 0xff_ffff
  let at = 8 + ((flags & 0x1) === 0 ? 0 : 8) + ((flags & 0x2) === 0 ? 0 : 4)
  const next = (flag: number, otherwise: number): number => {
    if ((flags & flag) === 0) return otherwise
    at += 4
    return tfhd.getUint32(at - 4)
  }
  return {
    duration: next(0x8, ofTrack.duration),
    sizeBytes: next(0x10, ofTrack.sizeBytes),
    flags: next(0x20, ofTrack.flags)
  }
}
