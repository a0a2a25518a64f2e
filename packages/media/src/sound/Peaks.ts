/**
 * The peaks of sound of any length, in bounded memory: of ever longer stretches as more comes, of which there are between
 * one and two times as many as are wanted.
 */

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000

export class Peaks {
  private readonly wanted: number
  private readonly least: Float64Array
  private readonly greatest: Float64Array
  private filled = 0
  /** Samples in each stretch, and in the one that is being filled. */
  private stretch = 1
  private inLast = 0
  /** Half a sample. */
  private odd: number | undefined

  /** @param wanted how many pairs. */
  constructor(wanted: number) {
    this.wanted = wanted
    this.least = new Float64Array(2 * wanted)
    this.greatest = new Float64Array(2 * wanted)
  }

  /** Takes samples of 16 bits, little-endian. */
  take(bytes: Uint8Array): void {
    let at = 0
    if (this.odd !== undefined && bytes.length > 0) {
      this.add(((bytes[0]! << 8 | this.odd) << 16) >> 16)
      at = 1
      this.odd = undefined
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (; at + 1 < bytes.length; at += 2) this.add(view.getInt16(at, true))
    if (at < bytes.length) this.odd = bytes[at]!
  }

  /** Pairs of the least and the greatest value; null without any sound. */
  pairs(): ReadonlyArray<number> | null {
    const count = this.filled + (this.inLast > 0 ? 1 : 0)
    if (count === 0) return null
    const { wanted } = this
    const pairs: Array<number> = []
    for (let number = 0; number < wanted; number++) {
      const from = Math.floor(number * count / wanted)
      const to = Math.max(Math.ceil((number + 1) * count / wanted), from + 1)
      let [least, greatest] = [Infinity, -Infinity]
      for (let at = from; at < to; at++) {
        least = Math.min(least, this.least[at]!)
        greatest = Math.max(greatest, this.greatest[at]!)
      }
      pairs.push(rounded(least / 32_768), rounded(greatest / 32_768))
    }
    return pairs
  }

  private add(sample: number): void {
    const at = this.filled
    if (this.inLast === 0) {
      this.least[at] = sample
      this.greatest[at] = sample
    } else if (sample < this.least[at]!) {
      this.least[at] = sample
    } else if (sample > this.greatest[at]!) {
      this.greatest[at] = sample
    }
    if (++this.inLast < this.stretch) return
    this.inLast = 0
    this.filled++
    if (this.filled === 2 * this.wanted) this.halve()
  }

  private halve(): void {
    for (let at = 0; at < this.wanted; at++) {
      this.least[at] = Math.min(this.least[2 * at]!, this.least[2 * at + 1]!)
      this.greatest[at] = Math.max(this.greatest[2 * at]!, this.greatest[2 * at + 1]!)
    }
    this.filled = this.wanted
    this.stretch *= 2
  }
}
