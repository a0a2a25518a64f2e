/** Warns an operator who starts a drive on storage with files and on a database that does not record them. */
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { buckets, Layout } from "../storage/disk/Layout.ts"

const holdsObjects = async (storage: string): Promise<boolean> => {
  const layout = new Layout(storage)
  for (const shard of buckets.flatMap((bucket) => layout.shards(bucket))) {
    const names = await readdir(shard).catch(() => [])
    if (names.length > 0) return true
  }
  return false
}

/**
 * Warns when the embedded database of the data directory is about to be made anew although the storage beside it holds
 * objects: the new database records none of them, and the drive removes none until an operator accepts that.
 */
export const warnOfFullStorage = (dataDirectory: string): Effect.Effect<void> => {
  const [database, storage] = [join(dataDirectory, "database"), join(dataDirectory, "storage")]
  return Effect.promise(async () => !existsSync(join(database, "data")) && await holdsObjects(storage)).pipe(
    Effect.flatMap((isFull) =>
      isFull
        ? Effect.logWarning(
          `${storage} holds files, but there is no database in ${database}: the drive starts with a new one, which knows none `
            + "of them, and removes none of them. Stop the drive, and restore the database from a backup."
        )
        : Effect.void
    )
  )
}
