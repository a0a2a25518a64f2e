/** Binds {@link UserApi} to the caller itself. */
import { Effect } from "effect"
import * as Handlers from "../http/Handlers.ts"
import { CurrentAccount } from "./CurrentAccount.ts"
import { UserApi } from "./UserApi.ts"

export const UserHandlers = Handlers.group(
  UserApi,
  Effect.succeed({
    // Whatever the limits: a session without any permission can't be opened.
    getUser: () =>
      Effect.map(CurrentAccount, ({ id, limits }) => ({
        userId: id,
        permissions: limits.permissions,
        folder: limits.folderId
      }))
  })
)
