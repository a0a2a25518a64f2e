/** File operations that hold after a power cut, and the error codes of the file system. */
import { closeSync, fdatasync, fsync, futimes, open as openFile, openSync, write } from "node:fs"
import { open, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { SharedRuns } from "./SharedRuns.ts"

/** Whether a file operation failed with one of these codes, like `ENOENT`. */
export const hasCode = (error: unknown, ...codes: ReadonlyArray<string>): boolean =>
  error instanceof Error && "code" in error && codes.includes(String(error.code))

/** The result of `run`, or undefined when its file is missing. */
export const unlessMissing = async <A>(run: Promise<A>): Promise<A | undefined> => {
  try {
    return await run
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined
    throw error
  }
}

export const exists = async (path: string): Promise<boolean> => await unlessMissing(stat(path)) !== undefined

// These run for each small file, so they avoid the promise API, whose file handles cost time.
export const openFd = (path: string, flags: "r" | "wx"): Promise<number> =>
  new Promise((resolve, reject) => {
    openFile(path, flags, 0o600, (error, fd) => error === null ? resolve(fd) : reject(error))
  })
const writeAt = (fd: number, content: Buffer, at: number): Promise<number> =>
  new Promise((resolve, reject) => {
    write(fd, content, at, content.length - at, at, (error, bytes) => error === null ? resolve(bytes) : reject(error))
  })
const settle = (run: (done: (error: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    run((error) => error === null ? resolve() : reject(error))
  })
const sync = (fd: number): Promise<void> => settle((done) => fsync(fd, done))
const dataSync = (fd: number): Promise<void> => settle((done) => fdatasync(fd, done))

const directorySyncs = new SharedRuns<void>(async (path) => {
  // Its entries have just changed, so it is in memory: opening it waits for no disk.
  const fd = openSync(path, "r")
  try {
    await sync(fd)
  } finally {
    closeSync(fd)
  }
})

/** Syncs the entries of a directory: files that were made, renamed or removed in it before this call stay so after a power cut. */
export const syncDirectory = (path: string): Promise<void> => directorySyncs.run(path)

/** Writes and syncs a new file. When that fails, the file is removed. */
export const writeNew = async (path: string, content: Buffer): Promise<void> => {
  const fd = await openFd(path, "wx")
  try {
    for (let at = 0; at < content.length;) at += await writeAt(fd, content, at)
    await dataSync(fd)
  } catch (error) {
    closeSync(fd)
    await rm(path, { force: true })
    throw error
  }
  // Everything is on the disk, so closing does not block.
  closeSync(fd)
}

/** Makes an empty file with this modification time. Only its name matters, which is durable when the directory is synced. */
export const makeEmpty = async (path: string, modifiedMillis: number): Promise<void> => {
  const fd = await openFd(path, "wx")
  try {
    await settle((done) => futimes(fd, modifiedMillis / 1000, modifiedMillis / 1000, done))
  } finally {
    closeSync(fd)
  }
}

/** Writes a new file and its bytes to the disk; its entry is durable once the directory is synced. */
export const writeSynced = async (path: string, text: string, mode = 0o600): Promise<void> => {
  const handle = await open(path, "w", mode)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Renames a file or directory away in one step, then removes it. False
 * when it did not exist. A crash in between leaves it among the temporary files.
 *
 * A full disk may have no room for the new name: then the file `first` in it, without which the rest is invalid, is removed
 * first.
 */
export const removeWhole = async (path: string, temporary: string, first?: string): Promise<boolean> => {
  const moved = await unlessMissing(rename(path, temporary).then(() => true)).catch(async (error: unknown) => {
    if (!hasCode(error, "ENOSPC", "EDQUOT")) throw error
    if (first !== undefined) await rm(join(path, first), { force: true })
    await rm(path, { recursive: true, force: true })
    return true
  })
  if (moved === undefined) return false
  await rm(temporary, { recursive: true, force: true })
  return true
}

/** Runs `work` on each item, so many at a time. */
export const forEachOf = async <A>(
  items: ReadonlyArray<A>,
  concurrency: number,
  work: (item: A, at: number) => Promise<void>
): Promise<void> => {
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const at = next++
      await work(items[at] as A, at)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
}
