/** Reads a range of an object across its part files. */
import { type ObjectStore as Port, OwnedBuffers } from "@filedrive/core"
import { read } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { locate } from "./ObjectMeta.ts"
import { type DiskObject, type Objects, partDamaged } from "./Objects.ts"

/** `fs.read` without the promise API's cost of a buffer view and object per call. */
const readInto = (handle: FileHandle, buffer: Buffer, length: number, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    read(handle.fd, buffer, 0, length, position, (error, bytes) => error === null ? resolve(bytes) : reject(error))
  })

export class RangeReader {
  readonly #objects: Objects
  readonly #found: DiskObject
  readonly #end: number
  #position: number
  /** The part file that is open. */
  #part: { readonly number: number; readonly handle: FileHandle } | undefined

  constructor(objects: Objects, found: DiskObject, { end, start }: Port.ByteRange) {
    this.#objects = objects
    this.#found = found
    this.#position = start
    this.#end = Math.min(end, found.meta.sizeBytes - 1)
  }

  get leftBytes(): number {
    return this.#end + 1 - this.#position
  }

  /** Fills the beginning of `buffer`; 0 at the end. One call at a time. */
  async read(buffer: Buffer): Promise<number> {
    if (this.leftBytes <= 0) return 0
    const { leftBytes, offset, partBytes, partNumber } = locate(this.#found.meta, this.#position)
    const handle = await this.#open(partNumber, partBytes)
    const bytes = await readInto(handle, buffer, Math.min(buffer.length, leftBytes, this.leftBytes), offset)
    if (bytes === 0) throw partDamaged(this.#found, partNumber, "is shorter than it was")
    this.#position += bytes
    return bytes
  }

  /** Opens the file of the first read, so that a missing one is known before any answer. */
  async start(): Promise<void> {
    if (this.leftBytes <= 0) return
    const { partBytes, partNumber } = locate(this.#found.meta, this.#position)
    await this.#open(partNumber, partBytes)
  }

  async #open(partNumber: number, partBytes: number): Promise<FileHandle> {
    if (this.#part?.number === partNumber) return this.#part.handle
    await this.close()
    const handle = await this.#objects.openPart(this.#found, partNumber, partBytes)
    this.#part = { number: partNumber, handle }
    return handle
  }

  /** Must follow the last read, once that has ended. Repeating is safe. */
  async close(): Promise<void> {
    const part = this.#part
    this.#part = undefined
    await part?.handle.close()
  }

  /** The range in blocks of their own memory. */
  async *blocks(blockBytes = 256 * 1024): AsyncGenerator<Uint8Array> {
    try {
      while (this.leftBytes > 0) {
        const buffer = Buffer.allocUnsafeSlow(Math.min(blockBytes, this.leftBytes))
        yield OwnedBuffers.asOwned(buffer.subarray(0, await this.read(buffer)))
      }
    } finally {
      await this.close()
    }
  }
}
