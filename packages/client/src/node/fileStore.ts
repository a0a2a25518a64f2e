/** A store in one file, which is replaced as a whole at each change: for programs that run one at a time. */
import { mkdir, open, readFile, rename } from "node:fs/promises"
import { dirname } from "node:path"
import type { Store } from "../Options.ts"

export const fileStore = (path: string): Store => {
  let loaded: Promise<Map<string, string>> | undefined
  let writing: Promise<void> | undefined
  let isStale = false
  const load = () =>
    loaded ??= readFile(path, "utf8").then(
      (text) => new Map(Object.entries(JSON.parse(text) as Record<string, string>)),
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return new Map<string, string>()
        loaded = undefined
        throw error
      }
    )
  const replace = async (records: Map<string, string>) => {
    await mkdir(dirname(path), { recursive: true })
    while (isStale) {
      isStale = false
      const file = await open(`${path}.new`, "w", 0o600)
      try {
        await file.writeFile(JSON.stringify(Object.fromEntries(records)))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(`${path}.new`, path)
    }
  }
  /** Changes made while one is written are written together. */
  const change = async (apply: (records: Map<string, string>) => unknown) => {
    const records = await load()
    apply(records)
    isStale = true
    while (isStale || writing !== undefined) {
      await (writing ??= replace(records).finally(() => writing = undefined))
    }
  }
  return {
    get: async (key) => (await load()).get(key),
    set: (key, value) => change((records) => records.set(key, value)),
    delete: (key) => change((records) => records.delete(key))
  }
}
