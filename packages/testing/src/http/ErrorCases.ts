/** Every refusal that a caller can cause. */
import { assert, it } from "@effect/vitest"
import type { DriveClient } from "../DriveClient.ts"
import { content, type CurrentHost, newClient } from "./HttpHost.ts"

const json = { "content-type": "application/json" }
const nobody = "019845e1-682f-7b02-a706-3b2422d13aec"

/** The main fields of an error. */
const told = ({ body, status }: { readonly status: number; readonly body: Record<string, unknown> }) => {
  assert.isString(body["error"])
  assert.strictEqual(body["retryable"], [429, 500, 502, 503].includes(status))
  return { status, code: body["code"], ...(body["field"] === undefined ? {} : { field: body["field"] }) }
}

export interface BadCall {
  readonly what: string
  readonly route: string
  readonly body: (client: DriveClient) => Promise<unknown> | unknown
  readonly says: { readonly status: number; readonly code: string; readonly field?: string }
}

const input = (change: Record<string, unknown>) => async (client: DriveClient) => ({
  ...await client.describe({ fileName: "a.bin", bytes: content(10) }),
  ...change
})

/** Calls that are refused, each for one reason. */
export const badCalls: ReadonlyArray<BadCall> = [
  {
    what: "a field left out",
    route: "/generate-file-urls",
    body: input({ fileName: undefined }),
    says: { status: 400, code: "missing_field", field: "fileName" }
  },
  {
    what: "a negative size",
    route: "/create-multipart-upload",
    body: input({ fileSize: -1 }),
    says: { status: 400, code: "invalid_field", field: "fileSize" }
  },
  {
    what: "a key that climbs out",
    route: "/generate-file-urls",
    body: async (client) => input({ objectKey: `users/${(await client.session()).userId}/../x` })(client),
    says: { status: 400, code: "invalid_field", field: "objectKey" }
  },
  {
    what: "another user's key",
    route: "/generate-file-urls",
    body: input({ objectKey: `users/${nobody}/a.bin` }),
    says: { status: 403, code: "not_allowed" }
  },
  {
    what: "an insert before the bytes",
    route: "/insert-file",
    body: input({}),
    says: { status: 400, code: "object_not_found", field: "objectKey" }
  },
  {
    what: "an id that is not valid",
    route: "/trash-files",
    body: () => [{ id: nobody }, { id: "7" }],
    says: { status: 400, code: "invalid_field", field: "[1].id" }
  },
  {
    what: "too many files",
    route: "/delete-files",
    body: () => Array.from({ length: 101 }, () => ({ id: nobody })),
    says: { status: 400, code: "invalid_field" }
  },
  {
    what: "a file that is not there",
    route: "/generate-download-url",
    body: () => ({ id: nobody }),
    says: { status: 403, code: "file_not_found" }
  },
  {
    what: "renaming what is not there",
    route: "/rename-file",
    body: () => ({ fileId: nobody, fileName: "b" }),
    says: { status: 404, code: "not_found" }
  },
  {
    what: "an upload token nobody gave",
    route: "/complete-multipart-upload",
    body: () => ({ token: "fdu_nobody" }),
    says: { status: 403, code: "not_allowed" }
  },
  {
    what: "an array where an object belongs",
    route: "/generate-download-url",
    body: () => [],
    says: { status: 400, code: "invalid_body" }
  },
  {
    what: "no such route",
    route: "/no-such-route",
    body: () => ({}),
    says: { status: 404, code: "unknown_route" }
  }
]

export const errorCases = (host: CurrentHost): void => {
  it.each(badCalls)("ERR-1 HOST-2 $what is $says.status $says.code", async ({ body, route, says }) => {
    const client = await newClient(host())
    assert.deepStrictEqual(told(await client.call(route, await body(client))), says)
  })

  it("UP-20 UP-29 HOST-2 another size than the stored one is refused", async () => {
    const client = await newClient(host())
    const file = { fileName: "a.bin", bytes: content(10) }
    const described = await client.describe(file)
    await client.sendForm(await client.ok("/generate-file-urls", described), file.bytes)
    const refused = told(await client.call("/insert-file", { ...described, fileSize: 11 }))
    assert.deepStrictEqual(refused, { status: 400, code: "size_mismatch", field: "fileSize" })
  })

  it("UP-5 HOST-2 the key of a file is taken", async () => {
    const client = await newClient(host())
    const file = { fileName: "a.bin", bytes: content(10) }
    await client.upload(file)
    const refused = told(await client.call("/create-multipart-upload", await client.describe(file)))
    assert.deepStrictEqual(refused, { status: 400, code: "object_key_taken", field: "objectKey" })
  })

  it.each([
    { what: "is not JSON", body: "{\"id\":", headers: json },
    { what: "is only text", body: "\"id\"", headers: json },
    { what: "is a web form", body: "id=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
    { what: "is over 4 MiB", body: JSON.stringify({ id: "x".repeat(4 * 1024 * 1024) }), headers: json }
  ])("ERR-2 HOST-2 a body that $what is 400 invalid_body", async ({ body, headers }) => {
    const client = await newClient(host())
    const { gelToken } = await client.session()
    const answer = await client.raw("/generate-download-url", {
      body,
      headers: { ...headers, authorization: `Bearer ${gelToken}` }
    })
    assert.deepStrictEqual(told(answer), { status: 400, code: "invalid_body" })
  })

  it("ERR-4 HOST-2 a field nobody knows is ignored", async () => {
    const client = await newClient(host())
    // As a program that does not ask for strict handling.
    const { gelToken } = await client.session()
    const answer = await client.raw("/generate-file-urls", {
      body: JSON.stringify(await input({ colour: "red", media: { a: [1] } })(client)),
      headers: { ...json, authorization: `Bearer ${gelToken}` }
    })
    assert.strictEqual(answer.status, 200)
  })

  it("ERR-5 HOST-2 a route takes POST only, and says so", async () => {
    const client = await newClient(host())
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await client.raw("/select-user-files", { method })
      assert.deepStrictEqual(told(answer), { status: 405, code: "method_not_allowed" })
      assert.include(answer.headers.get("allow") ?? "", "POST")
    }
  })

  it("AUTH-3 HOST-2 a call without a session, or with a made-up one, is 401", async () => {
    const client = await newClient(host())
    assert.deepStrictEqual(told(await client.raw("/select-user-files", {})), { status: 401, code: "no_session" })
    const made = await client.raw("/select-user-files", { headers: { authorization: "Bearer made-up" } })
    assert.deepStrictEqual([made.status, made.body.retryable], [401, false])
  })

  it("AUTH-4 HOST-2 a call of another app, or of none, is 403", async () => {
    const client = await newClient(host())
    for (const app of ["other", ""]) {
      const answer = await client.call("/select-user-files", undefined, { "x-service-app": app })
      assert.deepStrictEqual(told(answer), { status: 403, code: "wrong_app" })
    }
  })

  it("ERR-9 HOST-2 storage that is away is 502", async ({ skip }) => {
    const { failStorage } = host()
    if (failStorage === undefined) return skip("this store can't be made to fail")
    const client = await newClient(host())
    const body = await input({})(client)
    await failStorage()
    const answer = told(await client.call("/generate-file-urls", body))
    assert.deepStrictEqual(answer, { status: 502, code: "storage_unavailable" })
    assert.strictEqual((await client.call("/generate-file-urls", body)).status, 200)
  })
}
