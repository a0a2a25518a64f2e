/** Checks the bytes of one object. Changes nothing; for an operator's command. */
import { Effect, Option } from "effect"
import type { ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"

/** `lost`: nothing is there. `damaged`: something else than was stored. `unreadable`: storage fails to read it, and only it. */
export type BytesState = "sound" | "lost" | "damaged" | "unreadable"

/** The result of a check; for an object that is not sound with the reason, for an operator. */
export interface ObjectCheck {
  readonly state: BytesState
  readonly reason: string
}

const sound: ObjectCheck = { state: "sound", reason: "" }

const reasonOf = ({ cause }: Unavailable): string => cause instanceof Error ? cause.message : String(cause)

const stateOf = ({ isDamaged, isLost }: Unavailable): BytesState =>
  isLost !== true ? "unreadable" : isDamaged === true ? "damaged" : "lost"

/**
 * Checks all bytes of an object that was recorded with a size. The result is ignored when `isThere` says that the object is
 * no longer recorded there. Fails only when storage itself can't be used.
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
          // When storage itself fails, nothing is known of any object.
          if (failure.isLost !== true) {
            yield* Effect.catchIf(store.check, ({ code }) => code === "no_space", () => Effect.void)
          }
          return { state: stateOf(failure), reason: reasonOf(failure) }
        })
      ),
      // If it was deleted or moved during the check, the result does not apply.
      Effect.flatMap((looked) =>
        looked.state === "sound" ? Effect.succeed(looked) : Effect.map(isThere, (isThere) => isThere ? looked : sound)
      )
    )
)
