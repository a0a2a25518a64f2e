/**
 * Looks at the bytes of every file of every account, and tells those that are not what was stored. Changes nothing; for an
 * operator who asks. The weekly look is {@link "./Scrub.ts"}.
 */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { type ScrubbedFile, ScrubRepo } from "./ScrubRepo.ts"

/** `lost`: nothing is there. `damaged`: something else than was stored. `unreadable`: storage fails to read it, and only it. */
export type BytesState = "sound" | "lost" | "damaged" | "unreadable"

/** A file that was looked at. */
export interface LookedFile extends ScrubbedFile {
  readonly state: BytesState
  /** Of what is not sound: what was seen, for an operator. */
  readonly reason: string
}

const batch = 500
const filesAtOnce = 4

const reasonOf = ({ cause }: Unavailable): string => cause instanceof Error ? cause.message : String(cause)

const stateOf = ({ isDamaged, isLost }: Unavailable): BytesState =>
  isLost !== true ? "unreadable" : isDamaged === true ? "damaged" : "lost"

export class FileBytes extends Context.Service<FileBytes, {
  /** Files of all accounts, derivatives and those in trash too. */
  readonly count: Effect.Effect<number>
  /** Looks at all files; fails only when storage itself can't be used. */
  readonly look: Stream.Stream<LookedFile, Unavailable>
}>()("@filedrive/core/files/FileBytes") {
  static readonly layerNoDeps = Layer.effect(
    FileBytes,
    Effect.gen(function*() {
      const repo = yield* ScrubRepo
      const store = yield* ObjectStore

      const lookAt = Effect.fnUntraced(
        function*(file: ScrubbedFile): Effect.fn.Return<LookedFile, Unavailable> {
          const at = { bucket: file.isPublic ? "public" : "private", key: file.storeKey } as const
          const stored = yield* store.head(at)
          if (Option.isSome(stored) && stored.value.sizeBytes !== file.sizeBytes) {
            const reason = `${stored.value.sizeBytes} bytes are stored, and ${file.sizeBytes} were recorded`
            return { ...file, state: "damaged", reason }
          }
          for (let next: number | null = 0; next !== null;) {
            const looked: { readonly next: number | null } = yield* store.verify(at, next)
            next = looked.next
          }
          return { ...file, state: "sound", reason: "" }
        },
        (looking, file) =>
          Effect.catch(looking, (failure) =>
            Effect.gen(function*() {
              // Where it is not this object, but storage altogether, there is nothing to say about any.
              if (failure.isLost !== true) {
                yield* Effect.catchIf(store.check, ({ code }) => code === "no_space", () => Effect.void)
              }
              return { ...file, state: stateOf(failure), reason: reasonOf(failure) }
            }))
      )

      /** Deleted or moved while it was looked at, it is not what it was found to be. */
      const lookSteadily = (file: ScrubbedFile) =>
        Effect.flatMap(lookAt(file), (looked) =>
          looked.state === "sound"
            ? Effect.succeed(looked)
            : Effect.map(repo.isThere(file), (isThere): LookedFile => isThere ? looked : { ...looked, state: "sound" }))

      const look = Stream.paginate(
        null as ScrubbedFile["id"] | null,
        (after) =>
          Effect.map(
            repo.after(after, batch),
            (files) => [files, Option.map(Option.fromUndefinedOr(files.at(-1)), ({ id }) => id)] as const
          )
      ).pipe(Stream.mapEffect(lookSteadily, { concurrency: filesAtOnce }))

      return FileBytes.of({ count: repo.fileCount, look })
    })
  )

  static readonly layer = FileBytes.layerNoDeps.pipe(Layer.provide(ScrubRepo.layer))
}
