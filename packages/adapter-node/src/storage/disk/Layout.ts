/**
 * The layout below the store's root, all on one file system:
 *
 * ```text
 * credentials.json                        who signs, mode 0600
 * o/{bucket}/{aa}/{packed name of a key}  a small object of one piece, with its description; see Packed
 * o/{bucket}/{aa}/{sha256 of the key}/    another object: meta.json, p00001 …, each with its seal
 * u/{uploadId}/                           an open upload: upload.json, p00001 …
 * s/{bucket}.{sha256 of the key}.{state}  which forms may store their object; see OpenForms
 * s/arrived.{bucket}.{packed name}        a small object that was sent with a form
 * t/                                      unfinished files and directories
 * copies.reserve                          room for copies on a full disk
 * ```
 *
 * Each name contains a hash of the key, because a file system could mistake the key itself, by
 * case, length or `..`; the key is in the packed name or in `meta.json`.
 */
import type { ObjectStore as Port } from "@filedrive/core"
import { hash, randomUUID } from "node:crypto"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { syncDirectory } from "./Durable.ts"
import { keyOfName, packedName } from "./Packed.ts"

export const buckets: ReadonlyArray<Port.Bucket> = ["private", "public"]

export const isBucket = (name: string | undefined): name is Port.Bucket => name === "private" || name === "public"

/** The file name of a part within an object or upload. */
export const partName = (partNumber: number): string => `p${String(partNumber).padStart(5, "0")}`

/** The number of a part file, or undefined when the file is not a part. */
export const partNumberOf = (fileName: string): number | undefined =>
  /^p\d{5}$/.test(fileName) ? Number(fileName.slice(1)) : undefined

const arrivedPrefix = "arrived."

/** Whether a file beside the forms' permissions is an object that was sent with a form. */
export const isArrived = (name: string): boolean => name.startsWith(arrivedPrefix)

/** The key in the file name of an object that was sent with a form to this bucket. */
export const arrivedKey = (bucket: Port.Bucket, name: string): string | undefined => {
  const prefix = `${arrivedPrefix}${bucket}.`
  return name.startsWith(prefix) ? keyOfName(name.slice(prefix.length)) : undefined
}

const isUploadId = (text: string) => /^[A-Za-z0-9_-]{20,64}$/.test(text)

export class Layout {
  readonly root: string
  readonly uploads: string
  readonly forms: string
  readonly unfinished: string

  constructor(root: string) {
    this.root = root
    this.uploads = join(root, "u")
    this.forms = join(root, "s")
    this.unfinished = join(root, "t")
  }

  /** The 256 directories that a bucket's objects are spread over. */
  shards(bucket: Port.Bucket): ReadonlyArray<string> {
    return Array.from({ length: 256 }, (_, i) => join(this.root, "o", bucket, i.toString(16).padStart(2, "0")))
  }

  /** The file of a packed object; undefined for a key whose object is never packed. */
  packed({ bucket, key }: Port.ObjectAddress): string | undefined {
    const name = packedName(key)
    return name && join(this.root, "o", bucket, name.slice(0, 2), name)
  }

  /** The file of a packed object that was sent with a form. It is beside the form's permission, so one sync makes both durable. */
  arrived({ bucket, key }: Port.ObjectAddress): string | undefined {
    const name = packedName(key)
    return name && join(this.forms, `${arrivedPrefix}${bucket}.${name}`)
  }

  /** The directory of an object that is not packed. */
  object({ bucket, key }: Port.ObjectAddress): string {
    return this.objectOf(bucket, hash("sha256", key))
  }

  /** The path of the object whose key has this hash. */
  objectOf(bucket: Port.Bucket, name: string): string {
    return join(this.root, "o", bucket, name.slice(0, 2), name)
  }

  /** Undefined when the id is not a valid upload id. */
  upload(uploadId: string): string | undefined {
    return isUploadId(uploadId) ? join(this.uploads, uploadId) : undefined
  }

  /** A unique path, for what is not finished yet. */
  temporary(prefix = ""): string {
    return join(this.unfinished, prefix + randomUUID())
  }

  /** The name of an object's form among the permissions, and among what is not finished. */
  form({ bucket, key }: Port.ObjectAddress): string {
    return `${bucket}.${hash("sha256", key)}`
  }

  /** Makes every directory; repeating is safe. */
  async make(): Promise<void> {
    for (const path of [this.uploads, this.forms, this.unfinished]) {
      await mkdir(path, { recursive: true, mode: 0o700 })
    }
    for (const bucket of buckets) {
      const shards = this.shards(bucket)
      await Promise.all(shards.map((path) => mkdir(path, { recursive: true, mode: 0o700 })))
      await syncDirectory(join(this.root, "o", bucket))
    }
    await syncDirectory(join(this.root, "o"))
    await syncDirectory(this.root)
  }
}
