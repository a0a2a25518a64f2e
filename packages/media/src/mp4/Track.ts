/** One track of an MP4 that is being received. */
import type { Samples } from "./Samples.ts"

export interface Track {
  readonly id: number
  /** Units a second. */
  readonly timescale: number
  /** Its box in the index, without samples. */
  readonly trak: Uint8Array
  readonly defaults: Defaults
  readonly samples: Samples
}

/** What samples are like that say nothing of themselves. */
export interface Defaults {
  readonly duration: number
  readonly sizeBytes: number
  readonly flags: number
}
