/** How often a public link is called and its password guessed, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { newRequest, open, proxy, unknownId } from "../../test/LinksTest.ts"
import { testHttp } from "../../test/TestHttp.ts"
import { defaults } from "../http/RateLimits.ts"

layer(testHttp({ trustedProxies: proxy }))("the limits on a public link", (it) => {
  const from = (address: string) => ({ "x-forwarded-for": address })

  it.effect("LINK-5 the eleventh wrong password within a minute is refused, and right ones do not count", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest({ password: "right" })
      for (const link of [id, unknownId]) {
        for (let at = 0; at < 12; at++) yield* open(id, "right", from(`203.0.113.${at}`))
        for (let at = 0; at < 10; at++) {
          assert.strictEqual((yield* open(link, "wrong", from(`203.0.113.${at}`))).status, 404)
        }
        for (const password of ["wrong", "right"]) {
          const refused = yield* open(link, password, from("203.0.113.200"))
          assert.deepStrictEqual([refused.status, refused.body.code, refused.body.retryable], [
            429,
            "rate_limited",
            true
          ])
          assert.strictEqual(refused.headers.get("retry-after"), "60")
        }
        assert.include([403, 404], (yield* open(link)).status)
        yield* TestClock.adjust("1 minute")
      }
      assert.strictEqual((yield* open(id, "right")).status, 200)
    }))

  it.effect("LINK-5 no minute has more than ten wrong passwords, whenever it begins and whoever was right meanwhile", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest({ password: "right" })
      const compared: Array<number> = []
      for (let second = 0; second < 200; second += 2) {
        if (second % 8 === 0) yield* open(id, "right", from(`203.0.113.${second}`))
        const { status } = yield* open(id, "wrong", from(`198.51.100.${second}`))
        if (status === 404) compared.push(second)
        yield* TestClock.adjust("2 seconds")
      }
      for (const from of compared) {
        assert.isAtMost(compared.filter((second) => second >= from && second < from + 60).length, 10, `from ${from}`)
      }
      assert.lengthOf(compared, 40)
    }))

  it.effect("LINK-5 no minute has more than thirty wrong passwords from one address", () =>
    Effect.gen(function*() {
      const compared: Array<number> = []
      for (let second = 0; second < 130; second++) {
        const link = unknownId.replace(/^..../, String(1_000 + second))
        if ((yield* open(link, "wrong", from("192.0.2.77"))).status === 404) compared.push(second)
        yield* TestClock.adjust("1 second")
      }
      for (const from of compared) {
        assert.isAtMost(compared.filter((second) => second >= from && second < from + 60).length, 30, `from ${from}`)
      }
    }))

  it.effect("LINK-23 an address has sixty right passwords a minute, and the link stays open to others", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest({ password: "right" })
      const statuses = yield* Effect.forEach(
        Array.from({ length: 62 }),
        () => Effect.map(open(id, "right", from("192.0.2.20")), ({ status }) => status)
      )
      assert.deepStrictEqual(statuses.slice(58), [200, 200, 429, 429])
      assert.strictEqual((yield* open(id, "right", from("192.0.2.21"))).status, 200)
      assert.strictEqual((yield* open(id, undefined, from("192.0.2.20"))).status, 403)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* open(id, "right", from("192.0.2.20"))).status, 200)
    }))

  it.effect("LINK-23 a link has three hundred right passwords a minute, and other links have theirs", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest({ password: "right" })
      const other = yield* newRequest({ password: "right" })
      const statuses = yield* Effect.forEach(
        Array.from({ length: 302 }),
        (_, at) => Effect.map(open(id, "right", from(`198.18.0.${at % 250}`)), ({ status }) => status)
      )
      assert.deepStrictEqual(statuses.slice(298), [200, 200, 429, 429])
      assert.strictEqual((yield* open(other.id, "right", from("192.0.2.30"))).status, 200)
    }))

  it.effect("LINK-24 a few addresses, or one IPv6 site, that use up a link's right passwords leave room for other viewers", () =>
    Effect.gen(function*() {
      const crowds = [
        Array.from({ length: 5 }, (_, at) => `203.0.113.${at}`),
        Array.from({ length: 200 }, (_, at) => `2001:db8:7:${(at + 1).toString(16)}::1`)
      ]
      for (const crowd of crowds) {
        const { id } = yield* newRequest({ password: "right" })
        const statuses = yield* Effect.forEach(
          Array.from({ length: 320 }, (_, at) => crowd[at % crowd.length]!),
          (address) => Effect.map(open(id, "right", from(address)), ({ status }) => status)
        )
        assert.strictEqual(statuses.at(-1), 429)
        const others = yield* Effect.forEach(
          Array.from({ length: 40 }),
          (_, at) => Effect.map(open(id, "right", from(`198.51.100.${at}`)), ({ status }) => status)
        )
        assert.deepStrictEqual([...new Set(others)], [200])
        for (let at = 0; at < 10; at++) {
          assert.strictEqual((yield* open(id, "wrong", from(`192.0.2.${100 + at}`))).status, 404)
        }
        assert.strictEqual((yield* open(id, "wrong", from("192.0.2.150"))).status, 429)
        yield* TestClock.adjust("1 minute")
      }
    }))

  it.effect("LINK-5 of forty wrong passwords at once ten are checked", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest({ password: "right" })
      const answers = yield* Effect.forEach(
        Array.from({ length: 40 }),
        (_, at) => open(id, "wrong", from(`203.0.113.${at}`)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 404).length, 10)
      assert.strictEqual(answers.filter(({ status }) => status === 429).length, 30)
    }))

  it.effect("LINK-5 forty people with the right password at once all come in", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest({ password: "right" })
      const answers = yield* Effect.forEach(
        Array.from({ length: 40 }),
        (_, at) => open(id, "right", from(`203.0.113.${at}`)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
    }))

  it.effect("LINK-5 an address has thirty wrong passwords, at whichever links", () =>
    Effect.gen(function*() {
      const address = from("192.0.2.9")
      const ids = Array.from({ length: 4 }, (_, at) => unknownId.replace(/^./, String(at)))
      const answers = yield* Effect.forEach(
        ids.flatMap((id) => Array.from({ length: 10 }, () => id)),
        (id) => open(id, "wrong", address)
      )
      assert.deepStrictEqual(answers.map(({ status }) => status), [
        ...Array.from({ length: 30 }, () => 404),
        ...Array.from({ length: 10 }, () => 429)
      ])
      assert.strictEqual((yield* open(ids[3]!, "wrong", from("192.0.2.10"))).status, 404)
    }))
})

layer(testHttp({ rateLimits: false, trustedProxies: proxy }))("without rate limits", (it) => {
  it.effect("LINK-5 LINK-6 any number of wrong passwords is compared", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest({ password: "right" })
      for (let at = 0; at < 40; at++) assert.strictEqual((yield* open(id, "wrong")).status, 404)
      assert.strictEqual((yield* open(id, "right")).status, 200)
    }))
})

const fewCalls = { ...defaults, link: { calls: 5, perSeconds: 60 } }

layer(testHttp({ rateLimits: fewCalls, trustedProxies: proxy }))("the limit on the calls of a link", (it) => {
  it.effect("LINK-6 the calls of one link are counted apart from those of others", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest()
      const other = yield* newRequest()
      const statuses = yield* Effect.forEach(
        Array.from({ length: 7 }),
        (_, at) => Effect.map(open(id, undefined, { "x-forwarded-for": `203.0.113.${at}` }), ({ status }) => status)
      )
      assert.deepStrictEqual(statuses, [200, 200, 200, 200, 200, 429, 429])
      assert.strictEqual((yield* open(other.id)).status, 200)
      yield* TestClock.adjust("12 seconds")
      assert.strictEqual((yield* open(id)).status, 200)
    }))
})
