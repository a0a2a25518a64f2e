/** The HTTP contract of `{auth_url}`: an API token becomes a session. Spec: "Authentication", step 1. */
import { Context, type Redacted, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { BodyErrors, Faults } from "../http/Session.ts"
import { AccountId } from "../shared/Ids.ts"

/**
 * The API token that was sent, not checked yet; empty when there is none.
 *
 * @effect-leakable-service
 */
export class SentToken extends Context.Service<SentToken, Redacted.Redacted<string>>()(
  "@filedrive/core/accounts/ExchangeApi/SentToken"
) {}

/** An API token as a bearer token. Provides {@link SentToken}. */
export class ApiTokenSecurity extends HttpApiMiddleware.Service<ApiTokenSecurity, { provides: SentToken }>()(
  "@filedrive/core/accounts/ExchangeApi/ApiTokenSecurity",
  { security: { apiToken: HttpApiSecurity.bearer }, error: ApiError.Unauthorized }
) {}

export class ExchangeApi extends HttpApi.make("auth").add(
  HttpApiGroup.make("exchange")
    .add(
      HttpApiEndpoint.post("exchangeToken", "/exchange-token", {
        success: Schema.Struct({
          /** The session token: sent as a bearer token on every call. */
          gelToken: Schema.String,
          /** Seconds until the session ends: one day, or less when the API token expires sooner. */
          expiresIn: Schema.Int,
          userId: AccountId
        }),
        error: [ApiError.Forbidden, ...ApiError.ofStorage]
      }).annotateMerge(operation({
        description:
          "Exchanges an API token for a session. Send the API token as the bearer token of this call, and no body. Then send " +
          "`gelToken` as the bearer token of every other call, with the header `X-Service-App`, which names the app the drive " +
          "belongs to. The session has the limits of its API token. It ends after `expiresIn` seconds: one day, or less when the " +
          "API token expires sooner. Exchange again before that, or when a call answers 401. Each exchange opens another " +
          "session; those opened before stay valid. An API token that is unknown, expired or revoked is 401 `invalid_token`, one " +
          "of a suspended user is 403 `not_allowed`. `userId` is the user's id: object keys begin with `users/{userId}/`.",
        permissions: [],
        effect: "changes",
        isRepeatable: false,
        tool: null,
        example: {
          answer: {
            gelToken: "Jt6sZ0mUq1nYx4Vb8dLw2RkCe7TgHf3PaNo5SiQyGxM",
            expiresIn: 86_400,
            userId: Examples.userId
          }
        }
      }))
    )
    .middleware(ApiTokenSecurity)
    .annotateMerge(OpenApi.annotations({ title: "Sessions", description: "An API token is exchanged for a session." }))
)
  .middleware(BodyErrors)
  .middleware(Faults)
{}
