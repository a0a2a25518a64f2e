/**
 * Open uploads on disk. A part is a file that appears whole by a rename; to
 * complete an upload its directory is renamed first, so that no
 * late part can change what was checked.
 */
import type { ObjectStore as Port } from "@filedrive/core"
import { hash, randomBytes } from "node:crypto"
import { mkdir, opendir, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { forEachOf, hasCode, removeWhole, syncDirectory, unlessMissing, writeSynced } from "./Durable.ts"
import { type Layout, partName, partNumberOf } from "./Layout.ts"
import { Locks } from "./Locks.ts"
import { runsOf } from "./ObjectMeta.ts"
import type { Objects } from "./Objects.ts"
import { sealedSize } from "./Seal.ts"

export interface Part {
  readonly partNumber: number
  readonly sizeBytes: number
  readonly etag: string
  readonly storedMillis: number
}

export interface NamedPart {
  readonly partNumber: number
  readonly etag: string
}

export interface UploadMeta {
  readonly at: Port.ObjectAddress
  readonly headers: Port.ObjectHeaders
  readonly startMillis: number
  /** Whether parts have seals. Not those of an upload that was opened before there were any. */
  readonly sealed?: boolean
}

export const isSealed = ({ sealed }: UploadMeta): boolean => sealed ?? false

/** A part that the call to complete names is not stored, or not with that etag. */
export class PartsChanged extends Error {}

/** Another process is completing this upload. */
export class Completing extends Error {}

const listedAtOnce = 32

/** Prefix of the directories of uploads that are being completed; see {@link restoreCompleting}. */
const completingPrefix = "completing."

/** New bytes are a new file, so its number and birth tell them apart at no cost. */
const readPart = async (directory: string, partNumber: number, sealed: boolean): Promise<Part> => {
  const file = await stat(join(directory, partName(partNumber)), { bigint: true })
  return {
    partNumber,
    sizeBytes: sealed ? sealedSize(Number(file.size)) : Number(file.size),
    etag: hash("md5", `${file.ino}.${file.birthtimeNs}.${file.size}`),
    storedMillis: Number(file.mtimeMs)
  }
}

const readParts = async (directory: string): Promise<ReadonlyArray<Part>> => {
  const sealed = isSealed(await readMeta(directory))
  const numbers = (await readdir(directory)).map(partNumberOf).filter((number) => number !== undefined)
  const parts: Array<Part> = []
  await forEachOf(numbers, 64, async (partNumber) => {
    parts.push(await readPart(directory, partNumber, sealed))
  })
  // A file that is shorter than a seal is not a part.
  return parts.filter(({ sizeBytes }) => sizeBytes >= 0).sort((a, b) => a.partNumber - b.partNumber)
}

const readMeta = async (directory: string): Promise<UploadMeta> =>
  JSON.parse(await readFile(join(directory, "upload.json"), "utf8"))

/** Reads the description of an upload; undefined when it is missing or not valid. */
export const findMeta = async (directory: string): Promise<UploadMeta | undefined> => {
  try {
    const meta = await unlessMissing(readMeta(directory))
    return typeof meta?.at?.key === "string" && typeof meta.startMillis === "number" ? meta : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The stored parts that are named, in the order of their naming. */
const select = (stored: ReadonlyArray<Part>, named: ReadonlyArray<NamedPart>): ReadonlyArray<Part> => {
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]))
  const parts = named.map(({ etag, partNumber }) => {
    const part = byNumber.get(partNumber)
    if (part?.etag !== etag) throw new PartsChanged(`Part ${partNumber} is not stored as it was named.`)
    return part
  })
  if (parts.length === 0) throw new PartsChanged("No part was named.")
  return parts
}

/** The named parts of a directory that was renamed; the others are removed. */
const keepOnly = async (taken: string, named: ReadonlyArray<NamedPart>): Promise<ReadonlyArray<Part>> => {
  const stored = await readParts(taken)
  const parts = select(stored, named)
  const kept = new Set(parts)
  await forEachOf(stored.filter((part) => !kept.has(part)), 32, (part) => rm(join(taken, partName(part.partNumber))))
  return parts
}

export class DiskUploads {
  readonly #layout: Layout
  readonly #objects: Objects
  readonly #locks = new Locks()

  constructor(layout: Layout, objects: Objects) {
    this.#layout = layout
    this.#objects = objects
  }

  async open(meta: UploadMeta): Promise<string> {
    const uploadId = randomBytes(18).toString("base64url")
    const draft = this.#layout.temporary()
    const sealed: UploadMeta = { ...meta, sealed: true }
    await mkdir(draft, { mode: 0o700 })
    try {
      await writeSynced(join(draft, "upload.json"), JSON.stringify(sealed))
      await syncDirectory(draft)
      await rename(draft, join(this.#layout.uploads, uploadId))
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      throw error
    }
    await syncDirectory(this.#layout.uploads)
    return uploadId
  }

  /** An open upload to this address. */
  async find(at: Port.ObjectAddress, uploadId: string): Promise<UploadMeta | undefined> {
    const directory = this.#layout.upload(uploadId)
    const meta = directory && await findMeta(directory)
    return meta && meta.at.key === at.key && meta.at.bucket === at.bucket ? meta : undefined
  }

  async #directory(at: Port.ObjectAddress, uploadId: string): Promise<string | undefined> {
    return await this.find(at, uploadId) && this.#layout.upload(uploadId)
  }

  /**
   * Takes a finished, synced file as a part, in the place of an earlier one.
   * Undefined, and the file gone, when the upload is no longer open.
   */
  async storePart(uploadId: string, partNumber: number, file: string): Promise<Part | undefined> {
    const directory = this.#layout.upload(uploadId)
    const part = directory && await unlessMissing((async () => {
      await rename(file, join(directory, partName(partNumber)))
      await syncDirectory(directory)
      return await readPart(directory, partNumber, isSealed(await readMeta(directory)))
    })())
    if (part === undefined) await rm(file, { force: true })
    return part || undefined
  }

  /** Whether a part of this number is stored. */
  async hasPart(uploadId: string, partNumber: number): Promise<boolean> {
    const directory = this.#layout.upload(uploadId)
    return directory !== undefined && await unlessMissing(stat(join(directory, partName(partNumber)))) !== undefined
  }

  list(at: Port.ObjectAddress, uploadId: string): Promise<ReadonlyArray<Part> | undefined> {
    return this.#locks.run(uploadId, async () => {
      const directory = await this.#directory(at, uploadId)
      if (directory === undefined) return this.#refuseCompleting(uploadId)
      // A part may be replaced between listing and reading, but none is removed while the upload is open.
      return unlessMissing(readParts(directory))
    })
  }

  /** False when the upload is not open. Fails with {@link PartsChanged} and leaves it open. */
  complete(
    at: Port.ObjectAddress,
    uploadId: string,
    named: ReadonlyArray<NamedPart>,
    nowMillis: number
  ): Promise<boolean> {
    return this.#locks.run(uploadId, async () => {
      const directory = await this.#directory(at, uploadId)
      if (directory === undefined) return await this.#refuseCompleting(uploadId) ?? false
      // Checked before anything is moved, so that parts can still arrive when it is refused.
      select(await readParts(directory), named)
      const taken = join(this.#layout.unfinished, completingPrefix + uploadId)
      try {
        await rename(directory, taken)
      } catch (error) {
        if (hasCode(error, "ENOENT", "ENOTEMPTY")) throw new Completing()
        throw error
      }
      try {
        const { headers } = await readMeta(taken)
        const parts = await keepOnly(taken, named)
        await this.#objects.publish(taken, at, { headers, parts: runsOf(parts), nowMillis })
      } catch (error) {
        // Not made: the upload is opened again. If it was made after all, nothing is left to put back.
        await unlessMissing(rename(taken, directory))
        throw error
      }
      await syncDirectory(this.#layout.uploads)
      return true
    })
  }

  /** Undefined when no process is completing this upload: it does not exist. */
  async #refuseCompleting(uploadId: string): Promise<undefined> {
    const taken = this.#layout.upload(uploadId) && join(this.#layout.unfinished, completingPrefix + uploadId)
    if (taken && await unlessMissing(stat(taken)) !== undefined) throw new Completing()
  }

  abort(at: Port.ObjectAddress, uploadId: string): Promise<void> {
    return this.#locks.run(uploadId, async () => {
      const directory = await this.#directory(at, uploadId)
      if (directory === undefined) return
      await removeWhole(directory, this.#layout.temporary(), "upload.json")
      await syncDirectory(this.#layout.uploads)
    })
  }

  /** Every open upload to a bucket, as many at a time as are read at once. One without a readable key is left out. */
  async *listOpen(bucket: Port.Bucket): AsyncGenerator<UploadMeta & { readonly uploadId: string }> {
    const read = (uploadIds: ReadonlyArray<string>) =>
      Promise.all(uploadIds.map(async (uploadId) => {
        const meta = await findMeta(join(this.#layout.uploads, uploadId))
        return meta?.at.bucket === bucket ? [{ ...meta, uploadId }] : []
      }))
    let names: Array<string> = []
    for await (const { name } of await opendir(this.#layout.uploads)) {
      if (names.push(name) < listedAtOnce) continue
      yield* (await read(names)).flat()
      names = []
    }
    yield* (await read(names)).flat()
  }
}

/**
 * Opens again the uploads that a crash left half completed. For the start of a
 * store; a process that is completing one right now fails and may be asked again.
 */
export const restoreCompleting = async (layout: Layout): Promise<void> => {
  for (const name of await readdir(layout.unfinished)) {
    if (!name.startsWith(completingPrefix)) continue
    await unlessMissing(
      rename(join(layout.unfinished, name), join(layout.uploads, name.slice(completingPrefix.length)))
    )
  }
}
