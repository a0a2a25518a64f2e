/** Binds {@link LibraryApi} to {@link Library} and {@link Trash}. */
import { Effect } from "effect"
import { Trash } from "../files/Trash.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Library } from "./Library.ts"
import { LibraryApi } from "./LibraryApi.ts"

export const LibraryHandlers = Handlers.group(
  LibraryApi,
  Effect.gen(function*() {
    const library = yield* Library
    const trash = yield* Trash
    const ids = (refs: ReadonlyArray<{ readonly id: Parameters<typeof trash.put>[0][number] }>) =>
      refs.map(({ id }) => id)

    return {
      selectUserFiles: () =>
        library.list("files").pipe(Effect.mapBoth({ onSuccess: Handlers.listed, onFailure: fromDriveError })),
      getUserStorageUsage: () => Effect.mapError(library.usage, fromDriveError),
      trashFiles: ({ payload }) =>
        trash.put(ids(payload)).pipe(
          Effect.mapBoth({ onSuccess: (trashed) => ({ trashed }), onFailure: fromDriveError })
        ),
      restoreFiles: ({ payload }) =>
        trash.restore(ids(payload)).pipe(
          Effect.mapBoth({ onSuccess: (restored) => ({ restored }), onFailure: fromDriveError })
        ),
      selectTrashedFiles: () =>
        library.list("trash").pipe(Effect.mapBoth({ onSuccess: Handlers.listed, onFailure: fromDriveError })),
      purgeTrashedFiles: () => trash.empty.pipe(Effect.mapBoth({ onSuccess: () => ({}), onFailure: fromDriveError })),
      deleteFiles: ({ payload }) =>
        trash.delete(ids(payload)).pipe(
          Effect.mapBoth({ onSuccess: (deleted) => ({ deleted }), onFailure: fromDriveError })
        )
    }
  })
)
