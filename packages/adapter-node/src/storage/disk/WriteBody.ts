/** Reads a stream of stated length into a new file, with or without a seal, or into memory. */
import { type DriveError, OwnedBuffers } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { type FileHandle, open } from "node:fs/promises"
import { attempt, unavailable } from "./Attempt.ts"
import { unwritten } from "./FileSink.ts"
import { Sealing } from "./Seal.ts"

const refused = (bytes: number, sizeBytes: number) =>
  unavailable("storage_unavailable")(new Error(`${bytes} bytes came where ${sizeBytes} were stated`))

/** A disk that becomes full takes a part of a write, and refuses only the next one. */
const writeAll = async (file: FileHandle, chunks: ReadonlyArray<Uint8Array>): Promise<void> => {
  for (let rest = chunks; rest.length > 0;) {
    const { bytesWritten } = await file.writev([...rest])
    rest = unwritten(rest, bytesWritten)
  }
}

/** The bytes of a small body. Fails when it has another length. */
export const readBody = <E>(
  sizeBytes: number,
  body: Stream.Stream<Uint8Array, E>
): Effect.Effect<Uint8Array, DriveError.Unavailable | E> =>
  Effect.gen(function*() {
    const content = new Uint8Array(sizeBytes)
    let bytes = 0
    yield* Stream.runForEachArray(body, (chunks) => {
      for (const chunk of chunks) {
        if (bytes + chunk.length <= sizeBytes) content.set(chunk, bytes)
        bytes += chunk.length
      }
      return bytes > sizeBytes ? Effect.fail(refused(bytes, sizeBytes)) : Effect.void
    })
    return bytes === sizeBytes ? content : yield* refused(bytes, sizeBytes)
  })

/** Succeeds when all bytes are on the disk. A body of another length fails; the file is then the caller's to remove. */
export const writeBody = <E>(
  path: string,
  sizeBytes: number,
  seal: boolean,
  body: Stream.Stream<Uint8Array, E>
): Effect.Effect<void, DriveError.Unavailable | E> => {
  return Effect.acquireUseRelease(
    attempt(() => open(path, "wx", 0o600)),
    (file) =>
      Effect.gen(function*() {
        const sealing = seal ? new Sealing() : undefined
        let bytes = 0
        yield* Stream.runForEachArray(body, (chunks) => {
          for (const chunk of chunks) {
            bytes += chunk.length
            sealing?.add(chunk)
          }
          return bytes > sizeBytes ? Effect.fail(refused(bytes, sizeBytes)) : attempt(async () => {
            await writeAll(file, chunks)
            // Nobody else reads these bytes: freed here, they don't wait for the garbage collector.
            chunks.forEach(OwnedBuffers.release)
          })
        })
        if (bytes !== sizeBytes) return yield* refused(bytes, sizeBytes)
        if (sealing !== undefined) yield* attempt(() => file.writeFile(sealing.end()))
        yield* attempt(() => file.datasync())
      }),
    (file) => Effect.promise(() => file.close())
  )
}
