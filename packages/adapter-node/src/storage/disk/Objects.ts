/**
 * Objects on disk. An object is published by renaming its finished directory
 * to its final path, so it exists whole or not at all, and its part files never
 * change afterwards.
 */
import type { ObjectStore as Port } from "@filedrive/core"
import { randomBytes } from "node:crypto"
import { constants } from "node:fs"
import { copyFile, type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { forEachOf, hasCode, removeWhole, syncDirectory, unlessMissing, writeSynced } from "./Durable.ts"
import { type Layout, partName } from "./Layout.ts"
import { isMeta, type ObjectMeta, type PartRun, partSizes, sizeOf } from "./ObjectMeta.ts"
import { lengthTells } from "./Seal.ts"

/** An object as it was found; a later one at the same address is another. */
export interface DiskObject {
  readonly directory: string
  readonly meta: ObjectMeta
  /** Identifies this directory, also when another replaces it. */
  readonly identity: string
}

/** The object was replaced or removed while it was read. */
export class ObjectGone extends Error {}

/** A part file of an object is not there, is of another length than it was stored with, or has other bytes. */
export class ObjectDamaged extends Error {
  constructor(directory: string, fileName: string, how: string) {
    super(`${join(directory, fileName)} ${how}`)
  }
}

export const partDamaged = ({ directory }: DiskObject, partNumber: number, how: string) =>
  new ObjectDamaged(directory, partName(partNumber), how)

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
    // Reported below, like JSON that is not an object's.
  }
  throw new ObjectDamaged(directory, metaName, "is damaged")
}

const listedAtOnce = 32

export class Objects {
  readonly #layout: Layout

  constructor(layout: Layout) {
    this.#layout = layout
  }

  find(at: Port.ObjectAddress): Promise<DiskObject | undefined> {
    return this.#findIn(this.#layout.object(at))
  }

  #findIn(directory: string): Promise<DiskObject | undefined> {
    return unlessMissing((async () => {
      const identity = await identityOf(directory)
      return { directory, identity, meta: await readMeta(directory) }
    })())
  }

  /** The object at the address, if all of its parts exist with the length they were stored with. */
  async findWhole(at: Port.ObjectAddress): Promise<DiskObject | undefined> {
    for (;;) {
      const found = await this.find(at)
      if (found === undefined) return undefined
      try {
        await this.checkLengths(found)
        return found
      } catch (error) {
        // Replaced or removed meanwhile: the present state decides.
        if (!(error instanceof ObjectGone)) throw error
      }
    }
  }

  /** Fails with {@link ObjectDamaged} for the first part that is missing or has another length. */
  async checkLengths(found: DiskObject): Promise<void> {
    await forEachOf(partSizes(found.meta), 32, async ([partNumber, sizeBytes]) => {
      const state = await unlessMissing(stat(join(found.directory, partName(partNumber))))
      if (state !== undefined && lengthTells(state.size, sizeBytes) !== "damaged") return
      await this.#refuseGone(found)
      throw partDamaged(found, partNumber, state === undefined ? "is not there" : "is of another length")
    })
  }

  /** Fails with {@link ObjectGone} when the object was replaced or removed. */
  async #refuseGone(found: DiskObject): Promise<void> {
    if (await unlessMissing(identityOf(found.directory)) !== found.identity) throw new ObjectGone()
  }

  /**
   * Opens a part of this very object; fails with {@link ObjectGone} when another replaced it, with
   * {@link ObjectDamaged} when its length has changed.
   */
  async openPart(found: DiskObject, partNumber: number, sizeBytes: number): Promise<FileHandle> {
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
  async publish(directory: string, at: Port.ObjectAddress, object: {
    readonly headers: Port.ObjectHeaders
    readonly parts: ReadonlyArray<PartRun>
    readonly nowMillis: number
    /** False: fails with {@link PlaceTaken} when the address has an object already. */
    readonly replaces?: boolean
  }): Promise<ObjectMeta> {
    const meta: ObjectMeta = {
      key: at.key,
      headers: object.headers,
      sizeBytes: sizeOf(object.parts),
      etag: randomBytes(16).toString("hex"),
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

  /** Hard links of the part files make the copy: nothing is copied however large the object is. */
  async copy(
    from: Port.ObjectAddress,
    to: Port.ObjectAddress,
    headers: Port.ObjectHeaders,
    nowMillis: number
  ): Promise<ObjectMeta | undefined> {
    for (;;) {
      const source = await this.findWhole(from)
      if (source === undefined) return undefined
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
        return await this.publish(directory, to, { headers, parts: source.meta.parts, nowMillis })
      } catch (error) {
        await rm(directory, { recursive: true, force: true })
        // Replaced or removed meanwhile: the present state decides.
        if (error instanceof ObjectGone || hasCode(error, "ENOENT")) continue
        throw error
      }
    }
  }

  /**
   * Every object below a prefix, as many at a time as are read at once. One without a readable key, or that is not where its
   * key belongs, is left out.
   */
  async *list(bucket: Port.Bucket, prefix: string): AsyncGenerator<ObjectMeta> {
    for await (const { directory, meta } of this.#all(bucket)) {
      if (meta.key.startsWith(prefix) && this.#isInPlace(bucket, directory, meta)) yield meta
    }
  }

  /** Every directory with the key of an object that is not where that key belongs. */
  async *misplaced(bucket: Port.Bucket): AsyncGenerator<DiskObject> {
    for await (const found of this.#all(bucket)) {
      if (!this.#isInPlace(bucket, found.directory, found.meta)) yield found
    }
  }

  #isInPlace(bucket: Port.Bucket, directory: string, { key }: ObjectMeta): boolean {
    return this.#layout.object({ bucket, key }) === directory
  }

  async *#all(bucket: Port.Bucket): AsyncGenerator<DiskObject> {
    for (const shard of this.#layout.shards(bucket)) {
      const names = await readdir(shard)
      for (let at = 0; at < names.length; at += listedAtOnce) {
        const found = await Promise.all(
          names.slice(at, at + listedAtOnce).map((name) => this.#listed(join(shard, name)))
        )
        for (const one of found) if (one !== undefined) yield one
      }
    }
  }

  async #listed(directory: string): Promise<DiskObject | undefined> {
    try {
      return await this.#findIn(directory)
    } catch (error) {
      if (error instanceof ObjectDamaged) return undefined
      throw error
    }
  }
}

/** Replaces an object, which is moved aside before, and back again if that fails. */
const replaceBy = async (inPlace: () => Promise<void>, place: string, aside: string): Promise<void> => {
  const moved = await unlessMissing(rename(place, aside).then(() => true))
  try {
    await inPlace()
  } catch (error) {
    // Another object was put there in between: now it is the one to replace.
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
    // A file has so many links at most, and some file systems allow none.
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
