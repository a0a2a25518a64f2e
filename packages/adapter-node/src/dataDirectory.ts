/** Where the embedded database and storage are, and the key of secrets. */
import { Effect } from "effect"
import { resolve } from "node:path"
import type { DriveOptions } from "./DriveOptions.ts"
import { makeDirectories } from "./makeDirectories.ts"
import { notOpened, type StorageNotOpened } from "./storage/disk/StorageNotOpened.ts"

/** Makes the data directory as its owner's alone. */
export const dataDirectory = (
  { dataDirectory = "./.filedrive" }: DriveOptions
): Effect.Effect<string, StorageNotOpened> => {
  const path = resolve(dataDirectory)
  return Effect.tryPromise({
    try: async () => {
      await makeDirectories(path)
      return path
    },
    catch: notOpened(path)
  })
}
