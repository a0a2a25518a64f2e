/** Sessions, tokens and their limits. */
import { assert, it } from "@effect/vitest"
import { clientOf, content, type CurrentHost, newClient } from "./HttpHost.ts"

export const tokenCases = (host: CurrentHost): void => {
  it("AUTH-1 HOST-2 an API token becomes a session", async () => {
    const { apiToken, userId } = await host().user()
    const { body, status } = await clientOf(host(), apiToken).exchange()
    assert.strictEqual(status, 200)
    assert.deepInclude(body, { userId, expiresIn: 86_400 })
    assert.isString(body.gelToken)
  })

  it("AUTH-2 HOST-2 a token nobody gave is refused", async () => {
    const { body, status } = await clientOf(host(), "fdt_nobody").exchange()
    assert.deepStrictEqual([status, body.code, body.retryable], [401, "invalid_token", false])
  })

  it("AUTH-5 AUTH-6 AUTH-7 HOST-2 a token is made, listed without its secret, and revoked with its sessions", async () => {
    const owner = await newClient(host())
    const made = await owner.ok("/create-api-token", { name: "printer" })
    const program = clientOf(host(), made.token)
    assert.deepStrictEqual(await program.ok("/select-user-files"), [])
    const listed = await owner.ok("/select-api-tokens")
    assert.include(listed.map((token: { id: string }) => token.id), made.id)
    assert.notInclude(JSON.stringify(listed), made.token)
    await owner.ok("/revoke-api-token", { id: made.id })
    assert.strictEqual((await program.call("/select-user-files")).status, 401)
    assert.strictEqual((await program.exchange()).status, 401)
  })

  it("AUTH-8 AUTH-10 HOST-2 a token does what its permissions name", async () => {
    const owner = await newClient(host())
    const id = await owner.upload({ fileName: "a.bin", bytes: content(10) })
    const { token } = await owner.ok("/create-api-token", { name: "reader", permissions: ["read"] })
    const reader = clientOf(host(), token)
    assert.strictEqual((await reader.download(id)).length, 10)
    const input = await reader.describe({ fileName: "b.bin", bytes: content(1) })
    for (
      const [route, body] of [
        ["/generate-file-urls", input],
        ["/create-multipart-upload", input],
        ["/insert-file", input],
        ["/generate-upload-forms", { files: [input] }],
        ["/insert-files", { files: [input] }],
        ["/trash-files", [{ id }]],
        ["/delete-files", [{ id }]],
        ["/toggle-file-access", { id }],
        ["/create-api-token", { name: "more" }],
        ["/select-api-tokens", undefined]
      ] as const
    ) {
      const { body: error, status } = await reader.call(route, body)
      assert.deepStrictEqual([route, status, error.code], [route, 403, "token_limit"])
    }
    assert.strictEqual((await owner.download(id)).length, 10)
  })

  it("UP-7 AUTH-12 HOST-2 a user without a plan stores nothing, and may read", async () => {
    const client = await newClient(host(), { plan: null })
    const input = await client.describe({ fileName: "a.bin", bytes: content(1) })
    for (const route of ["/generate-file-urls", "/create-multipart-upload", "/insert-file"]) {
      const { body, status } = await client.call(route, input)
      assert.deepStrictEqual([status, body.code], [403, "no_plan"])
    }
    assert.deepStrictEqual(await client.ok("/select-user-files"), [])
    assert.deepStrictEqual(await client.ok("/trash-files", [{ id: "019845e1-682f-4b02-a706-3b2422d13aec" }]), {
      trashed: []
    })
  })

  it("USE-4 UP-6 HOST-2 an account's quota is shown and held", async () => {
    const client = await newClient(host(), { quotaBytes: 100 })
    assert.deepInclude(await client.ok("/get-user-storage-usage"), { usedBytes: 0, quotaBytes: 100 })
    await client.upload({ fileName: "a.bin", bytes: content(60) })
    const { body, status } = await client.call(
      "/generate-file-urls",
      await client.describe({ fileName: "b.bin", bytes: content(41) })
    )
    assert.deepStrictEqual([status, body.code], [400, "storage_limit_reached"])
    await client.upload({ fileName: "b.bin", bytes: content(40) })
  })
}
