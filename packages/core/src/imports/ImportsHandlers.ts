/** Binds {@link ImportsApi} to {@link Imports}. */
import { Effect } from "effect"
import { Api } from "../http/Api.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { InvalidField } from "../shared/DriveError.ts"
import { Imports } from "./Imports.ts"

const both = new InvalidField({
  code: "invalid_field",
  field: "folderId",
  because: "must not be given beside folder"
})

export const ImportsHandlers = Handlers.group(
  Api,
  "imports",
  Effect.gen(function*() {
    const imports = yield* Imports

    return {
      importFromUrl: ({ payload: { folder, folderId, ...request } }) =>
        Effect.gen(function*() {
          if (folder !== undefined && folderId !== undefined) return yield* both
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
