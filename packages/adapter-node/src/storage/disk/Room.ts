/** How much more the disk may take: some bytes are reserved for the database's own writes. */
import { statfs } from "node:fs/promises"
import { hasCode } from "./Durable.ts"
import { SharedRuns } from "./SharedRuns.ts"

const MiB = 1024 * 1024

/** The disk has only its reserve left. */
export class NoRoom extends Error {
  constructor() {
    super("What is left on the disk is kept back.")
  }
}

/** Whether an operation failed for lack of space, of the disk's or of a quota set on it. */
export const isFull = (error: unknown): boolean => error instanceof NoRoom || hasCode(error, "ENOSPC", "EDQUOT")

/** Room reserved for bytes that are being received. */
export interface Hold {
  /** These are on the disk now. */
  readonly arrived: (bytes: number) => void
  /** Releases the rest. Repeating is safe. */
  readonly release: () => void
}

/** The default reserve: 256 MiB, or one percent of a larger disk. */
const usualReserve = (diskBytes: number): number => Math.max(256 * MiB, Math.floor(diskBytes / 100))

export class Room {
  readonly #path: string
  readonly #reserveBytes: number | undefined
  /** Bytes that are being received, which the disk does not count yet. */
  #heldBytes = 0
  readonly #disk = new SharedRuns((path) => statfs(path))

  constructor(path: string, reserveBytes: number | undefined) {
    this.#path = path
    this.#reserveBytes = reserveBytes
  }

  /** Bytes that may still be accepted; negative when fewer are free than the reserve. */
  async left(): Promise<number> {
    const { bavail, blocks, bsize, ffree, files } = await this.#disk.run(this.#path)
    // Without free inodes there is no room, whatever is free. A file system without inodes reports none.
    if (files > 0 && ffree === 0) return -1
    const reserveBytes = this.#reserveBytes ?? usualReserve(blocks * bsize)
    return bavail * bsize - reserveBytes - this.#heldBytes
  }

  /** Fails with {@link NoRoom} when `bytes` more can't be accepted. */
  async check(bytes: number): Promise<void> {
    if (await this.left() < Math.max(bytes, 1)) throw new NoRoom()
  }

  /** Reserves room for `bytes`, so that simultaneous uploads don't use the same room. Fails with {@link NoRoom}. */
  async hold(bytes: number): Promise<Hold> {
    let left = bytes
    const arrived = (count: number) => {
      const known = Math.min(left, count)
      left -= known
      this.#heldBytes -= known
    }
    const release = () => arrived(left)
    this.#heldBytes += bytes
    try {
      if (await this.left() < 0) throw new NoRoom()
    } catch (error) {
      release()
      throw error
    }
    return { arrived, release }
  }
}
