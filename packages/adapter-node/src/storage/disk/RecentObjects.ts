/**
 * Packed objects that this process has just written, as they are on the disk: a file that came on a form is looked at and copied
 * right after, by name, and need not be read for that.
 */
import { LruCache, type ObjectStore as Port } from "@filedrive/core"
import type { PackedObject } from "./PackedObjects.ts"

/** Bytes of all that are kept. */
const keptBytes = 8 * 1024 * 1024

const nameOf = ({ bucket, key }: Port.ObjectAddress): string => `${bucket}/${key}`

export class RecentObjects {
  /** What came on forms, which is stored once. */
  readonly #arrived = new LruCache<string, PackedObject>(keptBytes)
  /** Copies that nobody has looked at. */
  readonly #copied = new LruCache<string, PackedObject>(keptBytes)

  arrived(at: Port.ObjectAddress, object: PackedObject): void {
    this.#arrived.set(nameOf(at), object, object.content?.length ?? 0)
  }

  copied(at: Port.ObjectAddress, object: PackedObject): void {
    this.#copied.set(nameOf(at), object, object.content?.length ?? 0)
  }

  /** What came on the form of this address. It may have been removed by another process. */
  find(at: Port.ObjectAddress): PackedObject | undefined {
    return this.#arrived.get(nameOf(at))
  }

  /** {@link find}, or a copy that was just made. A copy is returned once, to its first reader. */
  take(at: Port.ObjectAddress): PackedObject | undefined {
    const name = nameOf(at)
    const copied = this.#copied.get(name)
    this.#copied.delete(name)
    return copied ?? this.#arrived.get(name)
  }

  forget(at: Port.ObjectAddress): void {
    this.#arrived.delete(nameOf(at))
    this.#copied.delete(nameOf(at))
  }
}
