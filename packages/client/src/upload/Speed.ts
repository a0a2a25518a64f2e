/** How fast bytes are sent, and when they will all be. */
import type { Progress } from "./Upload.ts"

const windowMillis = 5_000
const tellMillis = 100

/** `tell` is called at most ten times a second, and when it must. */
export class Speed {
  readonly #samples: Array<readonly [time: number, bytes: number]> = []
  #told = -Infinity

  /** Takes note of how many bytes have been sent, and tells whether it is time to tell. */
  add(sentBytes: number, isForced = false): boolean {
    // Not the time of day, which may be set back.
    const now = performance.now()
    if (!isForced && now - this.#told < tellMillis) return false
    this.#told = now
    const samples = this.#samples
    // A pause is no slowness, and what is sent again was not sent.
    if (samples.length > 0 && (now - samples.at(-1)![0] > windowMillis || sentBytes < samples.at(-1)![1])) {
      samples.length = 0
    }
    samples.push([now, sentBytes])
    while (samples.length > 2 && now - samples[0]![0] > windowMillis) samples.shift()
    return true
  }

  of(sentBytes: number, totalBytes: number): Progress {
    const [first = [0, 0]] = this.#samples
    const last = this.#samples.at(-1) ?? first
    const millis = last[0] - first[0]
    const bytesPerSecond = millis > 0 ? Math.round((last[1] - first[1]) * 1000 / millis) : 0
    const left = totalBytes - sentBytes
    return {
      sentBytes,
      totalBytes,
      bytesPerSecond,
      secondsLeft: left === 0 ? 0 : bytesPerSecond > 0 ? Math.ceil(left / bytesPerSecond) : null
    }
  }
}
