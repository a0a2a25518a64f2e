/**
 * An object that is made of parts, for a row that names its upload: opened by the first process that needs it, continued by
 * any process, and made once, however often that is tried.
 */
import { Effect, Option, Stream } from "effect"
import {
  type ObjectAddress,
  type ObjectHeaders,
  ObjectStore,
  type StoredObject,
  type StoredPart
} from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"

/** What storage has of an upload: its parts while it is open, afterwards the object that was made of them. */
export type Stored =
  | { readonly _tag: "Parts"; readonly parts: ReadonlyArray<StoredPart> }
  | { readonly _tag: "Object"; readonly object: StoredObject }
  | { readonly _tag: "Nothing" }

export const make = Effect.gen(function*() {
  const store = yield* ObjectStore

  /**
   * The id of the upload that makes the object at `at`, once the row names it; none when the row has changed meanwhile.
   */
  const open = Effect.fnUntraced(function*<E, R>({ at, headers, isNamed, mayBeOpen, name }: {
    readonly at: ObjectAddress
    readonly headers: ObjectHeaders
    /** Whether a crash right after opening may have left an upload that no row names. */
    readonly mayBeOpen: boolean
    /** Writes the upload's id into the row; false when the row has changed meanwhile, or names one already. */
    readonly name: (uploadId: string) => Effect.Effect<boolean, E, R>
    /** Whether the row names this upload. */
    readonly isNamed: (uploadId: string) => Effect.Effect<boolean, E, R>
  }) {
    const left = mayBeOpen
      ? yield* store.listUploads(at.bucket).pipe(Stream.filter(({ key }) => key === at.key), Stream.runHead)
      : Option.none()
    const uploadId = Option.isSome(left) ? left.value.uploadId : yield* store.createUpload(at, headers)
    if (yield* name(uploadId)) return Option.some(uploadId)
    // Another process may have found it by its key meanwhile, and be using it.
    if (!(yield* isNamed(uploadId))) yield* store.abortUpload(at, uploadId)
    return Option.none()
  })

  /** What storage has of an upload. */
  const inspect = Effect.fnUntraced(
    function*(at: ObjectAddress, uploadId: string): Effect.fn.Return<Stored, Unavailable> {
      const parts = yield* store.listParts(at, uploadId)
      if (Option.isSome(parts)) return { _tag: "Parts", parts: parts.value }
      const object = yield* store.head(at)
      return Option.isSome(object) ? { _tag: "Object", object: object.value } : { _tag: "Nothing" }
    }
  )

  /**
   * Makes the object of what `choose` says of the stored parts; asked only while the upload is open. None when there is no
   * object: the upload has ended and made none.
   */
  const complete = Effect.fnUntraced(function*<E, R>(
    at: ObjectAddress,
    uploadId: string,
    choose: (
      stored: ReadonlyArray<StoredPart>
    ) => Effect.Effect<ReadonlyArray<Pick<StoredPart, "partNumber" | "etag">>, E, R>
  ) {
    const stored = yield* store.listParts(at, uploadId)
    if (Option.isSome(stored)) yield* store.completeUpload(at, uploadId, yield* choose(stored.value))
    // The object tells whether it was made: by this call, another, or one that crashed after storage.
    return yield* store.head(at)
  })

  return { open, inspect, complete }
})
