/** The samples of one track, as an index lists them. Columns of numbers, since a film has half a million. */

/** More than a day of sound and pictures has. */
const maxCount = 4_000_000

export class TooMany extends Error {}

class Column {
  private values = new Float64Array(1_024)
  length = 0

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Float64Array(2 * this.length)
      grown.set(this.values)
      this.values = grown
    }
    this.values[this.length++] = value
  }

  at(index: number): number {
    return this.values[index]!
  }

  set(index: number, value: number): void {
    this.values[index] = value
  }
}

export interface Sample {
  readonly sizeBytes: number
  /** In units of the track. */
  readonly duration: number
  /** When it is shown, after when it is decoded. */
  readonly offset: number
  readonly isSync: boolean
}

/** The largest number of the format. */
const most = 0xffff_ffff

export class Samples {
  private readonly sizes = new Column()
  private readonly durations = new Column()
  private readonly offsets = new Column()
  private readonly syncs = new Column()
  private readonly chunks = new Column()
  private readonly chunkCounts = new Column()
  private end = 0
  private hasOffset = false

  get count(): number {
    return this.sizes.length
  }

  /** In units of the track. */
  get duration(): number {
    return this.end
  }

  /**
   * Says when the next sample is decoded. A sample is as long as until the next: what was written of the last one before
   * was a guess.
   */
  continueAt(time: number): void {
    const last = this.count - 1
    if (last < 0) return
    const start = this.end - this.durations.at(last)
    const duration = Math.min(Math.max(time - start, 0), most)
    this.durations.set(last, duration)
    this.end = start + duration
  }

  /** The following samples are in one piece, from this byte of the payload on. */
  beginChunk(position: number): void {
    this.chunks.push(position)
    this.chunkCounts.push(0)
  }

  add({ duration, isSync, offset, sizeBytes }: Sample): void {
    if (this.count >= maxCount) throw new TooMany("more samples than can be listed")
    this.sizes.push(sizeBytes)
    this.durations.push(duration)
    this.offsets.push(offset)
    this.hasOffset ||= offset !== 0
    this.end += duration
    if (isSync) this.syncs.push(this.count)
    const chunk = this.chunkCounts.length - 1
    this.chunkCounts.set(chunk, this.chunkCounts.at(chunk) + 1)
  }

  /** When the last that is shown ends, in units of the track: samples are shown after they are decoded, in another order. */
  shownUntil(): number {
    let [decoded, last] = [0, 0]
    for (let at = 0; at < this.count; at++) {
      const duration = this.durations.at(at)
      last = Math.max(last, decoded + this.offsets.at(at) + duration)
      decoded += duration
    }
    return last
  }

  /** Pairs of a count and the duration of so many samples. */
  durationRuns(): ReadonlyArray<number> {
    return runs(this.count, (at) => this.durations.at(at))
  }

  /** Pairs of a count and an offset; none when all are 0. */
  offsetRuns(): ReadonlyArray<number> {
    return this.hasOffset ? runs(this.count, (at) => this.offsets.at(at)) : []
  }

  sizeList(): ReadonlyArray<number> {
    return list(this.sizes)
  }

  /** Numbers of the samples at which decoding can begin, from 1; null when that is all of them. */
  syncList(): ReadonlyArray<number> | null {
    return this.syncs.length === this.count ? null : list(this.syncs)
  }

  /** Triples of a chunk's number, from 1, how many samples it and those after it have, and 1. */
  chunkRuns(): ReadonlyArray<number> {
    const triples: Array<number> = []
    for (let at = 0; at < this.chunkCounts.length; at++) {
      const count = this.chunkCounts.at(at)
      if (triples.at(-2) !== count) triples.push(at + 1, count, 1)
    }
    return triples
  }

  chunkList(): ReadonlyArray<number> {
    return list(this.chunks)
  }
}

const list = (column: Column): ReadonlyArray<number> => Array.from({ length: column.length }, (_, at) => column.at(at))

const runs = (count: number, value: (at: number) => number): ReadonlyArray<number> => {
  const pairs: Array<number> = []
  for (let at = 0; at < count; at++) {
    if (pairs.at(-1) === value(at)) pairs[pairs.length - 2]!++
    else pairs.push(1, value(at))
  }
  return pairs
}
