/** Binds {@link TokensApi} to {@link ApiTokens}. */
import { Effect } from "effect"
import { fromDriveError, ServiceUnavailable } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import type { ApiToken } from "./ApiToken.ts"
import { ApiTokens } from "./ApiTokens.ts"
import { TokensApi } from "./TokensApi.ts"

const described = ({ expireTime, id, insertTime, limits, name }: ApiToken) => ({
  id,
  name,
  permissions: limits.permissions,
  folder: limits.folderId,
  insertTime,
  expireTime
})

export const TokensHandlers = Handlers.group(
  TokensApi,
  Effect.gen(function*() {
    const tokens = yield* ApiTokens
    return {
      createApiToken: ({ payload }) =>
        tokens.create({
          name: payload.name,
          limits: { permissions: payload.permissions ?? null, folderId: payload.folder ?? null },
          expireTime: payload.expireTime ?? null
        }).pipe(
          Effect.map(({ text, token }) => ({ ...described(token), token: text })),
          // As where the session is looked up: what is away is the host's accounts, not storage.
          Effect.mapError((error) =>
            error._tag === "Unavailable"
              ? new ServiceUnavailable({ error: error.message, code: "unavailable", retryable: true })
              : fromDriveError(error)
          )
        ),
      selectApiTokens: () =>
        tokens.list.pipe(
          Effect.map((list) =>
            list.map((token) => ({
              ...described(token),
              lastUsedTime: token.lastUsedTime,
              clientId: token.clientId
            }))
          ),
          Effect.mapError(fromDriveError)
        ),
      revokeApiToken: ({ payload }) =>
        tokens.revoke(payload.id).pipe(Effect.as({ revoked: true }), Effect.mapError(fromDriveError))
    }
  })
)
