/** What a token is, for the host's own services, which show a secret of the host's. RFC 7662. */
import { Bearer, CurrentAccount, type DriveError, type Grant, Grants } from "@filedrive/core"
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { json, refused } from "./Answers.ts"
import * as FormBody from "./FormBody.ts"

const inactive = json({ active: false })

const seconds = (millis: number | null) => millis === null ? undefined : Math.floor(millis / 1_000)

const described = (token: Grant.ActiveToken, siteUrl: string) => {
  const [exp, iat] = [seconds(token.expireMillis), seconds(token.insertMillis)]
  return json({
    active: true,
    iss: siteUrl,
    sub: token.accountId,
    token_type: token.kind === "refresh" ? "refresh_token" : "Bearer",
    scope: (token.permissions ?? CurrentAccount.permissions).join(" "),
    token_id: token.tokenId,
    ...token.clientId !== null && { client_id: token.clientId },
    ...token.resources !== null && { aud: token.resources },
    ...token.folderId !== null && { folder: token.folderId },
    ...exp !== undefined && { exp },
    iat
  })
}

/** Compares all bytes, whichever differ. */
const isSame = (one: Uint8Array, other: Uint8Array): boolean => {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one[at]! ^ (other[at] ?? 0)
  return difference === 0
}

const answering = Effect.fnUntraced(function*(secrets: ReadonlyArray<string>, siteUrl: string) {
  const digest = yield* Digest.Digest
  const hash = (text: string) => Effect.orDie(digest.digest(Digest.sha256, new TextEncoder().encode(text)))
  const known = yield* Effect.forEach(secrets, hash)
  const denied = refused("invalid_client", "Send a secret of the host's as a bearer token.", 401, {
    "www-authenticate": "Bearer realm=\"filedrive\""
  })
  return Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const sent = yield* hash(Bearer.tokenOf(request.headers["authorization"]))
    // All are compared, so that the time tells nothing of which one it was nearly.
    if (known.filter((one) => isSame(one, sent)).length === 0) return denied
    const fields = yield* FormBody.fields(request)
    const token = fields?.get("token") ?? ""
    if (token === "") return refused("invalid_request", "Send a form with the parameter token.")
    const found = yield* (yield* Grants).introspect(token)
    return found === null ? inactive : described(found, siteUrl)
  })
})

/** Answers requests that show one of these secrets. */
export const make: (
  secrets: ReadonlyArray<string>,
  siteUrl: string
) => Effect.Effect<
  (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, DriveError.Unavailable, Grants>,
  never,
  Digest.Digest
> = answering
