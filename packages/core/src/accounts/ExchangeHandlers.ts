/** Binds {@link ExchangeApi} to {@link ApiTokens}. */
import { Duration, Effect, Redacted } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { ApiTokenText } from "./ApiToken.ts"
import { ApiTokens } from "./ApiTokens.ts"
import { ExchangeApi, SentToken } from "./ExchangeApi.ts"

export const ExchangeHandlers = Handlers.group(
  ExchangeApi.groups.exchange,
  Effect.gen(function*() {
    const tokens = yield* ApiTokens
    return {
      exchangeToken: () =>
        SentToken.pipe(
          Effect.flatMap((sent) => tokens.exchange(ApiTokenText.make(Redacted.value(sent)))),
          Effect.map(({ accountId, lifetime, token }) => ({
            gelToken: token,
            expiresIn: Math.floor(Duration.toSeconds(lifetime)),
            userId: accountId
          })),
          Effect.mapError(fromDriveError)
        )
    }
  })
)
