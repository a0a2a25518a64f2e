/** Calls of owners that are sent twice because their answer was lost. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { delivered, listed, made, newRequest } from "../../test/RequestsTest.ts"
import { call, signedIn, testHttp } from "../../test/TestHttp.ts"

layer(testHttp({ rateLimits: false }))("a call of an owner that is sent twice", (it) => {
  it.effect("OPS-7 createFileRequest makes another request", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      assert.notStrictEqual((yield* newRequest(token)).id, (yield* newRequest(token)).id)
    }))

  it.effect("OPS-7 setFileRequestOpen leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token)
      for (const open of [false, true]) {
        const once = yield* made(token, "/set-file-request-open", { requestId: id, open })
        const after = yield* listed(token, id)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* made(token, "/set-file-request-open", { requestId: id, open }), once)
        assert.deepStrictEqual(yield* listed(token, id), after)
      }
    }))

  it.effect("OPS-7 updateFileRequest leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token)
      const changes = {
        requestId: id,
        title: "Other",
        message: "Hello",
        maxBytes: 5,
        expireTime: "2030-01-01T00:00:00Z"
      }
      const once = yield* made(token, "/update-file-request", changes)
      const after = yield* listed(token, id)
      assert.deepStrictEqual(yield* made(token, "/update-file-request", changes), once)
      assert.deepStrictEqual(yield* listed(token, id), after)
    }))

  it.effect("OPS-7 deleteFileRequest leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const [{ id }, other] = [yield* newRequest(token), yield* newRequest(token)]
      yield* made(token, "/delete-file-request", { requestId: id })
      const after = yield* made(token, "/select-file-requests")
      assert.strictEqual((yield* call(token, "/delete-file-request", { requestId: id })).status, 404)
      assert.deepStrictEqual(yield* made(token, "/select-file-requests"), after)
      assert.deepStrictEqual(after.requests.map((request: { id: string }) => request.id), [other.id])
    }))

  it.effect("OPS-7 markDropsViewed leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token)
      const drop = yield* delivered(id, [1])
      const once = yield* made(token, "/mark-drops-viewed", { dropIds: [drop.id] })
      const after = yield* listed(token, id)
      assert.deepStrictEqual(yield* made(token, "/mark-drops-viewed", { dropIds: [drop.id] }), once)
      assert.deepStrictEqual(yield* listed(token, id), after)
      assert.isTrue(after.drops[0].viewed)
    }))

  it.effect("OPS-7 deleteDrops leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token)
      yield* delivered(id, [1])
      const other = yield* delivered(id, [2], "Ada")
      const gone = { requestId: id, senderName: "Grace" }
      assert.deepStrictEqual(yield* made(token, "/delete-drops", gone), { deleted: 1 })
      const after = yield* listed(token, id)
      assert.deepStrictEqual(after.drops.map((drop: { id: string }) => drop.id), [other.id])
      assert.deepStrictEqual(yield* made(token, "/delete-drops", gone), { deleted: 0 })
      assert.deepStrictEqual(yield* listed(token, id), after)
    }))
})
