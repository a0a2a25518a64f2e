/** What a host's own code may not pass either: it is refused as over HTTP. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DriveError, type UserDrive } from "@filedrive/adapter-node"
import { Api, Operations } from "@filedrive/core"
import { DriveClient } from "@filedrive/testing"
import { badCalls } from "@filedrive/testing/suites"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"
import { refused, wrongNames } from "./refusedBodies.ts"

/** The operations by their routes, with and without an account. Those without a body, and live streams, take nothing that could be refused. */
const operations = new Map(
  Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints).flatMap(({ identifier, method, path, payload }) =>
      payload.size === 0 || method === "GET"
        ? []
        : [[path as string, identifier as Operations.OperationId | Operations.PublicOperationId] as const]
    )
  )
)
const publicIds: ReadonlySet<string> = new Set(Operations.publicIds)

interface Refusal {
  readonly code?: string
  readonly field?: string
  readonly message?: string
}

describe("the drive in code", () => {
  let host: Awaited<ReturnType<typeof temporaryDrive>>
  let client: DriveClient
  let me: UserDrive

  beforeAll(async () => {
    host = await temporaryDrive({ url: "http://drive.test", rateLimits: false })
    const { apiToken, userId } = await userOf(host.drive)()
    client = new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(host.drive) })
    me = host.drive.as(userId)
  })
  afterAll(() => host.close())

  /** What code is refused with, beside what HTTP says. */
  const compare = async (route: string, body: unknown) => {
    const { body: said, status } = await client.call(route, body, { prefer: "handling=strict" })
    assert.isAtLeast(status, 400, `${route} ${JSON.stringify(body)?.slice(0, 200)} is refused`)
    assert.isBelow(status, 500, route)
    const id = operations.get(route)!
    const calls = (publicIds.has(id) ? host.drive.public : me) as unknown as Readonly<
      Record<string, (body: unknown) => Promise<unknown>>
    >
    const call = calls[id]!
    const refusal = await call(body).then((): unknown => undefined, (error: unknown) => error)
    const where = `${route} ${JSON.stringify(body)?.slice(0, 200)}`
    assert.instanceOf(refusal, DriveError, where)
    const { code, field, message: error, retryable, status: inCode } = refusal
    assert.deepStrictEqual({ code, error, retryable, status: inCode, ...(field !== undefined && { field }) }, {
      ...said,
      status
    }, where)
  }

  const inCode = badCalls.filter(({ route }) => operations.has(route))

  it.each(inCode)("HOST-31 $what is refused as over HTTP", async ({ body, route }) => {
    await compare(route, await body(client))
  })

  it("HOST-31 whatever a route refuses of a body, code is refused with the same code, field and sentence", async () => {
    const described = await client.describe({ fileName: "a.bin", bytes: new Uint8Array(10) })
    for (const [route, body] of refused) await compare(route, body(described))
    // No route is forgotten: each was refused something.
    assert.sameMembers([...new Set(refused.map(([route]) => route))], [...operations.keys()])
  })

  it("ERR-30 HOST-31 every operation refuses an unknown field, with and without the fields of public links, and does nothing", async () => {
    const calls = [
      ...Operations.ids.map((id) => [id, me] as const),
      ...Operations.publicIds.map((id) => [id, host.drive.public] as const)
    ]
    for (const [id, on] of calls) {
      const call = (on as unknown as Readonly<Record<string, (body: unknown) => Promise<unknown>>>)[id]!
      const refusal = await call({ mispelt: 1 }).then((): Refusal => ({}), (error: Refusal) => error)
      // Routes that take a list of files take no object.
      if (refusal.code === "invalid_body") continue
      assert.deepInclude(refusal, { code: "unknown_field", field: "mispelt" }, id)
    }
  })

  it("HOST-31 an operation without a body takes no list and no text, in code as over HTTP", async () => {
    for (const given of [[], [{ id: "x" }], "x", 5, true]) {
      const error = await (me.purgeTrashedFiles as (given: unknown) => Promise<unknown>)(given).then(
        (): object => ({}),
        (error: object) => error
      )
      assert.deepInclude(error, { code: "invalid_body", status: 400 }, JSON.stringify(given))
    }
  })

  it("HOST-31 ids of files to extract again that are no list, or no ids, are refused", async () => {
    for (
      const [given, field] of [[undefined], [null], ["x"], [{}], [["7"], "[0].id"]] as ReadonlyArray<
        readonly [unknown, string?]
      >
    ) {
      const error = await me.files.reextract(given as never).then((): object => ({}), (error: object) => error)
      assert.deepInclude(error, { code: "invalid_field", field }, JSON.stringify(given))
    }
  })

  it("HOST-31 what a feed is asked for is refused as other arguments are, not thrown as a TypeError", async () => {
    const first = (given: unknown) =>
      me.events(given as never)[Symbol.asyncIterator]().next().then((): object => ({}), (error: object) => error)
    for (const given of [null, "x", 7, []]) {
      assert.deepInclude(await first(given), {
        code: "invalid_field",
        field: undefined,
        message: "The body must be an object."
      })
    }
    for (const signal of [null, "x", {}]) {
      assert.deepInclude(await first({ signal }), {
        code: "invalid_field",
        field: "signal",
        message: "signal must be an AbortSignal."
      })
    }
  })

  it("BULK-7 HOST-31 a row of a bulk import passes what an upload passes", async () => {
    const { objectKey } = await client.describe({ fileName: "a.bin", bytes: new Uint8Array(10) })
    const row = { objectKey, storedAs: "a", fileName: "a", type: "Other" as const, fileSize: 1, etag: "e" }
    const wrong = [
      ...wrongNames.map((fileName) => ({ fileName })),
      ...[-1, 1.5, "1", undefined].map((fileSize) => ({ fileSize })),
      ...["a", "text/plain\r\nx: y", "text/plain\u0000"].map((mimeType) => ({ mimeType })),
      ...[`${objectKey}\u0000`, `${objectKey}/../x`].map((objectKey) => ({ objectKey })),
      ...["", "a\u0000"].map((etag) => ({ etag })),
      ...["/a\u0000", "a"].map((folder) => ({ folder })),
      ...["x".repeat(10_001), "a\u0000"].map((description) => ({ description }))
    ]
    for (const change of wrong) {
      const error = await me.files.importMany([{ ...row, ...change } as never], { verify: false })
        .then((): Refusal => ({}), (error: Refusal) => error)
      const [field] = Object.keys(change)
      assert.strictEqual(error.field, `rows[0].${field}`, JSON.stringify(change).slice(0, 100))
      assert.include(["invalid_field", "missing_field"], error.code)
      assert.match(error.message ?? "", /^rows\[0\]\.\w+ (?:must|is) .*[^.]\.$/)
    }
    for (const [tags, field] of [[["ok", ""], "tags[1]"], [["a\u0000"], "tags[0]"]] as const) {
      const error = await me.files.importMany([{ ...row, tags }], { verify: false })
        .then((): Refusal => ({}), (error: Refusal) => error)
      assert.strictEqual(error.field, `rows[0].${field}`)
    }
  })
})
