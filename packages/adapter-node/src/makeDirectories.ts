/**
 * Directories with those above them that are missing. Node's own `recursive` tries for ever where the system says that a directory is
 * missing whose parent is there, as in `/proc`.
 */
import { mkdir, stat } from "node:fs/promises"
import { dirname } from "node:path"

const isDirectory = (path: string): Promise<boolean> => stat(path).then((found) => found.isDirectory(), () => false)

const makeOne = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    // On some systems a directory that is there is refused for another reason than that.
    if (!await isDirectory(path)) throw error
  }
}

/** Made as their owner's alone; repeating is safe. */
export const makeDirectories = async (path: string): Promise<void> => {
  try {
    await makeOne(path)
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || await isDirectory(parent)) throw error
    await makeDirectories(parent)
    await makeOne(path)
  }
}
