/** Reads a range of an object across its part files. A packed object is in memory already. */
import { type ObjectStore as Port, OwnedBuffers } from "@filedrive/core"
import { read } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { type DirectoryObject, type DirectoryObjects, partDamaged } from "./DirectoryObjects.ts"
import { locate } from "./ObjectMeta.ts"
import type { DiskObject } from "./Objects.ts"
import type { PackedObject } from "./PackedObjects.ts"

/** `fs.read` without the promise API's cost of a buffer view and object per call. */
const readInto = (handle: FileHandle, buffer: Buffer, length: number, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    read(handle.fd, buffer, 0, length, position, (error, bytes) => error === null ? resolve(bytes) : reject(error))
  })

export class RangeReader {
  readonly #directories: DirectoryObjects
  readonly #found: DiskObject
  readonly #end: number
  #position: number
  /** The part file that is open. */
  #part: { readonly number: number; readonly handle: FileHandle } | undefined

  /** A packed object must have been found with its content. */
  constructor(directories: DirectoryObjects, found: DiskObject, { end, start }: Port.ByteRange) {
    this.#directories = directories
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
    const found = this.#found
    const bytes = found._tag === "Directory" ? await this.#readPart(found, buffer) : this.#readPacked(found, buffer)
    this.#position += bytes
    return bytes
  }

  async #readPart(found: DirectoryObject, buffer: Buffer): Promise<number> {
    const { leftBytes, offset, partBytes, partNumber } = locate(found.meta, this.#position)
    const handle = await this.#open(found, partNumber, partBytes)
    const bytes = await readInto(handle, buffer, Math.min(buffer.length, leftBytes, this.leftBytes), offset)
    if (bytes === 0) throw partDamaged(found, partNumber, "is shorter than it was")
    return bytes
  }

  #readPacked({ content, path }: PackedObject, buffer: Buffer): number {
    if (content === undefined) throw new Error(`The content of ${path} was not read.`)
    return content.copy(buffer, 0, this.#position, this.#end + 1)
  }

  /** Opens the file of the first read, so that a missing one is known before any answer. */
  async start(): Promise<void> {
    if (this.leftBytes <= 0 || this.#found._tag === "Packed") return
    const { partBytes, partNumber } = locate(this.#found.meta, this.#position)
    await this.#open(this.#found, partNumber, partBytes)
  }

  async #open(found: DirectoryObject, partNumber: number, partBytes: number): Promise<FileHandle> {
    if (this.#part?.number === partNumber) return this.#part.handle
    await this.close()
    const handle = await this.#directories.openPart(found, partNumber, partBytes)
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
