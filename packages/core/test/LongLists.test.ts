/** Lists of any length over HTTP, whose readers are many, slow or gone. */
import { assert, layer as testLayer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { unlimited } from "../src/accounts/CurrentAccount.ts"
import { Database } from "../src/database/Database.ts"
import { DriveHttp } from "../src/http/DriveHttp.ts"
import { Operations } from "../src/http/Operations.ts"
import * as Limits from "../src/limits/Limits.ts"
import { AccountId } from "../src/shared/Ids.ts"
import { call, signedIn, testHttp } from "./TestHttp.ts"

const { perAccount } = Limits.longAnswers.lists

/** A user with so many files, `length` characters of description each. */
const withFiles = Effect.fnUntraced(function*(count: number, length = 0) {
  const { sql, tables: t } = yield* Database
  const user = yield* signedIn
  yield* sql`
    INSERT INTO ${t.files}
      (id, account_id, type, file_name, mime_type, size, object_key, store_key, etag, insert_time, description)
    SELECT gen_random_uuid(), ${user.userId}, 'Text', 'f' || n, 'text/plain', 0, 'k' || n, ${user.userId}::text || n, 'e',
      to_timestamp(n), nullif(repeat('d', ${length}::int), '')
    FROM generate_series(1, ${count}::int) n
  `
  return user
})

const list = Effect.fnUntraced(function*(token: string, route = "/select-user-files") {
  const { fetch } = yield* DriveHttp
  const headers = { authorization: `Bearer ${token}`, "x-service-app": "filedrive", origin: "https://a.test" }
  return yield* Effect.promise(() => fetch(new Request(`http://drive.test/api${route}`, { method: "POST", headers })))
})

/** A page of a playlist. */
const page = Effect.fnUntraced(function*(token: string, playlistId: string) {
  const { fetch } = yield* DriveHttp
  const headers = {
    authorization: `Bearer ${token}`,
    "x-service-app": "filedrive",
    "content-type": "application/json"
  }
  return yield* Effect.promise(() =>
    fetch(
      new Request("http://drive.test/api/select-playlist", {
        method: "POST",
        headers,
        body: JSON.stringify({ playlistId, limit: 200 })
      })
    )
  )
})

const countOf = (response: Response) =>
  Effect.map(Effect.promise(() => response.json()), (records) => (records as ReadonlyArray<unknown>).length)

const caller = (userId: string) => ({ id: AccountId.make(userId), tokenId: null, limits: unlimited })

const drive = Operations.layer.pipe(
  Layer.provideMerge(testHttp({ rateLimits: false, allowedOrigins: ["https://a.test"] }))
)

testLayer(drive, { timeout: "60 seconds" })(
  "Lists over HTTP",
  (it) => {
    it.effect("LONG-1 a list beyond the limit is 429 with Retry-After; other calls are served, and the next list once one has ended", () =>
      Effect.gen(function*() {
        const { token } = yield* withFiles(2_000)
        const other = yield* withFiles(2_000)
        const open = yield* Effect.replicateEffect(list(token), perAccount)
        const refused = yield* list(token, "/select-trashed-files")
        assert.strictEqual(refused.status, 429)
        assert.strictEqual(refused.headers.get("retry-after"), String(Limits.longAnswers.retryAfterSeconds))
        assert.strictEqual(refused.headers.get("access-control-allow-origin"), "https://a.test")
        const body = yield* Effect.promise(() => refused.json())
        assert.deepInclude(body, { code: "rate_limited", retryable: true })
        assert.strictEqual(yield* countOf(yield* list(other.token)), 2_000)
        assert.strictEqual(yield* countOf(open[0]!), 2_000)
        assert.strictEqual(yield* countOf(yield* list(token)), 2_000)
        yield* Effect.promise(() => open[1]!.body!.cancel())
        assert.strictEqual(yield* countOf(yield* list(token)), 2_000)
        // Nobody waits for those that are left.
        yield* Effect.forEach(open.slice(2), (response) => Effect.promise(() => response.body!.cancel()))
      }))

    it.effect("LONG-2 unread pages count for their caller, also pages with long texts", () =>
      Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const { token, userId } = yield* withFiles(200, Limits.descriptionMaxLength)
        const other = yield* signedIn
        const files = yield* sql<{ readonly id: string }>`
          UPDATE ${t.files} SET type = 'Audio' WHERE account_id = ${userId} RETURNING id
        `
        const fileIds = files.map(({ id }) => id)
        const { id } = (yield* call(token, "/create-playlist", { title: "Long", fileIds })).body
        const bytesOfPage = 200 * Limits.descriptionMaxLength
        const most = Math.floor(Limits.longAnswers.bytes.perAccount / bytesOfPage)
        const statuses = yield* Effect.replicateEffect(Effect.map(page(token, id), ({ status }) => status), most + 5)
        assert.include(statuses, 200)
        assert.strictEqual(statuses.at(-1), 429)
        assert.isAtMost(statuses.filter((status) => status === 200).length, most + 1)
        assert.strictEqual((yield* call(other.token, "/search-files", {})).status, 200)
        yield* TestClock.adjust(Duration.sum(Limits.longAnswers.stall, Duration.seconds(1)))
        const read = yield* page(token, id)
        const { files: again } = (yield* Effect.promise(() => read.json())) as {
          readonly files: ReadonlyArray<unknown>
        }
        assert.lengthOf(again, 200)
      }))

    it.effect("LONG-3 LONG-4 the answer to a reader that has stopped ends with an error, not as a shorter list", () =>
      Effect.gen(function*() {
        const { token } = yield* withFiles(5_000)
        const response = yield* list(token)
        const reader = response.body!.getReader()
        const first = yield* Effect.promise(() => reader.read())
        assert.isFalse(first.done)
        yield* TestClock.adjust(Duration.sum(Limits.longAnswers.stall, Duration.seconds(1)))
        const rest = yield* Effect.exit(Effect.tryPromise(async () => {
          while (!(await reader.read()).done) { /* What was on its way. */ }
        }))
        assert.strictEqual(rest._tag, "Failure")
      }))

    it.effect("LIB-11 pages of records with long descriptions have fewer records", () =>
      Effect.gen(function*() {
        const { token } = yield* withFiles(1_500, Limits.descriptionMaxLength)
        const reader = (yield* list(token)).body!.getReader()
        const lengths: Array<number> = []
        for (;;) {
          const { done, value } = yield* Effect.promise(() => reader.read())
          if (done) break
          lengths.push(value.length)
        }
        assert.isAbove(lengths.reduce((sum, length) => sum + length, 0), 15_000_000)
        assert.isBelow(Math.max(...lengths), 1_500_000)
      }))

    it.effect("LONG-6 a whole list in code has a limit, and the error message beyond it says to read by pages", () =>
      Effect.gen(function*() {
        const operations = yield* Operations
        const { inCode, ofTool } = Limits.wholeListMaxCount
        const { userId } = yield* withFiles(inCode)
        const all = yield* operations.run("selectUserFiles", undefined, caller(userId))
        assert.lengthOf(all, inCode)
        const ofATool = yield* Effect.flip(
          operations.runNamed("selectUserFiles", undefined, caller(userId), ofTool)
        )
        assert.deepInclude(ofATool, {
          code: "invalid_body",
          error: `The list has more than ${ofTool} entries: search for files a page at a time.`
        })
        const more = yield* withFiles(inCode + 1)
        const refused = yield* Effect.flip(operations.run("selectUserFiles", undefined, caller(more.userId)))
        assert.strictEqual(refused.code, "invalid_body")
      }))
  }
)
