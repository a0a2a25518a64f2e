/** What owners do with file requests, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { dropFile, drops, sendByForm, startDrop } from "../../test/DropsTest.ts"
import { delivered, listed, made, newRequest, refusal } from "../../test/RequestsTest.ts"
import { call, newUser, send, signedIn, testHttp } from "../../test/TestHttp.ts"
import { balance } from "../../test/UploadsTest.ts"
import { AccountsAdmin } from "../accounts/AccountsAdmin.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { Database } from "../database/Database.ts"
import * as Limits from "../limits/Limits.ts"
import { RequestId } from "../shared/Ids.ts"

const nobody = "5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f"

const open = (requestId: string, password?: string, access?: string) =>
  send("/api/open-file-request", {
    method: "POST",
    headers: { "content-type": "application/json", ...access !== undefined && { "x-link-access": access } },
    body: JSON.stringify({ requestId, ...password !== undefined && { password } })
  })

layer(testHttp({ rateLimits: false }), { timeout: "120 seconds" })("file requests of an owner", (it) => {
  it.effect("REQ-75 an account has at most 10,000 requests", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { folder, id } = yield* newRequest(token)
      const { sql, tables: t } = yield* Database
      yield* sql`
        INSERT INTO ${t.file_requests} (id, account_id, title, folder_path, folded_path, insert_time)
        SELECT gen_random_uuid(), account_id, title, folder_path, folded_path, insert_time
        FROM ${t.file_requests}, generate_series(1, ${Limits.requestsOfAccount - 2}::int) WHERE id = ${id}
      `
      yield* newRequest(token, { folderId: folder.id })
      const body = { title: "One more", folder: "/More" }
      const refused = yield* call(token, "/create-file-request", body)
      assert.deepStrictEqual([refused.status, refused.body.code], [403, "not_allowed"])
      assert.strictEqual((yield* call(token, "/delete-file-request", { requestId: id })).status, 200)
      assert.strictEqual((yield* call(token, "/create-file-request", body)).status, 200)
    }))

  it.effect("REQ-2 REQ-4 a request is answered with its folder, which is made", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const body = yield* newRequest(token, {
        folder: "/Concerts/Lisbon",
        message: "Thanks!\nAll of them.",
        maxBytes: 9
      })
      const { folder, id, ...rest } = body
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.strictEqual(folder.path, "/Concerts/Lisbon")
      assert.deepStrictEqual(rest, {
        title: "Photos",
        message: "Thanks!\nAll of them.",
        expireTime: null,
        maxBytes: 9,
        hasPassword: false
      })
      const again = yield* newRequest(token, { folderId: folder.id, password: "p", expireTime: "2030-01-01T00:00:00Z" })
      assert.deepStrictEqual(again.folder, folder)
      assert.deepInclude(again, { hasPassword: true, expireTime: "2030-01-01T00:00:00.000Z", maxBytes: null })
      assert.deepStrictEqual((yield* newRequest(token, { folder: "/" })).folder, { id: null, path: "/" })
    }))

  it.effect("REQ-2 without a folder arrivals land in one at the top that is named for the request", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const named = (title: string) => Effect.map(newRequest(token, { title }), (body) => body.folder.path)
      assert.strictEqual(yield* named("Photos of 24/12"), "/Photos of 24-12")
      assert.strictEqual(yield* named("/"), "/-")
      assert.strictEqual(yield* named("x".repeat(200)), `/${"x".repeat(200)}`)
      const [one, other] = [yield* newRequest(token), yield* newRequest(token)]
      assert.deepStrictEqual(one.folder, other.folder)
      assert.notStrictEqual(one.id, other.id)
    }))

  it.effect("REQ-2 what is wrong with a new request is named", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const other = yield* signedIn
      const theirs = (yield* made(other.token, "/create-folder", { path: "/Theirs" })).id
      const mine = (yield* made(token, "/create-folder", { path: "/Mine" })).id
      const refused = (fields: object) => refusal(token, "/create-file-request", { title: "Photos", ...fields })
      assert.deepStrictEqual(yield* refused({ folder: "/Mine", folderId: mine }), [400, "invalid_field", "folderId"])
      assert.deepStrictEqual(yield* refused({ folderId: theirs }), [404, "not_found", undefined])
      assert.deepStrictEqual(yield* refused({ title: "" }), [400, "invalid_field", "title"])
      assert.deepStrictEqual(yield* refused({ title: "x".repeat(201) }), [400, "invalid_field", "title"])
      assert.deepStrictEqual(yield* refused({ title: "a\u2028b" }), [400, "invalid_field", "title"])
      assert.deepStrictEqual(yield* refused({ message: "x".repeat(2_001) }), [400, "invalid_field", "message"])
      assert.deepStrictEqual(yield* refused({ maxBytes: 0 }), [400, "invalid_field", "maxBytes"])
      assert.deepStrictEqual(yield* refused({ folder: "Mine" }), [400, "invalid_field", "folder"])
      assert.deepStrictEqual(yield* refused({ password: "" }), [400, "invalid_field", "password"])
      assert.deepStrictEqual(yield* refusal(token, "/create-file-request", {}), [400, "missing_field", "title"])
      assert.deepStrictEqual((yield* made(token, "/select-file-requests")).requests, [])
    }))

  it.effect("REQ-3 a time that has passed is refused", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token)
      for (const expireTime of ["2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z"]) {
        const wrong = [400, "invalid_field", "expireTime"]
        assert.deepStrictEqual(yield* refusal(token, "/create-file-request", { title: "a", expireTime }), wrong)
        assert.deepStrictEqual(yield* refusal(token, "/update-file-request", { requestId: id, expireTime }), wrong)
      }
      yield* newRequest(token, { expireTime: "2026-01-01T00:00:00.001Z" })
    }))

  it.effect("REQ-5 whoever has the link sees the request, and nothing else of its owner", () =>
    Effect.gen(function*() {
      const userId = yield* newUser({ displayName: "Ada", handle: "ada", quotaBytes: 1_000 })
      const { token } = yield* (yield* Sessions).open(userId)
      const { id } = yield* newRequest(token, { message: "Hello", maxBytes: 100, expireTime: "2030-01-01T00:00:00Z" })
      yield* delivered(id, [30])
      const sender = yield* startDrop(RequestId.make(id))
      yield* drops((all) => all.createForm(sender.token, dropFile(20)))
      const shown = {
        id,
        title: "Photos",
        message: "Hello",
        owner: { displayName: "Ada" },
        takesFiles: true,
        closedBecause: null,
        expireTime: "2030-01-01T00:00:00.000Z",
        remainingBytes: 50
      }
      assert.deepStrictEqual((yield* open(id)).body, shown)
      yield* drops((all) => all.createForm(sender.token, dropFile(50, "b.bin")))
      assert.deepStrictEqual((yield* open(id)).body, {
        ...shown,
        takesFiles: false,
        closedBecause: "full",
        remainingBytes: 0
      })
      yield* made(token, "/set-file-request-open", { requestId: id, open: false })
      assert.deepInclude((yield* open(id)).body, { closedBecause: "closed", takesFiles: false, remainingBytes: 70 })
    }))

  it.effect("REQ-55 a request of an owner without a plan says that it is closed, as every attempt to send is answered", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const { id } = yield* newRequest(token)
      const admin = yield* AccountsAdmin
      yield* admin.setPlan(userId, null)
      assert.deepInclude((yield* open(id)).body, { closedBecause: "closed", takesFiles: false })
      yield* admin.setPlan(userId, "pro")
      assert.deepInclude((yield* open(id)).body, { closedBecause: null, takesFiles: true })
    }))

  it.effect("REQ-9 a closed request takes nothing, gives back what was held, and can be opened again", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const { id } = yield* newRequest(token)
      const sender = yield* startDrop(RequestId.make(id))
      yield* sendByForm(sender.token, dropFile(10))
      yield* drops((all) => all.createForm(sender.token, dropFile(500, "b.bin")))
      assert.deepStrictEqual(yield* balance(userId), { usedBytes: 10, heldBytes: 500 })
      const closed = yield* made(token, "/set-file-request-open", { requestId: id, open: false })
      assert.deepInclude(closed, { id, open: false, expireTime: null })
      assert.isString(closed.closeTime)
      assert.deepStrictEqual(yield* balance(userId), { usedBytes: 10, heldBytes: 0 })
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* made(token, "/set-file-request-open", { requestId: id, open: false }), closed)
      assert.deepInclude(yield* listed(token, id), { open: false, closeTime: closed.closeTime, receivedBytes: 10 })
      assert.deepStrictEqual(yield* made(token, "/set-file-request-open", { requestId: id, open: true }), {
        id,
        open: true,
        closeTime: null,
        expireTime: null
      })
      yield* sendByForm(sender.token, dropFile(500, "b.bin"))
      assert.deepStrictEqual(yield* refusal(token, "/set-file-request-open", { requestId: nobody, open: true }), [
        404,
        "not_found",
        undefined
      ])
    }))

  it.effect("REQ-10 a request that is opened past its end still takes no files, until its end is changed", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 5, 1))
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token, { expireTime: "2026-06-01T01:00:00.000Z" })
      assert.isTrue((yield* listed(token, id)).open)
      yield* made(token, "/set-file-request-open", { requestId: id, open: false })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* open(id)).body.closedBecause, "closed")
      const opened = yield* made(token, "/set-file-request-open", { requestId: id, open: true })
      assert.deepStrictEqual(opened, { id, open: false, closeTime: null, expireTime: "2026-06-01T01:00:00.000Z" })
      assert.deepInclude((yield* open(id)).body, { takesFiles: false, closedBecause: "expired" })
      yield* made(token, "/update-file-request", { requestId: id, expireTime: null })
      assert.deepInclude((yield* open(id)).body, { takesFiles: true, closedBecause: null, expireTime: null })
      assert.isTrue((yield* listed(token, id)).open)
    }))

  it.effect("REQ-11 a change leaves what it does not name, and null takes away", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const request = yield* newRequest(token, {
        message: "Hello",
        maxBytes: 100,
        expireTime: "2030-01-01T00:00:00Z",
        password: "first"
      })
      const update = (fields: object) => made(token, "/update-file-request", { requestId: request.id, ...fields })
      assert.deepStrictEqual(yield* update({}), request)
      assert.deepStrictEqual(yield* update({ title: "Videos" }), { ...request, title: "Videos" })
      assert.deepStrictEqual(yield* update({ message: null, maxBytes: null, expireTime: null, password: null }), {
        ...request,
        title: "Videos",
        message: null,
        maxBytes: null,
        expireTime: null,
        hasPassword: false
      })
      assert.deepStrictEqual(yield* refusal(token, "/update-file-request", { requestId: request.id, title: null }), [
        400,
        "invalid_field",
        "title"
      ])
      yield* delivered(request.id, [60])
      yield* update({ maxBytes: 50 })
      assert.deepInclude((yield* open(request.id)).body, { closedBecause: "full", remainingBytes: 0 })
      assert.deepStrictEqual(yield* refusal(token, "/update-file-request", { requestId: nobody }), [
        404,
        "not_found",
        undefined
      ])
    }))

  it.effect("REQ-11 LINK-4 another password, or none, ends the access by the former one", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token, { password: "first" })
      const access = (yield* open(id, "first")).body.accessToken as string
      assert.strictEqual((yield* open(id, undefined, access)).status, 200)
      yield* made(token, "/update-file-request", { requestId: id, title: "Other" })
      assert.strictEqual((yield* open(id, undefined, access)).status, 200)
      yield* made(token, "/update-file-request", { requestId: id, password: "second" })
      assert.strictEqual((yield* open(id, undefined, access)).status, 403)
      assert.strictEqual((yield* open(id, "first")).status, 404)
      assert.strictEqual((yield* open(id, "second")).status, 200)
      yield* made(token, "/update-file-request", { requestId: id, password: null })
      assert.strictEqual((yield* open(id)).status, 200)
      yield* made(token, "/update-file-request", { requestId: id, password: "first" })
      assert.strictEqual((yield* open(id, undefined, access)).status, 403)
    }))

  it.effect("REQ-12 LINK-2 a deleted request leads nowhere, its files and folder stay, and what was held is given back", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const { folder, id } = yield* newRequest(token)
      const sent = yield* delivered(id, [10])
      const sender = yield* startDrop(RequestId.make(id))
      yield* drops((all) => all.createForm(sender.token, dropFile(500)))
      assert.deepStrictEqual(yield* made(token, "/delete-file-request", { requestId: id }), { deleted: true })
      const gone = yield* open(id)
      assert.deepStrictEqual([gone.status, gone.body], [404, (yield* open(nobody)).body])
      assert.isUndefined(yield* listed(token, id))
      assert.deepStrictEqual(yield* balance(userId), { usedBytes: 10, heldBytes: 0 })
      const { files } = yield* made(token, "/search-files", { folder: folder.path })
      assert.deepStrictEqual(files.map((file: { id: string }) => file.id), sent.fileIds)
      assert.deepStrictEqual(yield* refusal(token, "/delete-file-request", { requestId: id }), [
        404,
        "not_found",
        undefined
      ])
    }))
})
