import { assert, layer } from "@effect/vitest"
import {
  Faults,
  finished,
  imageFailure,
  MemoryObjectStore,
  pending,
  submitted,
  testImage,
  TestImageGenerator
} from "@filedrive/testing"
import { Deferred, Duration, Effect, Fiber, Queue } from "effect"
import { TestClock } from "effect/testing"
import { asTimePasses } from "../../test/FilesTest.ts"
import {
  asked,
  checkEnded,
  eventsOf,
  generate,
  look,
  runFor,
  runJobs,
  script,
  used,
  user
} from "../../test/GenerationsTest.ts"
import { TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { Database } from "../database/Database.ts"
import type { ImageReason } from "../ports/ImageGenerator.ts"
import type { FailureCode } from "./Generation.ts"

layer(TestDrive, { timeout: "60 seconds" })("Runs of generations", (it) => {
  it.effect("GEN-8 a provider's job is looked at until its image is there", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      yield* script([Effect.succeed(submitted("job-1"))], [Effect.succeed(pending()), Effect.succeed(pending())])
      const { id } = yield* generate(owner)
      yield* runJobs
      assert.strictEqual((yield* look(owner, id)).status, "working")
      yield* runFor(3)
      assert.strictEqual((yield* look(owner, id)).status, "done")
      assert.deepStrictEqual(yield* asked(id), ["submit", "poll job-1", "poll job-1", "poll job-1"])
      assert.strictEqual(yield* checkEnded(owner), 1)
    }))

  it.effect.each<[ImageReason, FailureCode]>([
    ["moderated", "moderated"],
    ["rejected", "rejected"],
    ["notPaid", "generator_unavailable"],
    ["unavailable", "unavailable"],
    ["invalid", "invalid"],
    ["lost", "lost"]
  ])("GEN-9 a provider that has begun and fails as %s is not asked again", ([reason, code]) =>
    Effect.gen(function*() {
      const owner = yield* user()
      yield* script([Effect.fail(imageFailure(reason))])
      const { id } = yield* generate(owner)
      yield* runFor(2)
      assert.deepInclude(yield* look(owner, id), { status: "failed", code, image: null })
      assert.deepStrictEqual(yield* asked(id), ["submit"])
      const [event] = yield* eventsOf(owner, ["generation"])
      assert.deepInclude(event, { status: "failed", image: null, prompt: "A tram" })
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))

  it.effect("GEN-9 what is no image that can be saved is a failure", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      yield* script([Effect.succeed(finished({ mimeType: "image/png", bytes: new TextEncoder().encode("<html>") }))])
      const { id } = yield* generate(owner)
      yield* runJobs
      assert.deepInclude(yield* look(owner, id), { status: "failed", code: "invalid" })
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))

  it.effect("GEN-12 a provider that is busy is asked again when it says, and given up when it is busy for too long", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const busy = Effect.fail(imageFailure("busy", { retryAfter: Duration.seconds(4) }))
      yield* script([busy, busy])
      const patient = yield* generate(owner)
      yield* runFor(3)
      assert.lengthOf(yield* asked(patient.id), 1)
      yield* runFor(6)
      assert.deepStrictEqual(yield* asked(patient.id), ["submit", "submit", "submit"])
      assert.strictEqual((yield* look(owner, patient.id)).status, "done")
      yield* script(Array.from({ length: 20 }, () => busy))
      const given = yield* generate(owner)
      yield* runFor(60)
      assert.deepInclude(yield* look(owner, given.id), { status: "failed", code: "busy" })
      assert.isBelow((yield* asked(given.id)).length, 20)
      assert.strictEqual(yield* used(owner), 1)
    }))

  it.effect("GEN-12 a provider that stalls is given up after 100 s, and its connection is cut", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const [begun, cut] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const stall = Effect.onInterrupt(
        Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
        () => Deferred.succeed(cut, undefined)
      )
      yield* script([stall])
      const { id } = yield* generate(owner)
      const running = yield* Effect.forkChild(runJobs)
      yield* Deferred.await(begun)
      yield* TestClock.adjust("100 seconds")
      yield* Deferred.await(cut)
      yield* Fiber.join(running)
      assert.deepInclude(yield* look(owner, id), { status: "failed", code: "unavailable" })
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))

  it.effect("GEN-31 a provider that stalls on as many images as it may have holds up no other model's", () =>
    Effect.gen(function*() {
      const stalled = 16
      const begun = yield* Queue.unbounded<void>()
      const stall = Effect.andThen(Queue.offer(begun, undefined), Effect.never)
      yield* script(Array.from({ length: stalled }, () => stall))
      const owners = yield* Effect.all(Array.from({ length: 4 }, () => user()))
      for (const owner of owners) {
        for (let n = 0; n < 4; n++) yield* generate(owner)
      }
      const running = yield* Effect.forkChild(runJobs)
      yield* Queue.takeN(begun, stalled)
      const other = yield* user()
      const { id } = yield* generate(other, { model: "nanoBanana" })
      yield* runJobs
      assert.strictEqual((yield* look(other, id)).status, "done")
      yield* TestClock.adjust("110 seconds")
      yield* Fiber.join(running)
      for (const owner of owners) assert.strictEqual(yield* checkEnded(owner), 0)
    }))

  it.effect("GEN-13 a job that is still waiting after ten minutes is failed, and ended at the provider", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      yield* script(
        [Effect.succeed(submitted("job-1"))],
        Array.from({ length: 50 }, () => Effect.succeed(pending("15 seconds")))
      )
      const { id } = yield* generate(owner)
      for (let quarter = 0; quarter < 42; quarter++) {
        yield* runJobs
        yield* TestClock.adjust("15 seconds")
      }
      assert.deepInclude(yield* look(owner, id), { status: "failed", code: "timed_out" })
      assert.strictEqual((yield* asked(id)).at(-1), "cancel job-1")
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))

  it.effect("GEN-11 a run that ends while it asks: the provider is not asked again", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      yield* script([Effect.die(new Error("planted: the process ends"))])
      const { id } = yield* generate(owner)
      yield* runFor(10)
      assert.deepInclude(yield* look(owner, id), { status: "failed", code: "interrupted" })
      assert.deepStrictEqual(yield* asked(id), ["submit"])
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))

  it.effect("GEN-11 a run that ends while it looks: the next one continues with the same job", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      yield* script([Effect.succeed(submitted("job-7"))], [Effect.die(new Error("planted: the process ends"))])
      const { id } = yield* generate(owner)
      yield* runFor(10)
      assert.strictEqual((yield* look(owner, id)).status, "done")
      assert.deepStrictEqual(yield* asked(id), ["submit", "poll job-7", "poll job-7"])
      assert.strictEqual(yield* checkEnded(owner), 1)
    }))

  it.effect("GEN-11 what the provider has answered outlives a database that is away for a moment", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const { schema, sql, tables: t } = yield* Database
      const attempts = sql.literal(`${schema}.attempts`)
      const attempt = sql.literal(`nextval('${schema}.attempts')`)
      yield* script([Effect.succeed(submitted("job-1"))])
      const { id } = yield* generate(owner)
      // A sequence is not rolled back: the first two attempts are refused.
      yield* sql`CREATE SEQUENCE ${attempts}`
      yield* sql`ALTER TABLE ${t.generations} ADD CONSTRAINT away CHECK (state <> 'submitted' OR ${attempt} > 2) NOT VALID`
      yield* asTimePasses(runJobs, "100 millis")
      yield* sql`ALTER TABLE ${t.generations} DROP CONSTRAINT away`
      const [next] = yield* sql<{ readonly next: number }>`SELECT ${attempt}::int AS next`
      yield* sql`DROP SEQUENCE ${attempts}`
      assert.isAbove(next!.next, 3)
      yield* runFor(2)
      assert.strictEqual((yield* look(owner, id)).status, "done")
      assert.deepStrictEqual((yield* asked(id)).slice(0, 2), ["submit", "poll job-1"])
      assert.strictEqual(yield* checkEnded(owner), 1)
    }))

  it.effect("GEN-11 an image that is in storage is kept, though the run ended before it was recorded", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      yield* script([])
      const { id } = yield* generate(owner)
      yield* MemoryObjectStore.use((store) =>
        store.plant("put", Faults.after(Effect.die(new Error("planted: the process ends"))))
      )
      yield* runFor(10)
      assert.strictEqual((yield* look(owner, id)).status, "done")
      assert.deepStrictEqual(yield* asked(id), ["submit"])
      assert.strictEqual(yield* checkEnded(owner), 1)
    }))

  it.effect("GEN-11 an image that could not be stored is fetched again from the provider's job", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      yield* script([Effect.succeed(submitted("job-1"))])
      const { id } = yield* generate(owner)
      yield* MemoryObjectStore.use((store) =>
        store.plant("put", Faults.before(Effect.die(new Error("planted: the process ends"))))
      )
      yield* runFor(30)
      assert.strictEqual((yield* look(owner, id)).status, "done")
      assert.deepStrictEqual(yield* asked(id), ["submit", "poll job-1", "poll job-1"])
      assert.strictEqual(yield* checkEnded(owner), 1)
    }))

  it.effect("GEN-11 an image without a job that could not be stored is failed, and given back", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      yield* script([])
      const { id } = yield* generate(owner)
      yield* MemoryObjectStore.use((store) =>
        store.plant("put", Faults.before(Effect.die(new Error("planted: the process ends"))))
      )
      yield* runFor(10)
      assert.deepInclude(yield* look(owner, id), { status: "failed", code: "not_saved" })
      assert.deepStrictEqual(yield* asked(id), ["submit"])
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))

  it.effect("GEN-14 an image that succeeded and is not saved 15 minutes later is failed", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const store = yield* MemoryObjectStore
      yield* script([])
      const { id } = yield* generate(owner)
      yield* store.plant("put", Faults.after(Effect.die(new Error("planted: the process ends"))))
      yield* store.plant("head", Faults.notReached, 100)
      yield* runJobs
      for (let turn = 0; turn < 44; turn++) {
        yield* TestClock.adjust("20 seconds")
        yield* runJobs
      }
      assert.strictEqual((yield* look(owner, id)).status, "working")
      yield* TestClock.adjust("20 seconds")
      assert.deepInclude(yield* look(owner, id), { status: "failed", code: "not_saved" })
      yield* runFor(21)
      assert.strictEqual(yield* checkEnded(owner), 0)
      assert.deepStrictEqual(yield* asked(id), ["submit"])
    }))

  it.effect("GEN-23 an image that does not fit the quota, or whose account has lost its plan, is failed", () =>
    Effect.gen(function*() {
      const users = yield* TestAccounts
      yield* script([])
      const owner = yield* user({ quotaBytes: testImage.bytes.length - 1 })
      const full = yield* generate(owner)
      yield* runJobs
      assert.deepInclude(yield* look(owner, full.id), { status: "failed", code: "storage_full" })
      yield* users.change(owner, { quotaBytes: testImage.bytes.length })
      const fits = yield* generate(owner)
      yield* runJobs
      assert.strictEqual((yield* look(owner, fits.id)).status, "done")
      yield* users.change(owner, { quotaBytes: null })
      const late = yield* generate(owner)
      yield* users.change(owner, { plan: null })
      yield* runJobs
      assert.deepInclude(yield* look(owner, late.id), { status: "failed", code: "not_allowed" })
      assert.strictEqual(yield* checkEnded(owner), 1)
    }))

  it.effect("GEN-25 a model that can't be asked any more when its turn comes is failed without asking", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const generator = yield* TestImageGenerator
      const { id } = yield* generate(owner, { model: "seedream4" })
      yield* generator.setUnavailable("seedream4", "A_KEY is not set")
      yield* runJobs
      yield* generator.setUnavailable("seedream4", null)
      const item = yield* look(owner, id)
      assert.deepInclude(item, { status: "failed", code: "generator_unavailable" })
      assert.notInclude(item.error, "KEY")
      assert.deepStrictEqual(yield* asked(id), [])
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))
})
