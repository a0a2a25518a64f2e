/** What programs are told of refusals that come before an OAuth endpoint itself decides. RFC 6749, section 5.2. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { MemoryDrive } from "@filedrive/testing"
import { parseErrorResponse } from "@modelcontextprotocol/sdk/client/auth.js"
import { MethodNotAllowedError, TooManyRequestsError } from "@modelcontextprotocol/sdk/server/auth/errors.js"
import { newDrive, site } from "./Apps.ts"

const secret = "introspection-secret-of-32-chars"

const endpoints = ["authorize", "token", "register", "revoke", "introspect"]

const checked = async (answer: Response, status: number, error: string) => {
  const { headers } = answer
  const body = await answer.clone().json() as { readonly error: string; readonly error_description: string }
  assert.deepStrictEqual([answer.status, body.error], [status, error])
  assert.match(body.error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  assert.deepStrictEqual(Object.keys(body), ["error", "error_description"])
  assert.strictEqual(headers.get("cache-control"), "no-store")
  assert.include(headers.get("content-type")!, "application/json")
  return answer
}

describe("errors of OAuth's endpoints", () => {
  let drive: MemoryDrive
  beforeAll(async () => {
    drive = await newDrive({ oauth: { introspectionSecrets: [secret] } })
  })
  afterAll(() => drive.close())

  it.each(endpoints)("OAUTH-98 a wrong method at %s is refused with the allowed ones", async (path) => {
    const answer = await drive.fetch(new Request(`${site}/oauth/${path}`, { method: "DELETE" }))
    await checked(answer, 405, "method_not_allowed")
    assert.strictEqual(answer.headers.get("allow"), path === "authorize" ? "GET, HEAD, POST" : "POST")
    assert.instanceOf(await parseErrorResponse(answer), MethodNotAllowedError)
  })

  it.each(endpoints)("OAUTH-98 too many calls of %s are refused with the time to wait", async (path) => {
    const limited = await newDrive({
      oauth: { introspectionSecrets: [secret] },
      trustedProxies: 1,
      rateLimits: { address: { calls: 1, perSeconds: 60 } }
    })
    const call = () =>
      limited.fetch(
        new Request(`${site}/oauth/${path}`, {
          method: path === "authorize" ? "GET" : "POST",
          headers: { "x-forwarded-for": "192.0.2.1" }
        })
      )
    await call()
    const answer = await checked(await call(), 429, "too_many_requests")
    assert.match(answer.headers.get("retry-after")!, /^[1-9]\d*$/)
    assert.instanceOf(await parseErrorResponse(answer), TooManyRequestsError)
    await limited.close()
  })

  it("OAUTH-98 so are too many registrations", async () => {
    const limited = await newDrive({ trustedProxies: 1, rateLimits: { registration: { calls: 1, perSeconds: 60 } } })
    const register = () =>
      limited.fetch(
        new Request(`${site}/oauth/register`, {
          method: "POST",
          headers: { "x-forwarded-for": "192.0.2.1" },
          body: JSON.stringify({ redirect_uris: ["https://app.test/"] })
        })
      )
    assert.strictEqual((await register()).status, 201)
    const answer = await checked(await register(), 429, "too_many_requests")
    assert.isNotNull(answer.headers.get("retry-after"))
    await limited.close()
  })

  it("OAUTH-98 a wrong secret is refused with the scheme to use", async () => {
    const send = (path: string, authorization: string) =>
      drive.fetch(new Request(`${site}/oauth/${path}`, { method: "POST", headers: { authorization } }))
    const introspected = await checked(await send("introspect", "Bearer wrong"), 401, "invalid_client")
    assert.match(introspected.headers.get("www-authenticate")!, /^Bearer /)
    const token = await checked(await send("token", "Basic eDp5"), 401, "invalid_client")
    assert.match(token.headers.get("www-authenticate")!, /^Basic /)
  })

  it("OAUTH-98 a program that asks for consent reads a code, a person a page", async () => {
    const asked = `${site}/oauth/authorize?client_id=unknown`
    const answer = await drive.fetch(new Request(asked, { headers: { accept: "application/json" } }))
    await checked(answer, 400, "invalid_request")
    for (const accept of ["*/*", "text/html,application/json"]) {
      const page = await drive.fetch(new Request(asked, { headers: { accept } }))
      assert.strictEqual(page.status, 400)
      assert.include(page.headers.get("content-type")!, "text/html")
    }
  })

  it.each(endpoints)("OAUTH-98 a drive that is ending answers %s that the call may be repeated", async (path) => {
    const ending = await newDrive({ oauth: { introspectionSecrets: [secret] } })
    await ending.close()
    await checked(
      await ending.fetch(new Request(`${site}/oauth/${path}`, { method: "POST" })),
      503,
      "temporarily_unavailable"
    )
  })
})
