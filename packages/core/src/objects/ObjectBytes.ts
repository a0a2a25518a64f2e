/** Looks at the bytes of one object, whoever has it recorded. Changes nothing; for an operator who asks. */
import { Effect, Option } from "effect"
import type { ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"

/** `lost`: nothing is there. `damaged`: something else than was stored. `unreadable`: storage fails to read it, and only it. */
export type BytesState = "sound" | "lost" | "damaged" | "unreadable"

/** What was seen of an object; of one that is not sound with what was seen, for an operator. */
export interface ObjectCheck {
  readonly state: BytesState
  readonly reason: string
}

const sound: ObjectCheck = { state: "sound", reason: "" }

const reasonOf = ({ cause }: Unavailable): string => cause instanceof Error ? cause.message : String(cause)

const stateOf = ({ isDamaged, isLost }: Unavailable): BytesState =>
  isLost !== true ? "unreadable" : isDamaged === true ? "damaged" : "lost"

/**
 * Looks at all bytes of an object that was recorded with a size. What is found of one that `isThere` says is not recorded
 * there any more counts for nothing. Fails only when storage itself can't be used.
 */
export const checkObject = Effect.fnUntraced(
  function*(
    store: ObjectStore["Service"],
    recorded: { readonly at: ObjectAddress; readonly sizeBytes: number },
    _isThere: Effect.Effect<boolean>
  ): Effect.fn.Return<ObjectCheck, Unavailable> {
    const stored = yield* store.head(recorded.at)
    if (Option.isSome(stored) && stored.value.sizeBytes !== recorded.sizeBytes) {
      const reason = `${stored.value.sizeBytes} bytes are stored, and ${recorded.sizeBytes} were recorded`
      return { state: "damaged", reason }
    }
    for (let next: number | null = 0; next !== null;) {
      const looked: { readonly next: number | null } = yield* store.verify(recorded.at, next)
      next = looked.next
    }
    return sound
  },
  (looking, store, _recorded, isThere) =>
    looking.pipe(
      Effect.catch((failure) =>
        Effect.gen(function*() {
          // Where it is not this object, but storage altogether, there is nothing to say about any.
          if (failure.isLost !== true) {
            yield* Effect.catchIf(store.check, ({ code }) => code === "no_space", () => Effect.void)
          }
          return { state: stateOf(failure), reason: reasonOf(failure) }
        })
      ),
      // Deleted or moved while it was looked at, it is not what it was found to be.
      Effect.flatMap((looked) =>
        looked.state === "sound" ? Effect.succeed(looked) : Effect.map(isThere, (isThere) => isThere ? looked : sound)
      )
    )
)
