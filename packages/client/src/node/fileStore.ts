/** A store in one file, which is replaced as a whole at each change: for programs that run one at a time. */
import { mkdir, open, readFile, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import type { Store } from "../Options.ts"

export const fileStore = (path: string): Store => {
  let loaded: Promise<Map<string, string>> | undefined
  /** The write that will hold every change made until it begins, and the one before it. */
  let next: Promise<void> | undefined
  let last = Promise.resolve()
  const load = () => {
    loaded ??= readFile(path, "utf8").then(
      (text) => new Map(Object.entries(JSON.parse(text) as Record<string, string>)),
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return new Map<string, string>()
        throw error
      }
    )
    // Read again by the next operation: what was wrong with it may pass.
    loaded.catch(() => loaded = undefined)
    return loaded
  }
  const replace = async (records: ReadonlyMap<string, string>) => {
    await mkdir(dirname(path), { recursive: true })
    // One that is there is of a crash, or somebody else's: neither its mode nor where it points to is ours.
    await rm(`${path}.new`, { force: true })
    const file = await open(`${path}.new`, "wx", 0o600)
    try {
      await file.writeFile(JSON.stringify(Object.fromEntries(records)))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(`${path}.new`, path)
  }
  const change = async (apply: (records: Map<string, string>) => unknown) => {
    const records = await load()
    apply(records)
    next ??= last.catch(() => {}).then(() => {
      last = next!
      next = undefined
      return replace(records)
    })
    await next
  }
  return {
    get: async (key) => (await load()).get(key),
    set: (key, value) => change((records) => records.set(key, value)),
    delete: (key) => change((records) => records.delete(key))
  }
}
