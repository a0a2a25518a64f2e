/**
 * Objects that are the only bytes of a file and are not at its address: they are in the other bucket, or under a former key.
 * That happens when a file was made public or private between the times of the database and of the storage.
 */
import { Context, Effect, Layer } from "effect"
import type { Bucket } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"

/** Copies these objects to files' addresses where bytes are missing, and returns those of `keys` that are still the only bytes of a file. */
export type Restore = (bucket: Bucket, keys: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, Unavailable>

export class MovedObjects extends Context.Service<MovedObjects, {
  /** The feature that owns files names how their bytes are restored. */
  readonly register: (restore: Restore) => Effect.Effect<void>
  /** Copies the bytes of files that have only these objects. Returns the objects that have to stay, as their copy failed. */
  readonly restore: Restore
}>()("@filedrive/core/objects/MovedObjects") {
  static readonly layer = Layer.sync(MovedObjects, () => {
    let registered: Restore = () => Effect.succeed(new Set())
    return MovedObjects.of({
      register: (restore) => Effect.sync(() => void (registered = restore)),
      restore: (bucket, keys) => keys.length === 0 ? Effect.succeed(new Set()) : registered(bucket, keys)
    })
  })
}
