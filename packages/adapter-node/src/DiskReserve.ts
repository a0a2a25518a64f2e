/**
 * Room on a disk for work that must continue when it is full. Other programs fill the disk too, at any moment and to the last byte; so the
 * room is reserved by a file, which is shortened for each write that finds no room, and grows again when there is some.
 */
import { randomFillSync } from "node:crypto"
import { closeSync, constants, openSync, statfsSync, statSync, truncateSync, writeSync } from "node:fs"

const KiB = 1_024

/** `ample`: all of the reserve is there and more. `low`: only it, or some of it. `scarce`: less than half of it. */
export type RoomLeft = "ample" | "low" | "scarce"

export interface DiskReserveOptions {
  readonly bytes: number
  /** Bytes that must be free beside the reserve before new data is accepted: for writes that run at the moment of the check. */
  readonly marginBytes: number
  /** Whether a write failed because the disk, or a quota on it, is full. */
  readonly isFull: (error: unknown) => boolean
  /** Called when some of it was given up. */
  readonly onGiven?: (left: RoomLeft) => void
}

/** Taken back at a time, of the whole. */
const steps = 32

/** No file system takes less for anything. */
const blockBytes = 4 * KiB

export class DiskReserve {
  readonly #options: DiskReserveOptions
  readonly #place: string
  readonly #stepBytes: number

  /** The reserve at `place`, which is made as far as there is room. */
  constructor(place: string, options: DiskReserveOptions) {
    this.#place = place
    this.#options = options
    this.#stepBytes = Math.max(64 * KiB, options.bytes / steps)
    closeSync(openSync(place, constants.O_RDWR | constants.O_CREAT, 0o600))
    this.refill()
  }

  /** Takes back what was given up, as far as the disk has room. */
  refill(): RoomLeft {
    let [bytes, free] = [this.#bytes(), this.#free()]
    while (bytes < this.#options.bytes && free >= 2 * this.#stepBytes && this.#grow(bytes)) {
      bytes = this.#bytes()
      free = this.#free()
    }
    return this.#left(bytes, free)
  }

  /**
   * Runs `write`, which takes `bytes`, and again with some of the reserve given up as long as it finds no room. Others who
   * fill the disk take what is free at once: so no more is given up than the write needs, and twice as much at each further try.
   */
  lend<A>(bytes: number, write: () => A): A {
    for (let needed = bytes + blockBytes;; needed *= 2) {
      try {
        return write()
      } catch (error) {
        this.#giveFor(error, needed)
      }
    }
  }

  /** {@link lend} for asynchronous writes. */
  async lendTo<A>(bytes: number, write: () => Promise<A>): Promise<A> {
    for (let needed = bytes + blockBytes;; needed *= 2) {
      try {
        return await write()
      } catch (error) {
        this.#giveFor(error, needed)
      }
    }
  }

  /** Read each time, since other processes may share it. */
  #bytes(): number {
    return statSync(this.#place, { throwIfNoEntry: false })?.size ?? 0
  }

  #free(): number {
    const { bavail, bsize } = statfsSync(this.#place)
    return bavail * bsize
  }

  /** Whether the file system has no inodes left, which free bytes don't help. A file system without inodes reports none. */
  #lacksInodes(): boolean {
    const { ffree, files } = statfsSync(this.#place)
    return files > 0 && ffree === 0
  }

  #left(held: number, free: number): RoomLeft {
    const { bytes, marginBytes } = this.#options
    if (held >= bytes && free >= marginBytes) return "ample"
    return held + free < bytes / 2 ? "scarce" : "low"
  }

  #giveFor(error: unknown, needed: number): void {
    const bytes = this.#options.isFull(error) && !this.#lacksInodes() ? this.#bytes() : 0
    if (bytes === 0) throw error
    const given = Math.min(Math.ceil(needed / blockBytes) * blockBytes, this.#stepBytes)
    const left = Math.max(0, bytes - given)
    truncateSync(this.#place, left)
    this.#options.onGiven?.(this.#left(left, 0))
  }

  #grow(from: number): boolean {
    // Zeros would take no room where the file system compresses.
    const noise = randomFillSync(Buffer.alloc(Math.min(this.#stepBytes, this.#options.bytes - from)))
    const descriptor = openSync(this.#place, constants.O_RDWR)
    try {
      for (let at = 0; at < noise.length;) at += writeSync(descriptor, noise, at, noise.length - at, from + at)
      return true
    } catch (error) {
      truncateSync(this.#place, from)
      if (this.#options.isFull(error)) return false
      throw error
    } finally {
      closeSync(descriptor)
      // At once: a reserve that is made takes many, and the collector sees only their small objects.
      noise.buffer.transfer(0)
    }
  }
}
