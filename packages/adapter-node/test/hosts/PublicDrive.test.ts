/** The operations of public links in a host's own code. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DriveError } from "@filedrive/adapter-node"
import { temporaryDrive, userOf } from "./hosts.ts"

const unknownId = "5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f"

describe("drive.public", () => {
  let host: Awaited<ReturnType<typeof temporaryDrive>>
  let userId: string

  beforeAll(async () => {
    host = await temporaryDrive({ url: "http://drive.test" })
    userId = (await userOf(host.drive)()).userId
  })
  afterAll(() => host.close())

  const refusalOf = async (call: Promise<unknown>) => {
    const error = await call.then(() => undefined, (error: unknown) => error)
    assert.instanceOf(error, DriveError)
    const { code, field, message, retryAfterSeconds, status } = error
    return { code, field, message, retryAfterSeconds, status }
  }

  it("LINK-8 has the operations of public links, and a user's drive has none of them", async () => {
    assert.isFunction(host.drive.public.openFileRequest)
    assert.notProperty(host.drive.public, "createFileRequest")
    assert.notProperty(host.drive.as(userId), "openFileRequest")
    assert.isFunction(host.drive.as(userId).createFileRequest)
  })

  it("LINK-8 opens a link by its password, and then by its access token", async () => {
    const { id } = await host.drive.as(userId).createFileRequest({ title: "Photos", password: "correct horse" })
    const needed = await refusalOf(host.drive.public.openFileRequest({ requestId: id }))
    assert.deepInclude(needed, { code: "password_needed", status: 403 })
    const { accessToken, title } = await host.drive.public.openFileRequest({ requestId: id, password: "correct horse" })
    assert.strictEqual(title, "Photos")
    const again = await host.drive.public.openFileRequest({ requestId: id }, { access: accessToken! })
    assert.strictEqual(again.title, "Photos")
    const wrong = await refusalOf(host.drive.public.openFileRequest({ requestId: id, password: "wrong" }))
    assert.deepStrictEqual(
      wrong,
      await refusalOf(host.drive.public.openFileRequest({ requestId: unknownId, password: "wrong" }))
    )
    assert.deepInclude(wrong, { code: "not_found", status: 404 })
    const misspelt = host.drive.public.openFileRequest({ requestId: id }, { token: accessToken } as never)
    assert.deepInclude(await refusalOf(misspelt), { code: "invalid_field", field: "token" })
  })

  it("LINK-8 limits wrong passwords by link, and by the address that the host names", async () => {
    const { id } = await host.drive.as(userId).createFileRequest({ title: "Photos", password: "correct horse" })
    const guess = (requestId: string, address?: string) =>
      refusalOf(host.drive.public.openFileRequest({ requestId, password: "wrong" }, { address: address ?? null }))
    const guesses = await Promise.all(Array.from({ length: 11 }, () => guess(id)))
    const statuses = guesses.map(({ status }) => status).toSorted()
    assert.deepStrictEqual(statuses, [...Array.from({ length: 10 }, () => 404), 429])
    const refused = await guess(id, "192.0.2.1")
    assert.deepInclude(refused, { code: "rate_limited", status: 429 })
    assert.isAtLeast(refused.retryAfterSeconds ?? 0, 1)
    assert.strictEqual((await guess(unknownId)).status, 404)
  })
})
