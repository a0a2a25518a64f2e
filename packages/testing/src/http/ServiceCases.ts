/** What a host's operators and programmers need of a drive. */
import { assert, it } from "@effect/vitest"
import { type CurrentHost, newClient } from "./HttpHost.ts"

export const serviceCases = (host: CurrentHost): void => {
  it.each(["/healthz", "/readyz"])("HOST-7 HOST-2 %s answers 200", async (path) => {
    const client = await newClient(host())
    const response = await client.fetch(host().url + path)
    assert.strictEqual(response.status, 200)
    await response.text()
  })

  it("HOST-8 HOST-2 the API describes itself", async () => {
    const client = await newClient(host())
    const { body, headers, status } = await client.raw("/openapi.json", { method: "GET" })
    assert.strictEqual(status, 200)
    assert.include(headers.get("content-type") ?? "", "json")
    assert.deepInclude(body, { openapi: "3.1.0" })
    assert.strictEqual(body.info.version, "2026.09.28")
    const docs = await client.raw("/docs", { method: "GET" })
    assert.strictEqual(docs.status, 200)
    assert.include(docs.headers.get("content-type") ?? "", "text/html")
  })

  it("SEC-5 HOST-2 every answer says what it is, and that it is nothing else", async () => {
    const client = await newClient(host())
    const { gelToken } = await client.session()
    const signedIn = { authorization: `Bearer ${gelToken}`, "x-service-app": client.appId }
    const answers = await Promise.all([
      ...["/healthz", "/readyz", "/api/openapi.json", "/api/docs", "/api/nothing"].map((path) =>
        client.fetch(host().url + path)
      ),
      client.fetch(`${host().url}/healthz`, { method: "POST" }),
      client.fetch(`${host().url}/auth/exchange-token`, { method: "POST" }),
      client.fetch(`${host().url}/api/drive-events`, { headers: signedIn }),
      ...["/select-user-files", "/search-files", "/rename-file", "/read-file"].flatMap((route) => [
        client.fetch(`${host().url}/api${route}`, { method: "POST" }),
        client.fetch(`${host().url}/api${route}`, { method: "POST", headers: signedIn }),
        client.fetch(`${host().url}/api${route}`, { method: "POST", headers: signedIn, body: "{" })
      ])
    ])
    for (const answer of answers) {
      assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff", `${answer.status} ${answer.url}`)
      await answer.body?.cancel()
    }
    assert.includeMembers(answers.map(({ status }) => status), [200, 400, 401, 403, 404, 405])
  })

  it("SEC-2 HOST-2 no answer may be kept by a cache", async () => {
    const client = await newClient(host())
    const { gelToken } = await client.session()
    const answer = await client.raw("/select-user-files", { headers: { authorization: `Bearer ${gelToken}` } })
    assert.include(answer.headers.get("cache-control") ?? "", "no-store")
  })
}
