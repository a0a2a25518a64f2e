/** How fast all files together are sent. */

const windowMillis = 6_000

export class Meter {
  readonly #now: () => number
  #samples: Array<readonly [time: number, bytes: number]> = []

  constructor(now: () => number) {
    this.#now = now
  }

  /** Takes note of bytes that were sent just now. */
  add(bytes: number): void {
    if (bytes <= 0) return
    const now = this.#now()
    const last = this.#samples.at(-1)
    // Four samples a second do.
    if (last !== undefined && now - last[0] < 250) this.#samples[this.#samples.length - 1] = [last[0], last[1] + bytes]
    else this.#samples.push([now, bytes])
  }

  /** Of the last seconds; 0 while nothing is sent. */
  get bytesPerSecond(): number {
    const now = this.#now()
    this.#samples = this.#samples.filter(([time]) => now - time < windowMillis)
    const [first] = this.#samples
    if (first === undefined) return 0
    const sum = this.#samples.reduce((all, [, bytes]) => all + bytes, 0)
    return sum / Math.max(1, (now - first[0]) / 1000)
  }
}
