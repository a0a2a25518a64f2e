/**
 * `WWW-Authenticate`: what a client is told that shows no valid token, or one that may not do this. RFC 6750, section 3; RFC 9728,
 * section 5.1.
 */
import { Effect } from "effect"
import { Headers, type HttpServerResponse } from "effect/http"
import { type Permission, permissions as allPermissions } from "../accounts/CurrentAccount.ts"
import { ofError, uncached } from "./Answers.ts"
import { Forbidden, Unauthorized } from "./ApiError.ts"

/** Where the metadata of a resource is: its path comes behind the well-known one. */
export const metadataUrl = (resource: string): string => {
  if (!URL.canParse(resource)) return `/.well-known/oauth-protected-resource${resource}`
  const { origin, pathname } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}

/** The header's value. `error`: a code of RFC 6750, for a token that was shown. */
export const value = (
  resource: string,
  permissions: ReadonlyArray<Permission>,
  error: "invalid_token" | "insufficient_scope" | null
): string =>
  `Bearer realm="filedrive", ${error === null ? "" : `error="${error}", `}scope="${permissions.join(" ")}", ` +
  `resource_metadata="${metadataUrl(resource)}"`

type Answer<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Answers what `app` refuses for its token, with the header. */
export const make = (resource: string) => {
  const header = (scope: ReadonlyArray<Permission>, error: Parameters<typeof value>[2]) =>
    Headers.set(uncached, "www-authenticate", value(resource, scope.length === 0 ? allPermissions : scope, error))
  return <E, R>(permissions: ReadonlyArray<Permission>, app: Answer<E, R>): Answer<E, R> =>
    Effect.catch(app, (error) => {
      if (error instanceof Unauthorized) {
        return Effect.succeed(
          ofError(error, header(permissions, error.code === "no_session" ? null : "invalid_token"))!
        )
      }
      return error instanceof Forbidden && error.code === "token_limit"
        ? Effect.succeed(ofError(error, header(permissions, "insufficient_scope"))!)
        : Effect.fail(error)
    })
}
