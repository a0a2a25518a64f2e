/** Who gets a password checked while others have as many checked as they can, with a hasher that takes its time. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Semaphore } from "effect"
import { TestClock } from "effect/testing"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { ActiveAccounts } from "../accounts/ActiveAccounts.ts"
import { PasswordHasher } from "../ports/PasswordHasher.ts"
import { Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
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
const opening = (links: PublicLinks["Service"], accountId: AccountId, at: number, network: string | null) => {
  const link: Link = { id: idOf(at), accountId, passwordHash: "stored right" }
  return links.open(link.id, "right", () => Effect.succeed(link)).pipe(
    Effect.as(null),
    Effect.catch((error) => Effect.succeed(error.code)),
    Effect.provideService(LinkCall, {
      accessToken: null,
      network,
      limits: { count: () => Effect.void, guess: (_id, check) => check }
    })
  )
}

/** Moves the clock until it has ended. Its queries take no time by that clock. */
const ended = Effect.fnUntraced(function*<A, E>(fiber: Fiber.Fiber<A, E>) {
  while (fiber.pollUnsafe() === undefined) {
    yield* TestClock.adjust("20 millis")
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  return yield* Fiber.join(fiber)
})

const owner = Effect.gen(function*() {
  const accountId = yield* TestAccounts.use((users) => users.add({}))
  yield* AccountTransaction.use((transaction) => transaction.open(accountId))
  return accountId
})

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

  it.effect("LINK-22 whoever comes to another link waits for the checks that are at work, and not for those that wait", () =>
    Effect.gen(function*() {
      const checks = yield* PasswordChecks.make
      const begun: Array<string> = []
      const check = (link: string, network: string | null) =>
        checks.check(link, network, Effect.andThen(Effect.sync(() => begun.push(link)), Effect.sleep("60 millis")))
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
          checks.check(link, null, Effect.andThen(Effect.sync(() => begun.push(link)), Effect.sleep("60 millis")))
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
