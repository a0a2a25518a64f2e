/** Whether the files that `bundleServer.ts` has made are of the sources as they are. */
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** Where below `cache` the files are, or undefined when one of the files below `root` that they were made of has another time or size. */
export const madeServer = (root, cache) => {
  const isSame = ([path, millis, size]) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false })
    return found !== undefined && found.mtimeMs === millis && found.size === size
  }
  const list = join(cache, "made.json")
  if (!existsSync(list)) return undefined
  const { directory, inputs } = JSON.parse(readFileSync(list, "utf8"))
  const path = join(cache, directory)
  return existsSync(path) && inputs.every(isSame) ? path : undefined
}
