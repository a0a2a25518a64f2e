/** How much more the disk should take: what an upload would have left is kept back, for the database's own writes. */
import { statfs } from "node:fs/promises"
import { hasCode } from "./Durable.ts"

const MiB = 1024 * 1024

/** The disk should take no more, though it could. */
export class NoRoom extends Error {
  constructor() {
    super("What is left on the disk is kept back.")
  }
}

/** Whether an operation failed for lack of space, of the disk's or of a quota set on it. */
export const isFull = (error: unknown): boolean => error instanceof NoRoom || hasCode(error, "ENOSPC", "EDQUOT")

/** Room held for bytes that are on their way. */
export interface Hold {
  /** These are on the disk now. */
  readonly arrived: (bytes: number) => void
  /** No more will come. Repeating is safe. */
  readonly release: () => void
}

/** What stays free unless the host says otherwise: 256 MiB, and one percent of a larger disk. */
const usualReserve = (diskBytes: number): number => Math.max(256 * MiB, Math.floor(diskBytes / 100))

export class Room {
  readonly #path: string
  readonly #reserveBytes: number | undefined
  /** Bytes on their way, which the disk does not know of yet. */
  #heldBytes = 0

  constructor(path: string, reserveBytes: number | undefined) {
    this.#path = path
    this.#reserveBytes = reserveBytes
  }

  /** Bytes that may still come; below 0 where fewer are free than should stay so. */
  async left(): Promise<number> {
    const { bavail, blocks, bsize, ffree, files } = await statfs(this.#path)
    // Where no file can be made there is no room, whatever is free. A file system without a table of files counts none.
    if (files > 0 && ffree === 0) return -1
    const reserveBytes = this.#reserveBytes ?? usualReserve(blocks * bsize)
    return bavail * bsize - reserveBytes - this.#heldBytes
  }

  /** Fails with {@link NoRoom} where `bytes` more should not come. */
  async check(bytes: number): Promise<void> {
    if (await this.left() < Math.max(bytes, 1)) throw new NoRoom()
  }

  /** Holds room for `bytes`, so that uploads at once don't all count on the same. Fails with {@link NoRoom}. */
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
