import { assert, describe, it } from "@effect/vitest"
import { Grants, OauthClients, Operations, RateLimitsGuard, RemoteFile, SecretBox } from "@filedrive/core"
import { parseErrorResponse } from "@modelcontextprotocol/sdk/client/auth.js"
import { ServerError, TemporarilyUnavailableError } from "@modelcontextprotocol/sdk/server/auth/errors.js"
import { Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { SqlError } from "effect/sql"
import * as OauthHttp from "./OauthHttp.ts"

const away = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) })
})

const secret = "introspection-secret-of-32-chars"

const failed = (defect: unknown): never => {
  throw defect
}

/** What the endpoint answers while everything that it asks fails with `defect`. */
const answerTo = (path: string, body: URLSearchParams | string, defect: unknown) => {
  const failing = () => Effect.die(defect)
  const services = Layer.mergeAll(
    Layer.mock(Grants, { exchangeCode: failing, refresh: failing, revoke: failing, introspect: failing }),
    Layer.mock(OauthClients, { register: failing }),
    Layer.mock(Operations.Operations, { linkCall: () => failed(defect) }),
    Layer.mock(RemoteFile.RemoteFile, {}),
    Layer.mock(SecretBox.SecretBox, {}),
    RateLimitsGuard.layer,
    Digest.layerWebCrypto,
    SecureRandom.layerWebCrypto
  )
  return Effect.gen(function*() {
    const nobody = { user: () => Effect.succeed(null), loginUrl: Effect.succeed, personOf: () => Effect.succeed(null) }
    const mounts = yield* OauthHttp.make({
      siteUrl: "https://drive.test",
      resources: ["/mcp"],
      signIn: nobody,
      introspectionSecrets: [secret]
    })
    const headers = path === "/oauth/introspect" ? { authorization: `Bearer ${secret}` } : {}
    const request = new Request(`https://drive.test${path}`, { method: "POST", headers, body })
    const answer = yield* mounts.find((mount) => mount.path === path)!.run(HttpServerRequest.fromWeb(request))
    return HttpServerResponse.toWeb(answer)
  }).pipe(Effect.provide(services))
}

const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams({ client_id: "app", ...fields })

const registration = JSON.stringify({ client_name: "Notes", redirect_uris: ["https://app.test/back"] })

describe("faults of the drive's, as apps are told", () => {
  it.effect.each(
    [
      ["/oauth/token", form({ grant_type: "refresh_token", refresh_token: "fdr_a.b" })],
      ["/oauth/token", form({ grant_type: "authorization_code", code: "fdc_a", code_verifier: "v" })],
      ["/oauth/revoke", form({ token: "fdr_a.b" })],
      ["/oauth/introspect", form({ token: "fdr_a.b" })],
      ["/oauth/register", registration]
    ] as const
  )("OAUTH-95 %s: an app's SDK can tell that it may try again", ([path, body]) =>
    Effect.gen(function*() {
      const unavailable = yield* answerTo(path, body, away)
      assert.strictEqual(unavailable.status, 503)
      assert.instanceOf(yield* Effect.promise(() => parseErrorResponse(unavailable)), TemporarilyUnavailableError)
      const fault = yield* answerTo(path, body, new Error("secret cause"))
      assert.strictEqual(fault.status, 500)
      const error = yield* Effect.promise(() => parseErrorResponse(fault))
      assert.instanceOf(error, ServerError)
      assert.notInclude(error.message, "secret cause")
    }))
})
