/** Who gets a password checked while others have as many checked as they can, with a hasher that takes its time. */
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Semaphore } from "effect"
import { TestClock } from "effect/testing"
import { asTimePasses } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { ActiveAccounts } from "../accounts/ActiveAccounts.ts"
import { PasswordHasher } from "../ports/PasswordHasher.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { AccountId } from "../shared/Ids.ts"
import { type Link, LinkPassword } from "./Link.ts"
import { LinkAccessesRepo } from "./LinkAccessesRepo.ts"
import { LinkCall } from "./LinkCall.ts"
import * as PasswordChecks from "./PasswordChecks.ts"
import { PublicLinks } from "./PublicLinks.ts"

const busy = new Unavailable({ code: "unavailable", cause: "too many passwords", retryAfterSeconds: 3 })

/** Two hashes at a time take 60 ms; with so many others at work or waiting one is refused, as by the hasher that hosts have. */
const slowHasher = Effect.gen(function*() {
  const counts = { under: 0, mostUnder: 0 }
  const places = yield* Semaphore.make(2)
  const slow = <A>(max: number, answer: A) =>
    Effect.suspend(() => {
      if (counts.under >= max) return Effect.fail(busy)
      counts.mostUnder = Math.max(counts.mostUnder, ++counts.under)
      return Effect.as(places.withPermits(1)(Effect.sleep("60 millis")), answer).pipe(
        Effect.ensuring(Effect.sync(() => counts.under--))
      )
    })
  const links = yield* Effect.provide(
    PublicLinks,
    Layer.fresh(PublicLinks.layerNoDeps).pipe(Layer.provide([
      LinkAccessesRepo.layer,
      ActiveAccounts.layer,
      Layer.fresh(ManualJobs.layer),
      Layer.succeed(
        PasswordHasher,
        PasswordHasher.of({
          hash: (password) => slow(21, `stored ${password}`),
          verify: (password, stored) => Effect.suspend(() => slow(42, stored === `stored ${password}`))
        })
      )
    ]))
  )
  return { counts, links }
})

const idOf = (at: number) => `5e0c1a7d-93b4-4f28-a6d1-${at.toString(16).padStart(12, "0")}`

/** Sends the right password of link number `at`, from an address. Answers the code of a refusal, or null. */
const opening = (links: PublicLinks["Service"], accountId: AccountId, at: number, network: string | null) =>
  sending(links, { id: idOf(at), accountId, passwordHash: "stored right" }, idOf(at), network)

/** The same to an id, at which is this link or none. */
const sending = (links: PublicLinks["Service"], link: Link | null, id: string, network: string | null) =>
  links.open(id, "right", () => Effect.succeed(link)).pipe(
    Effect.as(null),
    Effect.catch((error) => Effect.succeed(error.code)),
    Effect.provideService(LinkCall, {
      accessToken: null,
      network,
      limits: { count: () => Effect.void, guess: (_id, check) => check }
    })
  )

/** What comes of `fiber` while time passes. */
const ended = <A, E>(fiber: Fiber.Fiber<A, E>) => asTimePasses(Fiber.join(fiber), "20 millis")

const owner = Effect.gen(function*() {
  const accountId = yield* TestAccounts.use((users) => users.add({}))
  yield* AccountTransaction.use((transaction) => transaction.open(accountId))
  return accountId
})

/** Four calls of each address are open at all times, each call is another. */
const flooding = (networks: ReadonlyArray<string>, call: (at: number, network: string) => Effect.Effect<unknown>) => {
  let made = 0
  return Effect.forkChild(Effect.forEach(
    networks.flatMap((network) => Array.from({ length: 4 }, () => network)),
    (network) => Effect.forever(Effect.delay(Effect.suspend(() => call(++made, network)), "100 millis")),
    { concurrency: "unbounded" }
  ))
}

/** How long somebody who had a check a moment ago waits for the next while others have as many as they can, in milliseconds. */
const waitDuring = Effect.fnUntraced(
  function*(networks: ReadonlyArray<string>, linkAt: (at: number) => Pick<Link, "id" | "accountId"> | null) {
    const checks = yield* PasswordChecks.make
    const check = (link: Pick<Link, "id" | "accountId"> | null, network: string) =>
      checks.check(
        link,
        network,
        Effect.andThen(Clock.currentTimeMillis, (now) => Effect.as(Effect.sleep("60 millis"), now))
      )
    const mine = { id: "mine", accountId: accountAt(1_000_000) }
    const before = yield* Effect.forkChild(check(mine, "198.51.100.1"))
    yield* ended(before)
    const flood = yield* flooding(networks, (at, network) => Effect.exit(check(linkAt(at), network)))
    for (let at = 0; at < 100; at++) yield* TestClock.adjust("10 millis")
    const now = yield* Clock.currentTimeMillis
    const again = yield* Effect.forkChild(check(mine, "198.51.100.1"))
    const begun = yield* ended(again)
    yield* ended(yield* Effect.forkChild(Fiber.interrupt(flood)))
    return begun - now
  }
)

const accountAt = (at: number) => AccountId.make(idOf(at))

const addressesOf = (count: number) => Array.from({ length: count }, (_, at) => `192.0.2.${at}`)

layer(TestDrive)("checks of passwords", (it) => {
  it.effect("LINK-22 three addresses with the passwords of their own links keep nobody else from theirs", () =>
    Effect.gen(function*() {
      const { counts, links } = yield* slowHasher
      const accountId = yield* owner
      const flood = yield* Effect.forkChild(Effect.forEach(
        Array.from({ length: 90 }),
        (_, at) => Effect.forever(Effect.delay(opening(links, accountId, at, `192.0.2.${at % 3}`), "200 millis")),
        { concurrency: "unbounded" }
      ))
      yield* ended(yield* Effect.forkChild(Effect.sleep("1 second")))
      const others = yield* Effect.forkChild(Effect.forEach(
        Array.from({ length: 21 }),
        (_, at) => opening(links, accountId, 1_000 + at, `198.51.100.${at}`),
        { concurrency: "unbounded" }
      ))
      assert.deepStrictEqual(yield* ended(others), Array.from({ length: 21 }, () => null))
      assert.isAtMost(counts.mostUnder, 2)
      yield* ended(yield* Effect.forkChild(Fiber.interrupt(flood)))
    }))

  for (const count of [6, 10, 30, 60]) {
    it.effect(`LINK-22 ${count} addresses with invented ids keep nobody from a link that was opened before`, () =>
      Effect.gen(function*() {
        const { links } = yield* slowHasher
        const guest = opening(links, yield* owner, 1_000_000, "198.51.100.1")
        assert.isNull(yield* ended(yield* Effect.forkChild(guest)))
        const flood = yield* flooding(addressesOf(count), (at, network) => sending(links, null, idOf(at), network))
        yield* ended(yield* Effect.forkChild(Effect.sleep("500 millis")))
        assert.isNull(yield* ended(yield* Effect.forkChild(guest)))
        yield* ended(yield* Effect.forkChild(Fiber.interrupt(flood)))
      }))

    it.effect(`LINK-22 during checks of ${count} addresses at ids of no link, or at links of one account, another waits for one turn`, () =>
      Effect.gen(function*() {
        const accountId = accountAt(1)
        // Those at work, and one more that waited before.
        assert.isAtMost(yield* waitDuring(addressesOf(count), () => null), 120)
        assert.isAtMost(yield* waitDuring(addressesOf(count), (at) => ({ id: idOf(at), accountId })), 120)
      }))

    it.effect(`LINK-22 ${count} addresses with an account for each of their calls keep nobody out`, () =>
      Effect.gen(function*() {
        const wait = yield* waitDuring(addressesOf(count), (at) => ({ id: idOf(at), accountId: accountAt(at) }))
        // One check of each account that may wait, two at a time, and those at work.
        assert.isAtMost(wait, Math.min(count * 4, 100) / 2 * 60 + 60)
      }))
  }

  it.effect("LINK-22 of one IPv6 site twelve are at work or wait among all, whichever of its networks they come from", () =>
    Effect.gen(function*() {
      const checks = yield* PasswordChecks.make
      const [site, other] = [yield* owner, yield* owner]
      const begun: Array<string> = []
      const check = (id: string, accountId: AccountId, network: string) =>
        checks.check(
          { id, accountId },
          network,
          Effect.andThen(Effect.sync(() => begun.push(id)), Effect.sleep("60 millis"))
        )
      const many = yield* Effect.forkChild(Effect.forEach(
        Array.from({ length: 80 }),
        (_, at) => Effect.exit(check(`of site ${at % 10}`, site, `2001:db8:1:${at.toString(16)}::/64`)),
        { concurrency: "unbounded" }
      ))
      yield* Effect.yieldNow
      // The same account, whose links take turns: this one goes behind ten others at most.
      yield* Effect.forkChild(check("of another", site, "2001:db8:2:0::/64"))
      yield* Effect.forkChild(check("other account", other, "2001:db8:3:0::/64"))
      for (let at = 0; at < 60; at++) yield* TestClock.adjust("60 millis")
      assert.isAtMost(begun.indexOf("other account"), 3)
      assert.isAtMost(begun.indexOf("of another"), 14)
      // Twelve and the sixty that may wait for that.
      assert.strictEqual((yield* Fiber.join(many)).filter((exit) => exit._tag === "Success").length, 72)
    }))

  it.effect("LINK-22 whoever comes to another link waits for the checks that are at work, and not for those that wait", () =>
    Effect.gen(function*() {
      const checks = yield* PasswordChecks.make
      const begun: Array<string> = []
      const check = (link: string, network: string | null) =>
        checks.check(
          { id: link, accountId: accountAt(1) },
          network,
          Effect.andThen(Effect.sync(() => begun.push(link)), Effect.sleep("60 millis"))
        )
      yield* Effect.forkChild(Effect.forEach(
        Array.from({ length: 22 }),
        (_, at) => check("busy", at % 2 === 0 ? null : `192.0.2.${at}`),
        { concurrency: "unbounded" }
      ))
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["busy", "busy"])
      yield* Effect.forkChild(check("other", "198.51.100.1"))
      yield* TestClock.adjust("60 millis")
      assert.deepStrictEqual(begun.slice(2), ["other", "busy"])
      yield* TestClock.adjust("10 seconds")
      assert.lengthOf(begun, 23)
    }))

  it.effect("LINK-22 a check whose caller has gone keeps its place until it is done, and one that waited leaves", () =>
    Effect.gen(function*() {
      const checks = yield* PasswordChecks.make
      const begun: Array<string> = []
      const check = (link: string) =>
        Effect.forkChild(
          checks.check(
            { id: link, accountId: accountAt(1) },
            null,
            Effect.andThen(Effect.sync(() => begun.push(link)), Effect.sleep("60 millis"))
          )
        )
      const fibers = [yield* check("a"), yield* check("b"), yield* check("c"), yield* check("d")]
      yield* Effect.yieldNow
      for (const fiber of fibers.slice(0, 3)) yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* TestClock.adjust("59 millis")
      assert.deepStrictEqual(begun, ["a", "b"])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(begun, ["a", "b", "d"])
      yield* TestClock.adjust("1 second")
    }))

  it.effect("LINK-22 too many of one link or of one address are told to call again, and what waits is bounded", () =>
    Effect.gen(function*() {
      const { links } = yield* slowHasher
      const accountId = yield* owner
      const ofLink = yield* Effect.forkChild(Effect.forEach(
        Array.from({ length: 30 }),
        (_, at) => opening(links, accountId, 1, `192.0.2.${at}`),
        { concurrency: "unbounded" }
      ))
      const refusedOf = (codes: ReadonlyArray<string | null>) => codes.filter((code) => code === "unavailable").length
      assert.strictEqual(refusedOf(yield* ended(ofLink)), 8)
      const ofAddress = yield* Effect.forkChild(Effect.forEach(
        Array.from({ length: 50 }),
        (_, at) => opening(links, accountId, at, "192.0.2.1"),
        { concurrency: "unbounded" }
      ))
      assert.strictEqual(refusedOf(yield* ended(ofAddress)), 16)
    }))

  it.effect("LINK-22 where everything waits that may, one of the link with most waiting is refused and not the newcomer", () =>
    Effect.gen(function*() {
      const { links } = yield* slowHasher
      const accountId = yield* owner
      const flood = yield* Effect.forkChild(Effect.forEach(
        Array.from({ length: 110 }),
        (_, at) => opening(links, accountId, at % 5, `192.0.2.${at}`),
        { concurrency: "unbounded" }
      ))
      yield* Effect.yieldNow
      const other = yield* Effect.forkChild(opening(links, accountId, 9, "198.51.100.1"))
      assert.isNull(yield* ended(other))
      yield* ended(yield* Effect.forkChild(Fiber.interrupt(flood)))
    }))

  it.effect("LINK-22 an owner who sets passwords all the time keeps no other from setting one", () =>
    Effect.gen(function*() {
      const { links } = yield* slowHasher
      const [busyOwner, other] = [yield* owner, yield* owner]
      const setting = (accountId: AccountId) =>
        Effect.match(links.hash(accountId, LinkPassword.make("p")), {
          onSuccess: () => null,
          onFailure: ({ code }) => code
        })
      const flood = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 40 }), () => setting(busyOwner), { concurrency: "unbounded" })
      )
      yield* Effect.yieldNow
      const set = yield* Effect.forkChild(setting(other))
      yield* TestClock.adjust("5 seconds")
      assert.isNull(yield* Fiber.join(set))
      assert.strictEqual((yield* Fiber.join(flood)).filter((code) => code === null).length, 6)
    }))
})
