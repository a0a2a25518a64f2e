/** The middleware of operations that somebody without an account calls through a public link. Declaration only. */
import { HttpApiMiddleware } from "effect/http-api"
import type { HttpApiEndpoint } from "effect/http-api"
import type { LinkCall } from "../links/LinkCall.ts"

/** The header with the access token of a link that has a password. */
export const accessHeader = "x-link-access"

/**
 * No session and no `X-Service-App` is needed: a link's id, or a token made through it, is in the body. Provides
 * {@link LinkCall}, by which the operation's service checks the link (`links/PublicLinks.ts`).
 */
export class PublicLink extends HttpApiMiddleware.Service<PublicLink, { provides: LinkCall }>()(
  "@filedrive/core/http/PublicLink"
) {}

/** Whether an operation is called through a public link. Its `operation({ … })` names no permission. */
export const isPublic = (endpoint: Pick<HttpApiEndpoint.Top, "middlewares">): boolean =>
  (endpoint.middlewares as ReadonlySet<unknown>).has(PublicLink)
