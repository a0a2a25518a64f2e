/** The directory of a store can't be used. The message is a sentence for the operator who starts the drive. */
import { Data } from "effect"
import { accessSync, constants } from "node:fs"
import { dirname } from "node:path"
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

/**
 * Why no directory can be made in the nearest existing one. For a directory that can't be made on a read-only disk, Node says
 * that it does not exist.
 */
const whyMissing = (directory: string, cause: unknown): unknown => {
  if (!hasCode(cause, "ENOENT")) return cause
  for (let at = directory; at !== dirname(at);) {
    at = dirname(at)
    try {
      accessSync(at, constants.W_OK)
      return new Error(`no directory can be made in ${at}`, { cause })
    } catch (error) {
      if (!hasCode(error, "ENOENT")) return error
    }
  }
  return cause
}

export const notOpened = (directory: string) => (cause: unknown) =>
  new StorageNotOpened({
    message: `The directory ${directory} can't be used: ${why(whyMissing(directory, cause))}.`,
    cause
  })
