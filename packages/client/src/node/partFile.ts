/** The unfinished file of a download, with notes beside it that say what it has. */
import { open, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { failure } from "../DriveError.ts"

/** What is kept beside the unfinished file. */
interface Notes {
  readonly size: number
  readonly etag: string
  /** The inode of the file that this is about: another one may have been put in its place. */
  readonly ino: number
  /** Ranges that are written and synced. */
  readonly ranges: ReadonlyArray<number>
  /** The file's length when they were: a shorter one was cut off since. */
  readonly length: number
}

export interface PartFile {
  /** What an earlier download has left here; an empty ETag and no ranges where there is nothing to go on with. */
  readonly begun: Pick<Notes, "etag" | "ranges">
  /** Writes a chunk whole. */
  readonly write: (chunk: Uint8Array, position: number) => Promise<void>
  /** Keeps what is there, one after the other. */
  readonly note: (kept: () => Pick<Notes, "etag" | "ranges">) => Promise<void>
  /** Begins anew the next time. */
  readonly forget: () => Promise<void>
  /** Syncs the whole file, and fails unless it is still the one that the path names. */
  readonly finish: () => Promise<void>
  readonly close: () => Promise<void>
}

const readNotes = async (path: string): Promise<Notes | undefined> => {
  try {
    return JSON.parse(await readFile(path, "utf8"))
  } catch {
    return undefined
  }
}

/** Opens the file that was begun, or a new one in its place: it is not emptied, since another program may still be writing to it. */
const openFile = async (path: string, notesPath: string, notes: Notes | undefined) => {
  if (notes) {
    const file = await open(path, "r+").catch(() => undefined)
    const found = await file?.stat()
    if (found?.ino === notes.ino && found.size >= notes.length) return { file: file!, isBegun: true }
    await file?.close()
  }
  // First, since a new file may get the inode of the one that goes.
  await rm(notesPath, { force: true })
  await rm(path, { force: true })
  return { file: await open(path, "wx+"), isBegun: false }
}

export const openPart = async (path: string, size: number): Promise<PartFile> => {
  const notesPath = `${path}.json`
  const found = await readNotes(notesPath)
  const isWhole = found?.size === size && found.etag !== "" && Array.isArray(found.ranges) && found.length >= 0
  const notes = isWhole ? found : undefined
  const replaced = (cause?: unknown) =>
    failure("source_changed", `${path} was replaced or removed while it was downloaded.`, true, cause)
  const { file, isBegun } = await openFile(path, notesPath, notes).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === "EEXIST" ? replaced(cause) : cause
  })
  const { dev, ino } = await file.stat()

  const isOurs = async (): Promise<boolean> => {
    const named = await stat(path).catch(() => undefined)
    return named?.dev === dev && named.ino === ino
  }
  const check = async () => {
    if (!await isOurs()) throw replaced()
  }

  let noting = Promise.resolve()
  return {
    begun: isBegun ? notes! : { etag: "", ranges: [] },
    write: async (chunk, position) => {
      // A disk may take less than it is given.
      for (let at = 0; at < chunk.byteLength;) {
        at += (await file.write(chunk, at, chunk.byteLength - at, position + at)).bytesWritten
      }
    },
    note: (kept) =>
      noting = noting.then(async () => {
        // What has been added meanwhile is not synced.
        const { etag, ranges } = kept()
        await file.sync()
        await check()
        const { size: length } = await file.stat()
        const text = JSON.stringify({ size, etag, ino, ranges, length } satisfies Notes)
        // One that is there is of a crash, or somebody else's: where it points to is not ours.
        await rm(`${notesPath}.new`, { force: true })
        await writeFile(`${notesPath}.new`, text, { flag: "wx" }).catch((cause: NodeJS.ErrnoException) => {
          if (cause.code !== "EEXIST") throw cause
        })
        await rename(`${notesPath}.new`, notesPath).catch((cause: NodeJS.ErrnoException) => {
          // Another program downloads the same file, and has put its own notes there.
          if (cause.code !== "ENOENT") throw cause
        })
      }),
    forget: async () => {
      if (await isOurs()) await rm(notesPath, { force: true })
    },
    finish: async () => {
      await file.truncate(size)
      await file.sync()
      await check()
    },
    close: async () => {
      await noting.catch(() => {})
      await file.close()
    }
  }
}
