/**
 * Packed objects on disk: each is one file, which is complete when it gets its name and is never changed. A second name for the
 * file is a copy of the object; its bytes are written again only for other headers.
 */
import type { ObjectStore as Port } from "@filedrive/core"
import { randomBytes } from "node:crypto"
import { closeSync, fstatSync, read } from "node:fs"
import { link, rename, rm, unlink } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { hasCode, openFd, syncDirectory, unlessMissing, writeNew } from "./Durable.ts"
import { arrivedKey, type Layout } from "./Layout.ts"
import { ObjectDamaged } from "./ObjectDamaged.ts"
import { type NewObject, type ObjectMeta, onePart } from "./ObjectMeta.ts"
import {
  type Description,
  keyOfName,
  notPackable,
  pack,
  packedName,
  readTail,
  repack,
  usualTailBytes
} from "./Packed.ts"

export interface PackedObject {
  readonly _tag: "Packed"
  readonly path: string
  readonly meta: ObjectMeta
  /** The whole file, when it was read with its content. */
  readonly content: Buffer | undefined
}

/** What is read of a file: its description, or all of it. */
export type Extent = "description" | "content"

/**
 * For so long after its object was stored a file may get further names. A copy that shares the file has its time too, and a new
 * copy must not look like an old object.
 */
const sharedForMillis = 60 * 60 * 1000

const readAt = (fd: number, buffer: Buffer, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    read(fd, buffer, 0, buffer.length, position, (error, bytes) => error === null ? resolve(bytes) : reject(error))
  })

const readFrom = async (fd: number, path: string, position: number, end: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafeSlow(end - position)
  const bytes = await readAt(fd, buffer, position).catch((error: unknown) => {
    throw hasCode(error, "EIO") ? new ObjectDamaged(path, "can't be read: the disk says EIO") : error
  })
  return bytes === buffer.length ? buffer : buffer.subarray(0, bytes)
}

/** Reads the file of the object with this key; undefined when there is none. Fails with {@link ObjectDamaged}. */
const readPacked = async (path: string, key: string, extent: Extent): Promise<PackedObject | undefined> => {
  const fd = await unlessMissing(openFd(path, "r"))
  if (fd === undefined) return undefined
  try {
    const { size } = fstatSync(fd)
    for (let tailBytes = extent === "content" ? size : Math.min(size, usualTailBytes);;) {
      const tail = await readFrom(fd, path, size - tailBytes, size)
      const found = readTail(tail, size, key)
      if (found._tag === "Damaged") throw new ObjectDamaged(path, "is of another length or has a damaged description")
      if (found._tag === "Read") {
        return { _tag: "Packed", path, meta: found.meta, content: extent === "content" ? tail : undefined }
      }
      tailBytes = found.bytes
    }
  } finally {
    closeSync(fd)
  }
}

const sameHeaders = (one: Port.ObjectHeaders, other: Port.ObjectHeaders): boolean =>
  one.contentType === other.contentType && one.contentDisposition === other.contentDisposition &&
  one.cacheControl === other.cacheControl

export const newEtag = (): string => randomBytes(16).toString("hex")

export class PackedObjects {
  readonly #layout: Layout

  constructor(layout: Layout) {
    this.#layout = layout
  }

  async find(at: Port.ObjectAddress, extent: Extent): Promise<PackedObject | undefined> {
    const path = this.#layout.packed(at)
    return path === undefined ? undefined : readPacked(path, at.key, extent)
  }

  /** The object that was sent with the form of this address. */
  async findArrived(at: Port.ObjectAddress, extent: Extent): Promise<PackedObject | undefined> {
    const path = this.#layout.arrived(at)
    return path === undefined ? undefined : readPacked(path, at.key, extent)
  }

  /** Reads the bytes of an object whose description was read. Undefined when it was replaced or removed. */
  async reread({ meta, path }: PackedObject): Promise<PackedObject | undefined> {
    const found = await readPacked(path, meta.key, "content")
    return found?.meta.etag === meta.etag ? found : undefined
  }

  /** Stores an object of these bytes, and replaces a packed one at the address. Its key must be one that a file name can contain. */
  async put(at: Port.ObjectAddress, bytes: Uint8Array, { headers, nowMillis }: NewObject): Promise<ObjectMeta> {
    const description: Description = { headers, sizeBytes: bytes.length, etag: newEtag(), storedMillis: nowMillis }
    await this.#place(at, pack(bytes, description))
    return { ...description, key: at.key, parts: onePart(bytes.length) }
  }

  async #place(at: Port.ObjectAddress, content: Buffer): Promise<void> {
    const place = this.#placeOf(at)
    const file = this.#layout.temporary()
    await writeNew(file, content)
    try {
      await rename(file, place)
    } catch (error) {
      await rm(file, { force: true })
      throw error
    }
    await syncDirectory(dirname(place))
  }

  #placeOf(at: Port.ObjectAddress): string {
    const place = this.#layout.packed(at)
    if (place === undefined) throw notPackable(at.key)
    return place
  }

  /** Undefined when the source was replaced or removed. The new key must be one that a file name can contain. */
  async copy(
    source: PackedObject,
    to: Port.ObjectAddress,
    { headers, nowMillis }: NewObject
  ): Promise<ObjectMeta | undefined> {
    const { meta } = source
    const isYoung = Math.abs(nowMillis - meta.storedMillis) < sharedForMillis
    if (isYoung && sameHeaders(meta.headers, headers) && await this.#share(source, to)) return { ...meta, key: to.key }
    const content = (await this.reread(source))?.content
    if (content === undefined) return undefined
    const { sizeBytes } = meta
    const description: Description = { headers, sizeBytes, etag: newEtag(), storedMillis: nowMillis }
    await this.#place(to, repack(content, description))
    return { ...meta, ...description, key: to.key }
  }

  /** Gives the file another name. False when it must be written again instead: the name is taken, or the file can't have more names. */
  async #share({ path }: PackedObject, to: Port.ObjectAddress): Promise<boolean> {
    const place = this.#placeOf(to)
    try {
      await link(path, place)
    } catch (error) {
      if (hasCode(error, "ENOENT", "EEXIST", "EMLINK", "EPERM", "ENOTSUP", "EOPNOTSUPP")) return false
      throw error
    }
    await syncDirectory(dirname(place))
    return true
  }

  /** Removes the file of an object; false when it was not there. */
  async removeFile({ path }: PackedObject): Promise<boolean> {
    return await unlessMissing(unlink(path).then(() => true)) === true
  }

  /** Removes the object, and what was sent with the form of the address. */
  async remove(at: Port.ObjectAddress): Promise<void> {
    for (const path of [this.#layout.packed(at), this.#layout.arrived(at)]) {
      if (path !== undefined) await unlessMissing(unlink(path))
    }
  }

  /** Removes the packed object that a directory has replaced. */
  async removeReplaced(at: Port.ObjectAddress): Promise<void> {
    const path = this.#layout.packed(at)
    if (path !== undefined) await unlessMissing(unlink(path))
  }

  /** The object of a file in one of a bucket's directories; undefined for anything else. */
  async listed(path: string): Promise<PackedObject | undefined> {
    const key = keyOfName(basename(path))
    return key === undefined ? undefined : this.#unlessDamaged(readPacked(path, key, "description"))
  }

  /** Whether a file is where the object of its key is looked up. */
  isInPlace(bucket: Port.Bucket, { meta: { key }, path }: PackedObject): boolean {
    return this.#layout.packed({ bucket, key }) === path
  }

  /** The object of a file beside the permissions of forms; undefined for anything else. */
  async listedArrived(bucket: Port.Bucket, name: string): Promise<PackedObject | undefined> {
    const key = arrivedKey(bucket, name)
    if (key === undefined || packedName(key) === undefined) return undefined
    const path = this.#layout.arrived({ bucket, key })
    if (path === undefined || basename(path) !== name) return undefined
    return this.#unlessDamaged(readPacked(path, key, "description"))
  }

  async #unlessDamaged(run: Promise<PackedObject | undefined>): Promise<PackedObject | undefined> {
    try {
      return await run
    } catch (error) {
      if (error instanceof ObjectDamaged || hasCode(error, "EISDIR")) return undefined
      throw error
    }
  }
}
