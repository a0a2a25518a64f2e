/** Files by their paths. */
import type { Dirent } from "node:fs"
import { constants, open, opendir, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { failure, invalid } from "../DriveError.ts"
import type { Source, Walked } from "../Platform.ts"
import { printOf } from "../upload/Source.ts"
import type { UploadSource } from "../upload/Upload.ts"

const chunkBytes = 512 * 1024

/** The path that an option gives. */
export const pathOf = (option: "path" | "source", given: string | URL): string => {
  try {
    const path = given instanceof URL || given.startsWith("file:") ? fileURLToPath(given) : given
    if (path.includes("\0")) throw new Error("It contains a NUL character.")
    return path
  } catch (cause) {
    throw invalid(option, `must be a path or a file: URL (${(cause as Error).message})`)
  }
}

/** Why there is none is told when the file is opened. */
export const sizeOf = async (path: UploadSource): Promise<number | undefined> => {
  if (typeof path !== "string" && !(path instanceof URL)) return undefined
  try {
    const found = await stat(pathOf("source", path))
    return found.isFile() ? found.size : undefined
  } catch {
    return undefined
  }
}

/** Opens a file for its upload: it is read while it is sent, by two buffers at most for each part. */
export const openPath = async (given: string | URL): Promise<Source> => {
  const path = pathOf("source", given)
  const unreadable = (cause: Error) => {
    throw failure("source_unreadable", `${path} can't be read: ${cause.message}`, false, cause)
  }
  // A pipe that nobody writes to would be waited for.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: NodeJS.ErrnoException) => {
    throw failure("source_unreadable", `${path} can't be opened: ${cause.message}`, false, cause)
  })
  const known = await handle.stat().catch(async (cause: Error) => {
    await handle.close()
    return unreadable(cause)
  })
  if (!known.isFile()) {
    await handle.close()
    throw failure("source_unreadable", `${path} is not a file.`)
  }
  const { mtimeMs, size } = known
  const changed = () => failure("source_changed", `${path} was changed while it was uploaded.`)
  const read = async (
    start: number,
    end: number,
    buffer = new Uint8Array(end - start)
  ): Promise<Uint8Array<ArrayBuffer>> => {
    let length = 0
    while (length < end - start) {
      const { bytesRead } = await handle.read(buffer, length, end - start - length, start + length).catch(unreadable)
      if (bytesRead === 0) throw changed()
      length += bytesRead
    }
    return buffer.subarray(0, length)
  }
  return {
    name: basename(path),
    size,
    type: "",
    print: () => printOf([basename(path), Math.round(mtimeMs)], size, read),
    slice: (start, end) => ({
      size: end - start,
      read: async function*() {
        const length = Math.min(chunkBytes, end - start)
        const buffers = [new Uint8Array(length), new Uint8Array(length)]
        for (let at = start, turn = 0; at < end; at += length, turn ^= 1) {
          yield await read(at, Math.min(end, at + length), buffers[turn])
        }
      }
    }),
    check: async () => {
      const now = await handle.stat().catch(unreadable)
      if (now.size !== size || now.mtimeMs !== mtimeMs) throw changed()
    },
    close: () => handle.close()
  }
}

const listed = async function*(path: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(path)
  } catch (cause) {
    throw failure("source_unreadable", `${path} can't be read: ${(cause as Error).message}`, false, cause)
  }
}

/**
 * The files of a directory and of those inside it, one after the other. Links are not followed. A directory inside that can't be read is
 * given as a path, which can't be opened as a file either: so it is told, and stops no other.
 */
export const walkPath = async function*(path: string, above = basename(join(path, "."))): AsyncGenerator<Walked> {
  for await (const entry of listed(path)) {
    const inner = join(path, entry.name)
    const shown = `${above}/${entry.name}`
    if (entry.isFile()) yield { source: inner, path: shown }
    if (!entry.isDirectory()) continue
    try {
      yield* walkPath(inner, shown)
    } catch {
      yield { source: inner, path: shown }
    }
  }
}
