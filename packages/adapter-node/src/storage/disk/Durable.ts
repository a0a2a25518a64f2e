/** File operations that hold after a power cut, and the error codes of the file system. */
import { open, rename, rm } from "node:fs/promises"
import { join } from "node:path"

/** Whether a file operation failed with one of these codes, like `ENOENT`. */
export const hasCode = (error: unknown, ...codes: ReadonlyArray<string>): boolean =>
  error instanceof Error && "code" in error && codes.includes(String(error.code))

/** What `run` answers, or undefined when the file it needs is not there. */
export const unlessMissing = async <A>(run: Promise<A>): Promise<A | undefined> => {
  try {
    return await run
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined
    throw error
  }
}

/** Makes the entries of a directory hold: a file made or renamed in it is there after a power cut. */
export const syncDirectory = async (path: string): Promise<void> => {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a new file and its bytes to the disk; its entry holds once the directory is synced. */
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
 * Takes a file or directory out of sight in one step, then removes it. False
 * when it was not there. A crash in between leaves it among the temporary files.
 *
 * A full disk may have no room for the new name: then the file `first` in it, without which the rest is nothing, goes
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
