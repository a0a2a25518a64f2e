/** Binds {@link SharesApi} to {@link Shares}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { InvalidField } from "../shared/DriveError.ts"
import { SharedFilesPage } from "./Share.ts"
import { Shares } from "./Shares.ts"
import { SharesApi } from "./SharesApi.ts"

const firstPage = SharedFilesPage.make({})

const nobody = new InvalidField({
  code: "missing_field",
  field: "userIds",
  because: "is missing, and so is handles"
})

export const SharesHandlers = Handlers.group(
  SharesApi,
  Effect.gen(function*() {
    const shares = yield* Shares
    return {
      shareFiles: ({ payload: { fileIds, handles = [], userIds = [] } }) =>
        Effect.andThen(
          handles.length + userIds.length === 0 ? Effect.fail(nobody) : Effect.void,
          shares.share(fileIds, userIds, handles)
        ).pipe(
          Effect.mapBoth({
            onSuccess: ({ changed, files, skipped }) => ({ shared: files, skipped, added: changed }),
            onFailure: fromDriveError
          })
        ),
      unshareFiles: ({ payload: { fileIds, userIds } }) =>
        shares.unshare(fileIds, userIds).pipe(
          Effect.mapBoth({
            onSuccess: ({ changed, files, skipped }) => ({ unshared: files, skipped, removed: changed }),
            onFailure: fromDriveError
          })
        ),
      selectShares: ({ payload: { fileIds } }) =>
        shares.select(fileIds).pipe(
          Effect.mapBoth({ onSuccess: (files) => Handlers.plain({ files }), onFailure: fromDriveError })
        ),
      selectSharedFiles: ({ payload }) =>
        shares.sharedWithMe(payload ?? firstPage).pipe(
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        )
    }
  })
)
