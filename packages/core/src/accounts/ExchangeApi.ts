/** The HTTP contract of `{auth_url}`: an API token becomes a session. Spec: "Authentication", step 1. */
import { Context, type Redacted, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import { BodyErrors, Faults } from "../http/Session.ts"
import { AccountId } from "../shared/Ids.ts"

/**
 * The API token that was sent, not looked at yet; empty when there is none.
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
        error: [ApiError.Forbidden, ApiError.BadGateway]
      })
    )
    .middleware(ApiTokenSecurity)
    .annotateMerge(OpenApi.annotations({ title: "Sessions", description: "An API token is exchanged for a session." }))
)
  .middleware(BodyErrors)
  .middleware(Faults)
{}
