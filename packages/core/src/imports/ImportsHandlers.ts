/** Binds {@link ImportsApi} to {@link Imports}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { destinationOf } from "../organize/Choice.ts"
import { Imports } from "./Imports.ts"
import { ImportsApi } from "./ImportsApi.ts"

export const ImportsHandlers = Handlers.group(
  ImportsApi,
  Effect.gen(function*() {
    const imports = yield* Imports

    return {
      importFromUrl: ({ payload: { folder, folderId, ...request } }) =>
        destinationOf({ folder, folderId }).pipe(
          Effect.flatMap((to) => imports.start({ ...request, to })),
          Effect.mapError(fromDriveError)
        ),
      selectImports: ({ payload }) =>
        Effect.mapError(
          payload?.ids === undefined ? imports.newest(payload?.limit) : imports.select(payload.ids),
          fromDriveError
        )
    }
  })
)
