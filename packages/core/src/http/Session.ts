/**
 * The checks that every call passes before its handler runs. Declarations only: the
 * checks are in {@link "./SessionLayers.ts"} and {@link "./Dispatch.ts"}.
 */
import { Context, type Option } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import type { CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as ApiError from "./ApiError.ts"

/** A session token is required. Provides {@link CurrentAccount}. */
export class Session extends HttpApiMiddleware.Service<Session, { provides: CurrentAccount }>()(
  "@filedrive/core/http/Session",
  { security: { bearer: HttpApiSecurity.bearer }, error: [ApiError.Unauthorized, ApiError.ServiceUnavailable] }
) {}

/**
 * The calling account where a session is optional; none without a token.
 *
 * @effect-leakable-service
 */
export class OptionalAccount extends Context.Service<OptionalAccount, Option.Option<CurrentAccount["Service"]>>()(
  "@filedrive/core/http/Session/OptionalAccount"
) {}

/** A session token is welcome; one that is sent must be good. Provides {@link OptionalAccount}. */
export class OptionalSession extends HttpApiMiddleware.Service<OptionalSession, { provides: OptionalAccount }>()(
  "@filedrive/core/http/OptionalSession",
  { security: { bearer: HttpApiSecurity.bearer }, error: [ApiError.Unauthorized, ApiError.ServiceUnavailable] }
) {}

/** `X-Service-App` names the app this drive belongs to; calls through a public link need not. Spec: "Authentication", step 2. */
export class AppHeader extends HttpApiMiddleware.Service<AppHeader>()("@filedrive/core/http/AppHeader", {
  error: ApiError.Forbidden
}) {}

/** A body that is not valid is answered with the field to correct. Done by the dispatcher. */
export class BodyErrors extends HttpApiMiddleware.Service<BodyErrors>()("@filedrive/core/http/BodyErrors", {
  error: ApiError.BadRequest
}) {}

/** Failures that any route may answer. Done by the dispatcher and, for 429, by the rate limits. */
export class Faults extends HttpApiMiddleware.Service<Faults>()("@filedrive/core/http/Faults", {
  error: [ApiError.TooManyRequests, ApiError.ServerFault, ApiError.ServiceUnavailable]
}) {}
