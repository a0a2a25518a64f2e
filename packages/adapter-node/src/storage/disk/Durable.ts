/** File operations that hold after a power cut, and the error codes of the file system. */
import { open, rename, rm } from "node:fs/promises"
import { join } from "node:path"

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

/** Syncs the entries of a directory: a file made or renamed in it survives a power cut. */
export const syncDirectory = async (path: string): Promise<void> => {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
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
