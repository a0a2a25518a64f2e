/**
 * Checks the bytes of every file of every account, and reports those that are not what was stored. Changes nothing; for an
 * operator's command. The weekly check is {@link "./Scrub.ts"}.
 */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { checkObject, type ObjectCheck } from "../objects/ObjectBytes.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { ScrubRepo } from "./ScrubRepo.ts"
import type { ScrubbedFile } from "./ScrubState.ts"

/** A file that was checked. */
export interface CheckedFile extends ScrubbedFile, ObjectCheck {}

const batch = 500
const filesAtOnce = 4

export class FileBytes extends Context.Service<FileBytes, {
  /** Files of all accounts, derivatives and those in trash too. */
  readonly count: Effect.Effect<number>
  /** How many files have no object in storage; reads none. */
  readonly lostCount: Effect.Effect<number, Unavailable>
  /** Checks all files; fails only when storage itself can't be used. */
  readonly check: Stream.Stream<CheckedFile, Unavailable>
}>()("@filedrive/core/files/FileBytes") {
  static readonly layerNoDeps = Layer.effect(
    FileBytes,
    Effect.gen(function*() {
      const repo = yield* ScrubRepo
      const store = yield* ObjectStore

      const checkFile = (file: ScrubbedFile) => {
        const at = { bucket: file.isPublic ? "public" : "private", key: file.storeKey } as const
        return Effect.map(
          checkObject(store, { at, sizeBytes: file.sizeBytes }, repo.isThere(file)),
          (checked): CheckedFile => ({ ...file, ...checked })
        )
      }

      const isLost = (file: ScrubbedFile) =>
        Effect.gen(function*() {
          const bucket = file.isPublic ? "public" : "private"
          if (Option.isSome(yield* store.head({ bucket, key: file.storeKey }))) return false
          // It may have been moved meanwhile.
          return yield* repo.isThere(file)
        })

      const files = Stream.paginate(
        null as ScrubbedFile["id"] | null,
        (after) =>
          Effect.map(
            repo.after(after, batch),
            (files) => [files, Option.map(Option.fromUndefinedOr(files.at(-1)), ({ id }) => id)] as const
          )
      )

      return FileBytes.of({
        count: repo.fileCount,
        lostCount: files.pipe(
          Stream.mapEffect(isLost, { concurrency: filesAtOnce }),
          Stream.runFold(() => 0, (count, isLost) => isLost ? count + 1 : count)
        ),
        check: Stream.mapEffect(files, checkFile, { concurrency: filesAtOnce })
      })
    })
  )

  static readonly layer = FileBytes.layerNoDeps.pipe(Layer.provide(ScrubRepo.layer))
}
