/**
 * Makes directories with their missing parents. Node's own `recursive` retries without end where the system says that a directory is
 * missing whose parent exists, as in `/proc`.
 */
import { mkdir, stat } from "node:fs/promises"
import { dirname } from "node:path"

const isDirectory = (path: string): Promise<boolean> => stat(path).then((found) => found.isDirectory(), () => false)

const makeOne = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    // On some systems an existing directory is refused with another error than EEXIST.
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
