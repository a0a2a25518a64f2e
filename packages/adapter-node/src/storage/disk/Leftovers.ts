/** What a disk store's root contains besides its objects and uploads; for the doctor. */
import { lstat, readdir } from "node:fs/promises"
import { join } from "node:path"
import { unlessMissing } from "./Durable.ts"
import type { Layout } from "./Layout.ts"
import type { Objects } from "./Objects.ts"

/** The file or directory of an object that is not in the place of its key: somebody copied or moved it by hand. */
export interface Misplaced {
  readonly kind: "file" | "directory"
  readonly path: string
  readonly key: string
  readonly sizeBytes: number
}

/** Files and directories that were being written when a process ended. */
export interface Unfinished {
  readonly count: number
  readonly bytes: number
}

const bytesIn = async (path: string): Promise<number> => {
  const state = await unlessMissing(lstat(path))
  if (state === undefined || !state.isDirectory()) return state?.size ?? 0
  let bytes = 0
  for (const name of await unlessMissing(readdir(path)) ?? []) bytes += await bytesIn(join(path, name))
  return bytes
}

export const unfinished = async (layout: Layout): Promise<Unfinished> => {
  const names = await readdir(layout.unfinished)
  let bytes = 0
  for (const name of names) bytes += await bytesIn(join(layout.unfinished, name))
  return { count: names.length, bytes }
}

export async function* misplaced(objects: Objects): AsyncGenerator<Misplaced> {
  for (const bucket of ["private", "public"] as const) {
    for await (const found of objects.misplaced(bucket)) {
      const { key, sizeBytes } = found.meta
      yield found._tag === "Directory"
        ? { kind: "directory", path: found.directory, key, sizeBytes }
        : { kind: "file", path: found.path, key, sizeBytes }
    }
  }
}
