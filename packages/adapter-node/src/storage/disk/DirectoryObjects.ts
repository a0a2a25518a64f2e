/**
 * Objects that are stored as a directory: large ones, those of several parts, and all that an earlier release stored. An object is published by
 * renaming its finished directory to its final path, so it exists whole or not at all, and its part files never
 * change afterwards.
 */
import type { ObjectStore as Port } from "@filedrive/core"
import { constants } from "node:fs"
import { copyFile, type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import {
  exists,
  forEachOf,
  hasCode,
  removeWhole,
  syncDirectory,
  unlessMissing,
  writeNew,
  writeSynced
} from "./Durable.ts"
import { type Layout, partName } from "./Layout.ts"
import { ObjectDamaged } from "./ObjectDamaged.ts"
import {
  isMeta,
  type NewObject,
  type NewObjectOfParts,
  type ObjectMeta,
  onePart,
  partSizes,
  sizeOf
} from "./ObjectMeta.ts"
import { newEtag } from "./PackedObjects.ts"
import { lengthTells } from "./Seal.ts"

/** An object as it was found. When it is replaced, the new one at the address is another object. */
export interface DirectoryObject {
  readonly _tag: "Directory"
  readonly directory: string
  readonly meta: ObjectMeta
  /** Tells this directory from one that replaces it. */
  readonly identity: string
}

/** The object was replaced or removed while it was read. */
export class ObjectGone extends Error {}

export const partDamaged = ({ directory }: DirectoryObject, partNumber: number, how: string) =>
  new ObjectDamaged(join(directory, partName(partNumber)), how)

/** The address has an object already. */
export class PlaceTaken extends Error {}

/** Prefix of directories that a newer object is replacing; see {@link restoreReplaced}. */
const replacedPrefix = "replaced."

const identityOf = async (directory: string): Promise<string> => {
  const { birthtimeNs, ino } = await stat(directory, { bigint: true })
  return `${ino}.${birthtimeNs}`
}

const metaName = "meta.json"

/** The content of an object's `meta.json`; fails with {@link ObjectDamaged} when it is not valid. */
const readMeta = async (directory: string): Promise<ObjectMeta> => {
  const text = await readFile(join(directory, metaName), "utf8")
  try {
    const meta: unknown = JSON.parse(text)
    if (isMeta(meta)) return meta
  } catch {
    // Reported below, like JSON that doesn't describe an object.
  }
  throw new ObjectDamaged(join(directory, metaName), "is damaged")
}

export class DirectoryObjects {
  readonly #layout: Layout

  constructor(layout: Layout) {
    this.#layout = layout
  }

  find(at: Port.ObjectAddress): Promise<DirectoryObject | undefined> {
    return this.#findIn(this.#layout.object(at))
  }

  #findIn(directory: string): Promise<DirectoryObject | undefined> {
    return unlessMissing((async () => {
      const identity = await identityOf(directory)
      return { _tag: "Directory" as const, directory, identity, meta: await readMeta(directory) }
    })())
  }

  /** Fails with {@link ObjectDamaged} for the first part that is missing or has another length. */
  async checkLengths(found: DirectoryObject): Promise<void> {
    await forEachOf(partSizes(found.meta), 32, async ([partNumber, sizeBytes]) => {
      const state = await unlessMissing(stat(join(found.directory, partName(partNumber))))
      if (state !== undefined && lengthTells(state.size, sizeBytes) !== "damaged") return
      await this.#refuseGone(found)
      throw partDamaged(found, partNumber, state === undefined ? "is not there" : "is of another length")
    })
  }

  /** Fails with {@link ObjectGone} when the object was replaced or removed. */
  async #refuseGone(found: DirectoryObject): Promise<void> {
    if (await unlessMissing(identityOf(found.directory)) !== found.identity) throw new ObjectGone()
  }

  /**
   * Opens a part of this very object; fails with {@link ObjectGone} when another replaced it, with
   * {@link ObjectDamaged} when its length has changed.
   */
  async openPart(found: DirectoryObject, partNumber: number, sizeBytes: number): Promise<FileHandle> {
    const handle = await unlessMissing(open(join(found.directory, partName(partNumber)), "r"))
    try {
      await this.#refuseGone(found)
      if (handle === undefined) throw partDamaged(found, partNumber, "is not there")
      if (lengthTells((await handle.stat()).size, sizeBytes) !== "damaged") return handle
      throw partDamaged(found, partNumber, "is of another length")
    } catch (error) {
      await handle?.close()
      throw error
    }
  }

  /**
   * Makes an object of a directory that holds its part files, each synced
   * already. When it fails the directory is still the caller's.
   */
  async publish(directory: string, at: Port.ObjectAddress, object: NewObjectOfParts): Promise<ObjectMeta> {
    const meta: ObjectMeta = {
      key: at.key,
      headers: object.headers,
      sizeBytes: sizeOf(object.parts),
      etag: newEtag(),
      storedMillis: object.nowMillis,
      parts: object.parts
    }
    await writeSynced(join(directory, "meta.json"), JSON.stringify(meta))
    await syncDirectory(directory)
    await this.#place(directory, this.#layout.object(at), object.replaces ?? true)
    return meta
  }

  async #place(directory: string, place: string, replaces: boolean): Promise<void> {
    const inPlace = () => rename(directory, place)
    try {
      await inPlace()
    } catch (error) {
      if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error
      if (!replaces) throw new PlaceTaken()
      const bucket = basename(dirname(dirname(place)))
      await replaceBy(inPlace, place, this.#layout.temporary(`${replacedPrefix}${bucket}.${basename(place)}.`))
    }
    await syncDirectory(dirname(place))
  }

  remove(at: Port.ObjectAddress): Promise<boolean> {
    return removeWhole(this.#layout.object(at), this.#layout.temporary(), metaName)
  }

  /** The copy has hard links to the part files, so no bytes are copied, however large the object is. Fails with {@link ObjectGone}. */
  async copy(source: DirectoryObject, to: Port.ObjectAddress, object: NewObject): Promise<ObjectMeta> {
    const directory = this.#layout.temporary()
    await mkdir(directory, { mode: 0o700 })
    try {
      await forEachOf(
        partSizes(source.meta),
        32,
        ([partNumber]) =>
          linkOrCopy(join(source.directory, partName(partNumber)), join(directory, partName(partNumber)))
      )
      await this.#refuseGone(source)
      return await this.publish(directory, to, { ...object, parts: source.meta.parts })
    } catch (error) {
      await rm(directory, { recursive: true, force: true })
      throw hasCode(error, "ENOENT") ? new ObjectGone() : error
    }
  }

  /** Makes an object of the content of one part file: its bytes and their seal. */
  async put(
    at: Port.ObjectAddress,
    content: Buffer,
    { sizeBytes, ...object }: NewObject & { readonly sizeBytes: number }
  ): Promise<ObjectMeta> {
    const directory = this.#layout.temporary()
    await mkdir(directory, { mode: 0o700 })
    try {
      await writeNew(join(directory, partName(1)), content)
      return await this.publish(directory, at, { ...object, parts: onePart(sizeBytes) })
    } catch (error) {
      await rm(directory, { recursive: true, force: true })
      throw error
    }
  }

  /** The object of a directory in one of a bucket's directories; undefined for anything else. */
  async listed(directory: string): Promise<DirectoryObject | undefined> {
    try {
      return await this.#findIn(directory)
    } catch (error) {
      if (error instanceof ObjectDamaged) return undefined
      throw error
    }
  }

  isInPlace(bucket: Port.Bucket, { directory, meta: { key } }: DirectoryObject): boolean {
    return this.#layout.object({ bucket, key }) === directory
  }

  exists(at: Port.ObjectAddress): Promise<boolean> {
    return exists(this.#layout.object(at))
  }
}

/** Replaces an object, which is moved aside before, and back again if that fails. */
const replaceBy = async (inPlace: () => Promise<void>, place: string, aside: string): Promise<void> => {
  const moved = await unlessMissing(rename(place, aside).then(() => true))
  try {
    await inPlace()
  } catch (error) {
    // Another object was put there meanwhile; now that one is replaced.
    if (hasCode(error, "ENOTEMPTY", "EEXIST")) await replaceBy(inPlace, place, `${aside}.`)
    else {
      if (moved) await rename(aside, place)
      throw error
    }
  }
  await rm(aside, { recursive: true, force: true })
}

const linkOrCopy = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to)
  } catch (error) {
    // A file can have a limited number of links, and some file systems have none.
    if (!hasCode(error, "EMLINK", "EPERM", "ENOTSUP", "EOPNOTSUPP")) throw error
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    const handle = await open(to, "r+")
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

/**
 * Puts back the objects whose replacement a crash interrupted between taking
 * the old away and moving the new one there. For the start of a store.
 */
export const restoreReplaced = async (layout: Layout): Promise<void> => {
  for (const name of await readdir(layout.unfinished)) {
    const [, bucket = "", object = ""] = name.startsWith(replacedPrefix) ? name.split(".") : []
    if (object === "") continue
    const place = join(layout.root, "o", bucket, object.slice(0, 2), object)
    try {
      await rename(join(layout.unfinished, name), place)
    } catch (error) {
      if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error
    }
  }
}
