/** Tokens for codes and refresh tokens, and their end. RFC 6749, sections 4.1.3 and 6; RFC 7009; RFC 8707. */
import { Grant, Grants } from "@filedrive/core"
import { Duration, Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { empty, json, refused } from "./Answers.ts"
import * as FormBody from "./FormBody.ts"

type Request = HttpServerRequest.HttpServerRequest
type Answer = HttpServerResponse.HttpServerResponse

/** Parameters that may come once only. */
const once = ["grant_type", "client_id", "code", "redirect_uri", "code_verifier", "refresh_token", "scope", "token"]

/** The fields of a client's form; or the answer that refuses it. Clients have no secret: one that shows any is mistaken for another. */
const fieldsOf = Effect.fnUntraced(function*(request: Request) {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const [, scheme = "Basic"] = /^\s*([!#$%&'*+.^`|~\w-]+)/.exec(authorization) ?? []
    return refused("invalid_client", "Clients of this server have no secret; send client_id in the form.", 401, {
      "www-authenticate": `${scheme} realm="filedrive"`
    })
  }
  const sent = yield* FormBody.fields(request)
  if (sent === null) return refused("invalid_request", `Send a form of at most ${FormBody.maxBytes} bytes.`)
  // RFC 6749, section 3.2: a parameter without a value counts as omitted.
  const fields = new URLSearchParams([...sent].filter(([, value]) => value !== ""))
  const repeated = once.find((name) => fields.getAll(name).length > 1)
  if (repeated !== undefined) return refused("invalid_request", `The parameter ${repeated} came more than once.`)
  if (fields.has("client_secret") || fields.has("client_assertion")) {
    return refused("invalid_client", "Clients of this server have no secret.", 401)
  }
  if ((fields.get("client_id") ?? "") === "") return refused("invalid_request", "The parameter client_id is missing.")
  return fields
})

const isAnswer = (value: URLSearchParams | Answer): value is Answer => !(value instanceof URLSearchParams)

const issued = ({ accessToken, lifetime, permissions, refreshToken }: Grant.IssuedTokens) =>
  json({
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: Duration.toSeconds(lifetime),
    refresh_token: refreshToken,
    scope: permissions.join(" ")
  })

const exchanged = Effect.fnUntraced(function*(fields: URLSearchParams) {
  const grants = yield* Grants
  const [code = "", verifier = ""] = ["code", "code_verifier"].map((name) => fields.get(name) ?? "")
  if (code === "") return refused("invalid_request", "The parameter code is missing.")
  if (verifier === "") return refused("invalid_grant", "The parameter code_verifier is missing.")
  const resources = fields.getAll("resource")
  const request = {
    code,
    clientId: fields.get("client_id")!,
    redirectUri: fields.get("redirect_uri"),
    verifier,
    resources: resources.length === 0 ? null : [...new Set(resources)]
  }
  return issued(yield* grants.exchangeCode(request))
})

const refreshed = Effect.fnUntraced(function*(fields: URLSearchParams) {
  const grants = yield* Grants
  const refreshToken = fields.get("refresh_token") ?? ""
  if (refreshToken === "") return refused("invalid_request", "The parameter refresh_token is missing.")
  const scope = fields.get("scope")
  const resources = fields.getAll("resource")
  const request = {
    refreshToken,
    clientId: fields.get("client_id")!,
    permissions: scope === null ? null : Grant.permissionsOf(scope),
    resources: resources.length === 0 ? null : [...new Set(resources)]
  }
  return issued(yield* grants.refresh(request))
})

export const token = Effect.fnUntraced(function*(request: Request) {
  const fields = yield* fieldsOf(request)
  if (isAnswer(fields)) return fields
  const run = fields.get("grant_type") === "authorization_code"
    ? exchanged
    : fields.get("grant_type") === "refresh_token"
    ? refreshed
    : null
  if (run === null) {
    return refused("unsupported_grant_type", "The grant_type must be authorization_code or refresh_token.")
  }
  // A caller who disconnects meanwhile has used its code or token up nevertheless.
  return yield* Effect.uninterruptible(run(fields)).pipe(
    Effect.catchTag("GrantRefused", ({ because, code }) => Effect.succeed(refused(code, because))),
    Effect.catchTag(
      "Unavailable",
      () => Effect.succeed(refused("temporarily_unavailable", "The server can't look the account up; try again.", 503))
    )
  )
})

export const revoke = Effect.fnUntraced(function*(request: Request) {
  const fields = yield* fieldsOf(request)
  if (isAnswer(fields)) return fields
  const token = fields.get("token") ?? ""
  if (token === "") return refused("invalid_request", "The parameter token is missing.")
  yield* Effect.uninterruptible((yield* Grants).revoke(token, fields.get("client_id")!))
  return empty
})
