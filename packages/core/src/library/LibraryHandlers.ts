/** Binds {@link LibraryApi} to {@link Library} and {@link Disposal}. */
import { Effect } from "effect"
import { Disposal } from "../files/Disposal.ts"
import { Api } from "../http/Api.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Library } from "./Library.ts"

export const LibraryHandlers = Handlers.group(
  Api,
  "library",
  Effect.gen(function*() {
    const library = yield* Library
    const disposal = yield* Disposal
    const ids = (refs: ReadonlyArray<{ readonly id: Parameters<typeof disposal.trash>[0][number] }>) =>
      refs.map(({ id }) => id)

    return {
      selectUserFiles: () =>
        library.list("files").pipe(Effect.mapBoth({ onSuccess: Handlers.listed, onFailure: fromDriveError })),
      getUserStorageUsage: () => Effect.mapError(library.usage, fromDriveError),
      trashFiles: ({ payload }) =>
        disposal.trash(ids(payload)).pipe(
          Effect.mapBoth({ onSuccess: (trashed) => ({ trashed }), onFailure: fromDriveError })
        ),
      restoreFiles: ({ payload }) =>
        disposal.restore(ids(payload)).pipe(
          Effect.mapBoth({ onSuccess: (restored) => ({ restored }), onFailure: fromDriveError })
        ),
      selectTrashedFiles: () =>
        library.list("trash").pipe(Effect.mapBoth({ onSuccess: Handlers.listed, onFailure: fromDriveError })),
      purgeTrashedFiles: () =>
        disposal.purge.pipe(Effect.mapBoth({ onSuccess: () => ({}), onFailure: fromDriveError })),
      deleteFiles: ({ payload }) =>
        disposal.delete(ids(payload)).pipe(
          Effect.mapBoth({ onSuccess: (deleted) => ({ deleted }), onFailure: fromDriveError })
        )
    }
  })
)
