/** Rate limits as callers meet them, each caller with an address that a proxy names. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { unlimited } from "../src/accounts/CurrentAccount.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { FileAccess } from "../src/files/FileAccess.ts"
import * as RateLimits from "../src/http/RateLimits.ts"
import { layerMemory } from "../src/http/RateLimitsStore.ts"
import { Forms } from "../src/uploads/Forms.ts"
import { Inserts } from "../src/uploads/Inserts.ts"
import * as Checked from "./Checked.ts"
import { as } from "./TestAccounts.ts"
import { call, newUser, send, signedIn, testHttp, withToken } from "./TestHttp.ts"
import { input, post } from "./UploadsTest.ts"

const plenty = { calls: 1_000, perSeconds: 60 }
const few = { calls: 3, perSeconds: 60 }

const proxy = { count: 1, header: "x-forwarded-for" } as const

const drive = (limits: Partial<RateLimits.RateLimits>) =>
  testHttp({
    trustedProxies: proxy,
    rateLimits: {
      ...RateLimits.defaults,
      account: plenty,
      address: plenty,
      anonymous: plenty,
      failedExchange: plenty,
      ...limits
    }
  })

/** A call from an address; with null from one nobody knows. */
const from = (address: string | null, route: string, token?: string) =>
  send(route, {
    method: "POST",
    headers: {
      "x-service-app": "filedrive",
      ...(address !== null && { "x-forwarded-for": address }),
      ...(token !== undefined && { authorization: `Bearer ${token}` })
    }
  })

const list = "/api/select-user-files"
const exchange = "/auth/exchange-token"

const times = <A, E, R>(count: number, call: Effect.Effect<A, E, R>) =>
  Effect.all(Array.from({ length: count }, () => call))

const statuses = (answers: ReadonlyArray<{ readonly status: number }>) => answers.map(({ status }) => status)

describe("rate limits", () => {
  it.effect("RATE-2 RATE-3 an account past its limit is refused until Retry-After is over", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const call = from("192.0.2.1", list, token)
      assert.deepStrictEqual(statuses(yield* times(3, call)), [200, 200, 200])
      const refused = yield* call
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers.get("retry-after"), "20")
      assert.strictEqual(refused.headers.get("cache-control"), "no-store")
      assert.deepInclude(refused.body, { code: "rate_limited", retryable: true })
      assert.isString(refused.body.error)
      assert.sameMembers(Object.keys(refused.body), ["error", "code", "retryable"])

      // Asking meanwhile does not put the end off.
      yield* TestClock.adjust("19500 millis")
      const again = yield* call
      assert.strictEqual(again.status, 429)
      assert.strictEqual(again.headers.get("retry-after"), "1")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(statuses(yield* times(2, call)), [200, 429])

      // However long it rested, it has no more than the bucket holds.
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(statuses(yield* times(4, call)), [200, 200, 200, 429])
    }).pipe(Effect.provide(drive({ account: few }))))

  it.effect("RATE-4 an account's limit holds over all its sessions and addresses, and nobody else's", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const ada = yield* newUser()
      const token = Effect.map(sessions.open(ada, unlimited), (opened) => opened.token)
      for (let at = 0; at < 3; at++) {
        assert.strictEqual((yield* from(`192.0.2.${at}`, list, yield* token)).status, 200)
      }
      assert.strictEqual((yield* from("192.0.2.9", list, yield* token)).status, 429)
      const other = yield* signedIn
      assert.strictEqual((yield* from("192.0.2.9", list, other.token)).status, 200)
    }).pipe(Effect.provide(drive({ account: few }))))

  it.effect("RATE-4 an address past its limit is refused whoever calls, before a token is looked at", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const calls = [token, "nonsense", undefined, token].map((sent) => from("192.0.2.1", list, sent))
      assert.deepStrictEqual(statuses(yield* Effect.all(calls)), [200, 401, 401, 429])
      assert.strictEqual((yield* from("192.0.2.1", exchange, "nonsense")).status, 429)
      assert.strictEqual((yield* from("192.0.2.2", list, token)).status, 200)
    }).pipe(Effect.provide(drive({ address: few }))))

  it.effect("RATE-1 RATE-4 a /64 is one address; what a caller adds to the header makes it none other", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const calls = ["2001:db8::1", "2001:db8::2", "203.0.113.7, 2001:db8::3", "198.51.100.4, 2001:db8:0:0:ffff::"]
      const answers = yield* Effect.forEach(calls, (address) => from(address, list, token))
      assert.deepStrictEqual(statuses(answers), [200, 200, 200, 429])
      assert.strictEqual((yield* from("2001:db8:0:1::1", list, token)).status, 200)
    }).pipe(Effect.provide(drive({ address: few }))))

  it.effect("RATE-2 calls without a session have a limit of their own", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const call = from("192.0.2.1", "/api/generate-download-url")
      assert.deepStrictEqual(statuses(yield* times(4, call)), [400, 400, 400, 429])
      assert.deepStrictEqual(statuses(yield* times(4, from("192.0.2.1", list, token))), [200, 200, 200, 200])
    }).pipe(Effect.provide(drive({ anonymous: few }))))

  it.effect("RATE-2 RATE-6 after too many failed exchanges the right token waits too; good ones cost nothing", () =>
    Effect.gen(function*() {
      yield* withToken("fdt_right00000000000000000000000")
      const right = from("192.0.2.1", exchange, "fdt_right00000000000000000000000")
      const wrong = from("192.0.2.1", exchange, "fdt_wrong00000000000000000000000")
      assert.deepStrictEqual(statuses(yield* times(5, right)), [200, 200, 200, 200, 200])
      assert.deepStrictEqual(statuses(yield* times(3, wrong)), [401, 401, 401])
      const refused = yield* right
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers.get("retry-after"), "20")
      assert.strictEqual((yield* from("192.0.2.2", exchange, "fdt_right00000000000000000000000")).status, 200)
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual((yield* right).status, 200)
    }).pipe(Effect.provide(drive({ failedExchange: few }))))

  it.effect("RATE-6 of 600 guesses at once 30 are looked at, by all processes that count together, and a window pays for them", () =>
    Effect.gen(function*() {
      const store = yield* Effect.provide(RateLimiter.RateLimiterStore, layerMemory)
      const processes = yield* Effect.forEach(
        [1, 2],
        () =>
          Layer.build(Layer.provide(
            Layer.fresh(drive({ failedExchange: RateLimits.defaults.failedExchange })),
            Layer.succeed(RateLimiter.RateLimiterStore, store)
          ))
      )
      const wrong = from("192.0.2.1", exchange, "fdt_wrong00000000000000000000000")
      const guesses = Array.from({ length: 600 }, (_, at) => Effect.provideContext(wrong, processes[at % 2]!))
      const answers = statuses(yield* Effect.all(guesses, { concurrency: "unbounded" }))
      assert.strictEqual(answers.filter((status) => status === 401).length, 30)
      assert.strictEqual(answers.filter((status) => status === 429).length, 570)
      // What was refused is no debt: after a window all 30 are there again.
      yield* TestClock.adjust("60 seconds")
      const later = statuses(yield* Effect.all(guesses.slice(0, 31), { concurrency: "unbounded" }))
      assert.strictEqual(later.filter((status) => status === 401).length, 30)
    }))

  it.effect("RATE-6 good exchanges at once give back what they took, and no more than that", () =>
    Effect.gen(function*() {
      yield* withToken("fdt_right00000000000000000000000")
      const right = from("192.0.2.1", exchange, "fdt_right00000000000000000000000")
      const wrong = from("192.0.2.1", exchange, "fdt_wrong00000000000000000000000")
      for (let round = 0; round < 3; round++) {
        const answers = statuses(yield* Effect.all([right, right, right], { concurrency: "unbounded" }))
        assert.deepStrictEqual(answers, [200, 200, 200])
        yield* TestClock.adjust("1 hour")
      }
      assert.deepStrictEqual(statuses(yield* times(4, wrong)), [401, 401, 401, 429])
    }).pipe(Effect.provide(drive({ failedExchange: few }))))

  it.effect("RATE-21 good exchanges past the limit that come at once are all taken, the wrong among them count", () =>
    Effect.gen(function*() {
      yield* withToken("fdt_right00000000000000000000000")
      const right = from("192.0.2.1", exchange, "fdt_right00000000000000000000000")
      const wrong = from("192.0.2.1", exchange, "fdt_wrong00000000000000000000000")
      const burst = Array.from({ length: 60 }, () => right)
      const answers = yield* Effect.all([...burst, wrong, wrong], { concurrency: "unbounded" })
      assert.deepStrictEqual(statuses(answers), [...Array(60).fill(200), 401, 401])
      // The last place is used up; nobody is at work who could return one, so nobody waits.
      assert.deepStrictEqual(statuses(yield* times(3, wrong)), [401, 429, 429])
      assert.deepStrictEqual(
        statuses(yield* Effect.all([right, right, wrong], { concurrency: "unbounded" })),
        [429, 429, 429]
      )
    }).pipe(Effect.provide(drive({ failedExchange: few }))))

  it.effect("RATE-10 a call whose Authorization brings no session counts as one without, and a session's call doesn't", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      yield* withToken("fdt_right00000000000000000000000")
      const publicRoute = "/api/generate-download-url"
      assert.deepStrictEqual(statuses(yield* times(9, from("192.0.2.1", list, token))), Array(9).fill(200))
      assert.deepStrictEqual(
        statuses(yield* times(5, from("192.0.2.1", exchange, "fdt_right00000000000000000000000"))),
        Array(5).fill(200)
      )
      const calls = [
        from("192.0.2.1", list, "x"),
        from("192.0.2.1", publicRoute),
        from("192.0.2.1", exchange, "fdt_wrong00000000000000000000000")
      ]
      assert.deepStrictEqual(statuses(yield* Effect.all(calls)), [401, 400, 401])
      for (const call of [...calls, from("192.0.2.1", publicRoute, "x")]) {
        const refused = yield* call
        assert.strictEqual(refused.status, 429)
        assert.strictEqual(refused.headers.get("retry-after"), "20")
      }
      const basic = send(publicRoute, {
        method: "POST",
        headers: { "x-service-app": "filedrive", "x-forwarded-for": "192.0.2.1", authorization: "Basic eDp5" }
      })
      assert.strictEqual((yield* basic).status, 429)
      // Who is signed in is not hurt by what strangers at the same address do.
      assert.strictEqual((yield* from("192.0.2.1", list, token)).status, 200)
      assert.strictEqual((yield* from("192.0.2.1", exchange, "fdt_right00000000000000000000000")).status, 200)
    }).pipe(Effect.provide(drive({ anonymous: few }))))

  it.effect("RATE-10 an Authorization that holds no bearer token is counted before anything is done for the call", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const file = input(userId, 5, { objectKey: Checked.objectKey(`users/${userId}/hello`) })
      yield* post(yield* Forms.use((forms) => forms.create(file)).pipe(as(userId)), "hello")
      const { id } = yield* Inserts.use((inserts) => inserts.insert(file)).pipe(as(userId))
      yield* FileAccess.use((access) => access.toggle(id)).pipe(as(userId))
      const opens = Effect.map(
        call(token, "/select-file-views", { fileIds: [id] }),
        ({ body }) => body.files[0].views as number
      )
      const opened = (authorization: string) =>
        send("/api/generate-download-url", {
          method: "POST",
          headers: {
            "x-service-app": "filedrive",
            "x-forwarded-for": "192.0.2.1",
            "content-type": "application/json",
            authorization
          },
          body: JSON.stringify({ id })
        })
      const answers = yield* Effect.all(
        ["Bearer a b", "Bearer a b", "bearer x y z", "Bearer a b", "Basic eDp5"].map(opened)
      )
      assert.deepStrictEqual(statuses(answers), [200, 200, 200, 429, 429])
      assert.strictEqual(yield* opens, 3)
    }).pipe(Effect.provide(drive({ anonymous: few }))))

  it.effect("RATE-5 health checks, the API's description and unknown routes are free", () =>
    Effect.gen(function*() {
      const one = drive({ address: { calls: 1, perSeconds: 60 } })
      yield* Effect.gen(function*() {
        yield* times(2, from("192.0.2.1", list))
        assert.strictEqual((yield* from("192.0.2.1", list)).status, 429)
        for (const path of ["/healthz", "/readyz", "/api/openapi.json", "/api/docs"]) {
          assert.strictEqual((yield* send(path, { headers: { "x-forwarded-for": "192.0.2.1" } })).status, 200)
        }
        assert.strictEqual((yield* from("192.0.2.1", "/api/nothing")).status, 404)
      }).pipe(Effect.provide(one))
    }))

  it.effect("RATE-5 a host may leave them out", () =>
    Effect.gen(function*() {
      const answers = yield* times(RateLimits.defaults.anonymous.calls + 50, from("192.0.2.1", list))
      assert.isTrue(answers.every(({ status }) => status === 401))
    }).pipe(Effect.provide(testHttp({ trustedProxies: proxy, rateLimits: false }))))

  it.effect("RATE-5 without a word from the host the defaults hold", () =>
    Effect.gen(function*() {
      const answers = yield* times(RateLimits.defaults.anonymous.calls + 1, from("192.0.2.1", list))
      assert.deepStrictEqual(statuses(answers.slice(-2)), [401, 429])
      assert.strictEqual(answers.at(-1)?.headers.get("retry-after"), "1")
    }).pipe(Effect.provide(testHttp({ trustedProxies: proxy }))))

  it.effect("RATE-8 callers whose address is not known share no limit", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(statuses(yield* times(5, from(null, list))), [401, 401, 401, 401, 401])
      assert.deepStrictEqual(statuses(yield* times(5, from(null, exchange))), [401, 401, 401, 401, 401])
    }).pipe(Effect.provide(drive({ address: few, anonymous: few, failedExchange: few }))))

  it.effect("RATE-8 a store that is away refuses nobody", () => {
    const away = () =>
      Effect.fail(
        new RateLimiter.RateLimiterError({ reason: new RateLimiter.RateLimitStoreError({ message: "away" }) })
      )
    const store = { fixedWindow: away, tokenBucket: away, adaptiveConsume: away, adaptiveFeedback: away }
    return Effect.gen(function*() {
      const { token } = yield* signedIn
      assert.deepStrictEqual(statuses(yield* times(5, from("192.0.2.1", list, token))), [200, 200, 200, 200, 200])
    }).pipe(
      Effect.provide(
        Layer.provide(drive({ account: few, address: few }), Layer.succeed(RateLimiter.RateLimiterStore, store))
      )
    )
  })

  it.effect("RATE-11 calls wait a second for a store that doesn't answer, and not at all for the next five", () => {
    let asked = 0
    let isAway = true
    const right = "fdt_right".padEnd(32, "0")
    const tokenBucket = ({ limit, tokens }: { readonly limit: number; readonly tokens: number }) =>
      Effect.suspend(() => {
        asked++
        return isAway ? Effect.never : Effect.succeed([limit - tokens, 0] as const)
      })
    const never = () => Effect.never
    const store = { fixedWindow: never, tokenBucket, adaptiveConsume: never, adaptiveFeedback: never }
    return Effect.gen(function*() {
      const { token } = yield* signedIn
      yield* withToken(right)
      const waiting = yield* Effect.forkChild(from("192.0.2.1", list, token))
      yield* TestClock.adjust("900 millis")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("100 millis")
      assert.strictEqual((yield* Fiber.join(waiting)).status, 200)
      assert.strictEqual(asked, 1)
      // Without advancing the clock: nobody waits.
      assert.deepStrictEqual(statuses(yield* times(3, from("192.0.2.1", list, token))), [200, 200, 200])
      assert.strictEqual((yield* from("192.0.2.1", exchange, right)).status, 200)
      assert.strictEqual(asked, 1)
      yield* TestClock.adjust("5 seconds")
      isAway = false
      assert.strictEqual((yield* from("192.0.2.1", list, token)).status, 200)
      assert.strictEqual(asked, 3)
    }).pipe(Effect.provide(Layer.provide(drive({}), Layer.succeed(RateLimiter.RateLimiterStore, store))))
  })
})
