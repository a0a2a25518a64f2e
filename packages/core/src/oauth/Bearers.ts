/** Whose bearer token is shown to the agent or to tools: an API token, or an access token of OAuth. */
import { Context, Effect, Layer } from "effect"
import { ApiTokenText } from "../accounts/ApiToken.ts"
import { ApiTokens } from "../accounts/ApiTokens.ts"
import type { Credential } from "../accounts/Credential.ts"
import { accessPrefix } from "../accounts/Session.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { type Refused, Unauthenticated, type Unavailable } from "../shared/DriveError.ts"

export class Bearers extends Context.Service<Bearers, {
  /**
   * Whose token it is and what it may do. An access token must have been issued for `resource`.
   *
   * Fails with `Unauthenticated` (`invalid_token`) when it is unknown, expired or revoked or its user no longer exists, `Refused`
   * (`not_allowed`) when an API token's user is suspended, `Unavailable` when the host's accounts can't be asked.
   */
  readonly resolve: (
    text: string,
    resource: string
  ) => Effect.Effect<Credential, Unauthenticated | Refused | Unavailable>
}>()("@filedrive/core/oauth/Bearers") {
  static readonly layerNoDeps = Layer.effect(
    Bearers,
    Effect.gen(function*() {
      const tokens = yield* ApiTokens
      const sessions = yield* Sessions

      const resolve = Effect.fn("Bearers.resolve")(function*(text: string, resource: string) {
        if (!text.startsWith(accessPrefix)) return yield* tokens.resolve(ApiTokenText.make(text))
        const { credential, resources } = yield* sessions.resolveAccess(text)
        return resources.includes(resource) ? credential : yield* new Unauthenticated({ code: "invalid_token" })
      })

      return Bearers.of({ resolve })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([ApiTokens.layer, Sessions.layer]))
}
