/** The directory of a store can't be used. The message is a sentence for whoever starts the drive. */
import { Data } from "effect"
import { hasCode } from "./Durable.ts"
import { isFull } from "./Room.ts"

export class StorageNotOpened extends Data.TaggedError("StorageNotOpened")<{
  readonly message: string
  readonly cause: unknown
}> {}

const why = (error: unknown): string => {
  if (isFull(error)) return "its disk is full: make room, then start again"
  if (hasCode(error, "EROFS")) return "its disk is read-only"
  if (hasCode(error, "EACCES", "EPERM")) return "this process may not write there"
  if (hasCode(error, "ENOTDIR", "EEXIST")) return "it is no directory"
  return error instanceof Error ? error.message : String(error)
}

export const notOpened = (directory: string) => (cause: unknown) =>
  new StorageNotOpened({ message: `The directory ${directory} can't be used: ${why(cause)}.`, cause })
