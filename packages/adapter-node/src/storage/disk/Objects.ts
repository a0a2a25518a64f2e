/**
 * Objects on disk: each is packed in one file, or is a directory. An address has one object. When a crash between making the new
 * one and removing the old one has left both, the packed one counts.
 */
import type { ObjectStore as Port } from "@filedrive/core"
import { readdir } from "node:fs/promises"
import { basename, join } from "node:path"
import { type DirectoryObject, DirectoryObjects, ObjectGone } from "./DirectoryObjects.ts"
import { exists } from "./Durable.ts"
import type { Layout } from "./Layout.ts"
import type { NewObject, NewObjectOfParts, ObjectMeta } from "./ObjectMeta.ts"
import { isPackable, packedName } from "./Packed.ts"
import { type Extent, type PackedObject, PackedObjects } from "./PackedObjects.ts"
import { RecentObjects } from "./RecentObjects.ts"
import { sealBytes } from "./Seal.ts"

/** An object as it was found. When it is replaced, the new one at the address is another object. */
export type DiskObject = DirectoryObject | PackedObject

const listedAtOnce = 32

export class Objects {
  readonly directories: DirectoryObjects
  readonly #layout: Layout
  readonly #packed: PackedObjects
  readonly #recent = new RecentObjects()

  constructor(layout: Layout) {
    this.#layout = layout
    this.directories = new DirectoryObjects(layout)
    this.#packed = new PackedObjects(layout)
  }

  /** The object at the address. A packed one comes with its bytes when `extent` is `content`. */
  async find(at: Port.ObjectAddress, extent: Extent = "description"): Promise<DiskObject | undefined> {
    return await this.#packed.find(at, extent) ?? await this.directories.find(at) ??
      await this.#packed.findArrived(at, extent) ??
      // A packed object may have replaced a directory between the first two lookups.
      await this.#packed.find(at, extent)
  }

  /** The object at the address, if all of its parts exist with the length they were stored with. */
  async findWhole(at: Port.ObjectAddress): Promise<DiskObject | undefined> {
    const recent = this.#recent.find(at)
    if (recent !== undefined) return recent
    for (;;) {
      const found = await this.find(at)
      if (found?._tag !== "Directory") return found
      try {
        await this.directories.checkLengths(found)
        return found
      } catch (error) {
        // Replaced or removed meanwhile: the present state decides.
        if (!(error instanceof ObjectGone)) throw error
      }
    }
  }

  /** The object at the address with its content, for a reader that may get what this process has just written. */
  async findContent(at: Port.ObjectAddress): Promise<DiskObject | undefined> {
    return this.#recent.take(at) ?? await this.find(at, "content")
  }

  /** Remembers what has come on the form of this address: an object whose file has this content. */
  arrived(at: Port.ObjectAddress, meta: ObjectMeta, content: Buffer): void {
    const path = this.#layout.arrived(at)
    if (path !== undefined) this.#recent.arrived(at, { _tag: "Packed", path, meta, content })
  }

  /** Stores a small object of these bytes. */
  async put(at: Port.ObjectAddress, bytes: Uint8Array, object: NewObject): Promise<ObjectMeta> {
    this.#recent.forget(at)
    const meta = await this.#packed.put(at, bytes, object)
    await this.directories.remove(at)
    return meta
  }

  /** Makes an object of a directory that contains its part files; see {@link DirectoryObjects.publish}. */
  async publish(directory: string, at: Port.ObjectAddress, object: NewObjectOfParts): Promise<ObjectMeta> {
    this.#recent.forget(at)
    const meta = await this.directories.publish(directory, at, object)
    await this.#packed.removeReplaced(at)
    return meta
  }

  /** Copies an object. Its bytes are only copied when it is packed and gets other headers, or can't have a second name. */
  async copy(
    from: Port.ObjectAddress,
    to: Port.ObjectAddress,
    object: NewObject
  ): Promise<ObjectMeta | undefined> {
    for (;;) {
      const source = await this.findWhole(from)
      if (source === undefined) return undefined
      try {
        if (source._tag === "Packed") return await this.#copyPacked(source, to, object)
        const meta = await this.directories.copy(source, to, object)
        await this.#packed.removeReplaced(to)
        return meta
      } catch (error) {
        // Replaced or removed meanwhile: the present state decides.
        if (!(error instanceof ObjectGone)) throw error
        this.#recent.forget(from)
      }
    }
  }

  async #copyPacked(source: PackedObject, to: Port.ObjectAddress, object: NewObject): Promise<ObjectMeta> {
    const { sizeBytes } = source.meta
    if (isPackable(to.key, sizeBytes)) {
      const meta = await this.#packed.copy(source, to, object)
      if (meta === undefined) throw new ObjectGone()
      const path = this.#layout.packed(to)
      const isShared = meta.etag === source.meta.etag
      if (isShared && source.content !== undefined && path !== undefined) {
        this.#recent.copied(to, { ...source, path, meta })
      }
      await this.directories.remove(to)
      return meta
    }
    // A directory takes the place of the one that was there, and a file can't have been.
    const content = (await this.#packed.reread(source))?.content
    if (content === undefined) throw new ObjectGone()
    const part = content.subarray(0, sizeBytes + sealBytes(sizeBytes))
    return this.directories.put(to, part, { ...object, sizeBytes })
  }

  async remove(at: Port.ObjectAddress): Promise<void> {
    const arrived = this.#recent.find(at)
    this.#recent.forget(at)
    // It is all that the address has.
    if (arrived !== undefined && await this.#packed.removeFile(arrived)) return
    await this.#packed.remove(at)
    await this.directories.remove(at)
  }

  /**
   * Every object below a prefix, as many at a time as are read at once. One without a readable key, or that is not where its
   * key belongs, is left out.
   */
  async *list(bucket: Port.Bucket, prefix: string): AsyncGenerator<ObjectMeta> {
    for await (const found of this.#all(bucket)) {
      if (found.meta.key.startsWith(prefix) && this.#isInPlace(bucket, found)) yield found.meta
    }
    const arrived = await readdir(this.#layout.forms)
    for (let at = 0; at < arrived.length; at += listedAtOnce) {
      const some = arrived.slice(at, at + listedAtOnce)
      const found = await Promise.all(some.map((name) => this.#listedArrived(bucket, name)))
      for (const one of found) if (one?.meta.key.startsWith(prefix)) yield one.meta
    }
  }

  /** Every object that is not where its key belongs. */
  async *misplaced(bucket: Port.Bucket): AsyncGenerator<DiskObject> {
    for await (const found of this.#all(bucket)) {
      if (!this.#isInPlace(bucket, found)) yield found
    }
  }

  #isInPlace(bucket: Port.Bucket, found: DiskObject): boolean {
    return found._tag === "Directory"
      ? this.directories.isInPlace(bucket, found)
      : this.#packed.isInPlace(bucket, found)
  }

  async *#all(bucket: Port.Bucket): AsyncGenerator<DiskObject> {
    for (const shard of this.#layout.shards(bucket)) {
      const names = await readdir(shard)
      const all = new Set(names)
      for (let at = 0; at < names.length; at += listedAtOnce) {
        const found = await Promise.all(
          names.slice(at, at + listedAtOnce).map((name) => this.#listed(join(shard, name)))
        )
        for (const one of found) {
          // A directory was replaced when its key also has a packed object.
          if (one !== undefined && !(one._tag === "Directory" && all.has(packedName(one.meta.key) ?? ""))) yield one
        }
      }
    }
  }

  async #listed(path: string): Promise<DiskObject | undefined> {
    return basename(path).includes(".") ? await this.#packed.listed(path) : await this.directories.listed(path)
  }

  /** What was sent with a form, unless the address has another object, which then has replaced it. */
  async #listedArrived(bucket: Port.Bucket, name: string): Promise<PackedObject | undefined> {
    const found = await this.#packed.listedArrived(bucket, name)
    if (found === undefined) return undefined
    const at = { bucket, key: found.meta.key }
    const packed = this.#layout.packed(at)
    const isReplaced = packed !== undefined && await exists(packed) || await this.directories.exists(at)
    return isReplaced ? undefined : found
  }
}
