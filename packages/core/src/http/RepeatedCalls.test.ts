/** Calls that browsers send again by themselves. */
import { assert, layer } from "@effect/vitest"
import { MemoryObjectStore } from "@filedrive/testing"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { addFile } from "../../test/FilesTest.ts"
import { begin, gate, status } from "../../test/HangUps.ts"
import { good, leave, newReview, proxy, seen, sent } from "../../test/ReviewsTest.ts"
import { call, exchange, send, signedIn, testHttp } from "../../test/TestHttp.ts"
import { Sessions } from "../accounts/Sessions.ts"
import type { AccountId } from "../shared/Ids.ts"

/** Calls an operation under a key. */
const keyed = (session: string, key: string, route: string, body: unknown) =>
  send(`/api${route}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${session}`,
      "x-service-app": "filedrive",
      "content-type": "application/json",
      "idempotency-key": key
    },
    body: JSON.stringify(body)
  })

/** Makes an API token, under a key. */
const make = (session: string, key: string, name = "laptop") => keyed(session, key, "/create-api-token", { name })

/** Another session of somebody. */
const another = (userId: AccountId) =>
  Effect.map(Sessions.use((sessions) => sessions.open(userId)), ({ token }) => token)

layer(testHttp({ rateLimits: false, trustedProxies: proxy }))("a call with an Idempotency-Key", (it) => {
  it.effect("OPS-13 is done once, and answered the same each time", () =>
    Effect.gen(function*() {
      const { id, token } = yield* newReview()
      const note = { reviewId: id, reviewer: "Grace", seconds: 1, text: "Too dark" }
      const leaveOnce = (key: string) =>
        good(sent("/leave-review-note", note, { "idempotency-key": key.padEnd(32, ".") }))
      const first = yield* leaveOnce("a")
      assert.deepStrictEqual(yield* leaveOnce("a"), first)
      assert.lengthOf((yield* seen(token, id)).notes, 1)
      assert.notStrictEqual((yield* leaveOnce("b")).id, first.id)
      yield* leave(id, note)
      assert.lengthOf((yield* seen(token, id)).notes, 3)
    }))

  it.effect("OPS-13 is done once when it comes many times at once", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const answers = yield* Effect.forEach([1, 2, 3, 4, 5], () => good(make(token, "a")), { concurrency: "unbounded" })
      assert.lengthOf([...new Set(answers.map(({ token }) => token))], 1)
    }))

  it.effect("OPS-13 of another caller, or with another body, is another call", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* signedIn, yield* signedIn]
      const texts = [
        yield* good(make(one.token, "a")),
        yield* good(make(other.token, "a")),
        yield* good(make(one.token, "a", "desk"))
      ].map(({ token }) => token)
      assert.lengthOf([...new Set(texts)], 3)
    }))

  it.effect("OPS-13 by another session of the same account is the same call", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const first = yield* good(make(token, "a"))
      assert.deepStrictEqual(yield* good(make(yield* another(userId), "a")), first)
    }))

  it.effect("OPS-13 that was refused by what it does is done again, each of many at once", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const videoId = yield* addFile(userId, { type: "Video", mimeType: "video/mp4" })
      const review = (fileId: string) => keyed(token, "a", "/create-file-review", { fileId })
      yield* good(call(token, "/trash-files", [{ id: videoId }]))
      const refused = yield* Effect.forEach([1, 2, 3, 4, 5], () => review(videoId), { concurrency: "unbounded" })
      assert.deepStrictEqual(refused.map(({ status }) => status), [404, 404, 404, 404, 404])
      yield* good(call(token, "/restore-files", [{ id: videoId }]))
      const { id } = yield* good(review(videoId))
      assert.strictEqual((yield* good(review(videoId))).id, id)
    }))

  it.effect("OPS-13 whose caller disconnects while it is at work gets its answer when it comes again", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const memory = yield* MemoryObjectStore
      const fileId = yield* addFile(userId, { fileName: "a.txt" })
      const { fault, goOn, reached } = yield* gate
      yield* memory.plant("copy", fault)
      const body = { id: fileId }
      const first = yield* begin(token, "/toggle-file-access", JSON.stringify(body), { "idempotency-key": "a" })
      yield* reached.await
      const second = yield* Effect.forkChild(keyed(token, "a", "/toggle-file-access", body))
      yield* first.hangUp
      yield* goOn.open
      assert.strictEqual(yield* status(first.answered), 499)
      // A second toggle would make it private again.
      assert.isTrue((yield* good(Fiber.join(second))).isPublic)
      assert.isTrue((yield* good(keyed(token, "a", "/toggle-file-access", body))).isPublic)
    }))

  it.effect("OPS-13 of somebody else is not forgotten for a call with a large body that is refused", () =>
    Effect.gen(function*() {
      const { id } = yield* newReview()
      const note = { reviewId: id, reviewer: "Grace", seconds: 1, text: "Too dark" }
      const first = yield* good(sent("/leave-review-note", note, { "idempotency-key": "a".repeat(32) }))
      const large = yield* send("/api/leave-review-note", {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.9", "idempotency-key": "b" },
        body: JSON.stringify({ ...note, reviewId: crypto.randomUUID() }) + " ".repeat(3 * 1024 ** 2)
      })
      assert.strictEqual(large.status, 404)
      assert.deepStrictEqual(
        yield* good(sent("/leave-review-note", note, { "idempotency-key": "a".repeat(32) })),
        first
      )
    }))

  it.effect(
    "OPS-14 of somebody else is not forgotten for those of another site, nor of another link where no address is known",
    () =>
      Effect.gen(function*() {
        const review = Effect.map(
          newReview(),
          ({ id }) => ({ reviewId: id, reviewer: "Grace", seconds: 1, text: "Dark" })
        )
        const [one, other] = [yield* review, yield* review]
        const leave = (body: object, key: string, address: string | undefined) =>
          good(send("/api/leave-review-note", {
            method: "POST",
            headers: {
              "content-type": "application/json",
              "idempotency-key": key.padEnd(32, "."),
              ...address !== undefined && { "x-forwarded-for": address }
            },
            body: JSON.stringify(body)
          }))
        const unknown = yield* leave(one, "a", undefined)
        const known = yield* leave(one, "b", "203.0.113.9")
        // About 800 of them would take all of the memory, were each network an owner.
        yield* Effect.forEach(
          Array.from({ length: 1_000 }, (_, at) => at),
          (at) =>
            Effect.andThen(
              leave(other, `c${at}`, `2001:db8:1:${at.toString(16)}::1`),
              leave({ ...other, text: "x".repeat(1_000) }, `d${at}`, undefined)
            ),
          { concurrency: 20, discard: true }
        )
        // Nor by naming other links before the one that counts.
        yield* Effect.forEach(
          Array.from({ length: 4_000 }, (_, at) => at),
          (at) =>
            good(send("/api/leave-review-note", {
              method: "POST",
              headers: { "content-type": "application/json", "idempotency-key": `e${at}`.padEnd(32, ".") },
              body: `{"reviewId":"x${at}",${JSON.stringify({ ...other, text: "x".repeat(4_000) }).slice(1)}`
            })),
          { concurrency: 20, discard: true }
        )
        assert.deepStrictEqual(yield* leave(one, "a", undefined), unknown)
        assert.deepStrictEqual(yield* leave(one, "b", "203.0.113.9"), known)
      }),
    120_000
  )

  it.effect("OPS-16 at a link somebody else who guesses the key gets an answer of their own", () =>
    Effect.gen(function*() {
      const { id } = yield* newReview()
      const note = { reviewId: id, reviewer: "Grace", seconds: 1, text: "Too dark" }
      const leave = (key: string, headers: Readonly<Record<string, string>>) =>
        good(send("/api/leave-review-note", {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": key, ...headers },
          body: JSON.stringify(note)
        }))
      const [here, elsewhere] = [{ "x-forwarded-for": "203.0.113.9" }, { "x-forwarded-for": "203.0.113.10" }]
      const long = crypto.randomUUID()
      const mine = yield* leave(long, here)
      assert.deepStrictEqual(yield* leave(long, here), mine)
      const others = [
        yield* leave(long, elsewhere),
        yield* leave(long, { ...here, "user-agent": "another" }),
        // A short key can be guessed by those who share a network.
        yield* leave("1", here),
        yield* leave("1", here)
      ]
      assert.lengthOf([...new Set([mine, ...others].map(({ reviewerToken }) => reviewerToken))], 5)
      assert.deepStrictEqual(yield* leave(long, {}), yield* leave(long, {}))
    }))

  it.effect("OPS-15 an exchange is checked each time, under a key too", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const made = yield* good(make(token, "a"))
      const exchanged = () =>
        send("/auth/exchange-token", {
          method: "POST",
          headers: { authorization: `Bearer ${made.token}`, "idempotency-key": "a" }
        })
      assert.strictEqual((yield* exchanged()).status, 200)
      yield* good(call(token, "/revoke-api-token", { id: made.id }))
      assert.strictEqual((yield* exchanged()).status, 401)
      assert.strictEqual((yield* exchange(made.token)).status, 401)
    }))

  it.effect("OPS-13 that was refused, or was made long ago, is done again", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      assert.strictEqual((yield* make("none", "a")).status, 401)
      const refused = yield* make(token, "b", "")
      assert.deepStrictEqual([(yield* make(token, "b", "")).body, refused.status], [refused.body, 400])
      const first = yield* good(make(token, "c"))
      yield* TestClock.adjust("11 minutes")
      assert.notStrictEqual((yield* good(make(token, "c"))).token, first.token)
    }))
})
