/** Binds {@link UserApi} to the caller itself. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Refused } from "../shared/DriveError.ts"
import { CurrentAccount } from "./CurrentAccount.ts"
import { UserApi } from "./UserApi.ts"

const nothingAllowed = new Refused({ code: "token_limit", because: "This token may do nothing." })

export const UserHandlers = Handlers.group(
  UserApi,
  Effect.succeed({
    getUser: () =>
      Effect.filterOrFail(CurrentAccount, ({ limits }) => limits.permissions?.length !== 0, () => nothingAllowed).pipe(
        Effect.map(({ id, limits }) => ({ userId: id, permissions: limits.permissions, folder: limits.folderId })),
        Effect.mapError(fromDriveError)
      )
  })
)
