/** Binds {@link ImportsApi} to {@link Imports}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { atMostOne } from "../organize/Choice.ts"
import { Imports } from "./Imports.ts"
import { ImportsApi } from "./ImportsApi.ts"

export const ImportsHandlers = Handlers.group(
  ImportsApi,
  Effect.gen(function*() {
    const imports = yield* Imports

    return {
      importFromUrl: ({ payload: { folder, folderId, ...request } }) =>
        Effect.gen(function*() {
          yield* atMostOne({ folder, folderId }, "folder", "folderId")
          const to = folder !== undefined
            ? { path: folder, field: "folder" }
            : folderId === undefined
            ? undefined
            : { id: folderId }
          return yield* imports.start({ ...request, to })
        }).pipe(Effect.mapError(fromDriveError)),
      selectImports: ({ payload: { ids } }) => Effect.mapError(imports.select(ids), fromDriveError)
    }
  })
)
