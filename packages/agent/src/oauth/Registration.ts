/** Apps that register themselves. RFC 7591. */
import { OauthClients } from "@filedrive/core"
import { DateTime, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { json, refused } from "./Answers.ts"
import { isName, nameMaxLength, redirectsMax, redirectsOf } from "./Client.ts"
import * as FormBody from "./FormBody.ts"
import * as RedirectUri from "./RedirectUri.ts"

const parsed = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** `schemes`: schemes without a dot that native apps may use. */
export const register = (schemes: ReadonlyArray<string>) =>
  Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const text = yield* FormBody.text(request)
    const metadata = text === null ? null : parsed(text)
    if (metadata === null) {
      return refused("invalid_client_metadata", `Send a JSON object of at most ${FormBody.maxBytes} bytes.`)
    }
    const { client_name = "An app", redirect_uris } = metadata
    const redirectUris = redirectsOf(redirect_uris, schemes)
    if (redirectUris.length === 0) {
      return refused(
        "invalid_redirect_uri",
        `redirect_uris must have 1 to ${redirectsMax} addresses of at most ${RedirectUri.maxLength} characters that can be used: ` +
          "https, http on this machine, or a native app's own scheme."
      )
    }
    if (!isName(client_name)) {
      return refused(
        "invalid_client_metadata",
        `client_name must be text in one line of 1 to ${nameMaxLength} characters.`
      )
    }
    const client = yield* (yield* OauthClients).register({ name: client_name, redirectUris })
    return json({
      client_id: client.id,
      client_id_issued_at: Math.floor(DateTime.toEpochMillis(client.insertTime) / 1_000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none"
    }, 201)
  })
