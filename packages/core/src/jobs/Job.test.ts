import { assert, describe, it } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Duration, Effect, Layer, Logger, Ref, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { AccountId, FileId } from "../shared/Ids.ts"
import * as Job from "./Job.ts"
import { done, Jobs } from "./Jobs.ts"
import { JobsOverview } from "./JobsOverview.ts"
import * as JobsSql from "./JobsSql.ts"
import { JobsWorker } from "./JobsWorker.ts"

const accountId = AccountId.make("00000000-0000-4000-8000-000000000001")
const fileId = FileId.make("00000000-0000-4000-8000-000000000002")

const letterJob = Job.define("letters", {
  description: "Sends a letter.",
  when: "when written",
  key: Job.key({ accountId: AccountId, fileId: FileId, by: Schema.Literals(["air", "sea"]) })
})
const letter = { accountId, fileId, by: "sea" } as const
const text = `${accountId}/${fileId}/sea`

const worker = Layer.mergeAll(JobsWorker.layerManual, JobsOverview.layer).pipe(
  Layer.provideMerge(JobsSql.layer),
  Layer.provide(SecureRandom.layerWebCrypto),
  Layer.provideMerge(TestDatabase.layer)
)
const runDue = JobsWorker.use(({ runDue }) => runDue)
const failing = JobsOverview.use((overview) => overview.failing(10))

describe("Kinds of jobs", () => {
  it("JOB-38 a key is its parts, joined by slashes in the order of the definition", () => {
    assert.strictEqual(Schema.encodeSync(letterJob.key)({ by: "sea", fileId, accountId }), text)
    assert.deepStrictEqual(Schema.decodeSync(letterJob.key)(text), letter)
  })

  it.each([
    ["", "nothing"],
    [`${accountId}/${fileId}`, "too few parts"],
    [`${text}/more`, "too many"],
    [`${accountId}/17/sea`, "a part that is no id"],
    [`${accountId}/${fileId}/mail`, "a part that is not one of the words"]
  ])("JOB-37 %j (%s) is not read as a key", (text) => {
    assert.throws(() => Schema.decodeSync(letterJob.key)(text))
  })

  it.effect("JOB-38 a job is enqueued, run and cancelled by its key", () =>
    Effect.gen(function*() {
      const ran = yield* Ref.make<ReadonlyArray<unknown>>([])
      yield* letterJob.handle((key, { attempt, key: text }) =>
        Effect.as(Ref.update(ran, (before) => [...before, { key, text, attempt }]), done)
      )
      const queue = yield* letterJob.queue
      yield* letterJob.enqueue(letter)
      yield* queue.enqueue({ ...letter, by: "air" }, DateTime.addDuration(yield* DateTime.now, Duration.hours(1)))
      yield* runDue
      assert.deepStrictEqual(yield* Ref.get(ran), [{ key: letter, text, attempt: 1 }])
      yield* queue.cancel({ ...letter, by: "air" })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* runDue, 0)
      yield* letterJob.enqueueAll([letter, { ...letter, by: "air" }])
      assert.strictEqual(yield* runDue, 2)
    }).pipe(Effect.provide(worker)))

  it.effect("JOB-37 a job whose key can't be read does not run: it waits as failing, tried hourly, logged once", () =>
    Effect.gen(function*() {
      const runs = yield* Ref.make(0)
      const logged = yield* Ref.make<ReadonlyArray<string>>([])
      const logger = Logger.map(Logger.formatLogFmt, (line) => {
        if (line.includes("level=ERROR")) Effect.runSync(Ref.update(logged, (before) => [...before, line]))
      })
      yield* letterJob.handle(() => Effect.as(Ref.update(runs, (n) => n + 1), done))
      yield* Jobs.use((jobs) => jobs.enqueue({ kind: "letters", key: `${accountId}/17/sea` }))
      for (let hour = 0; hour < 5; hour++) {
        assert.strictEqual(yield* Effect.provide(runDue, Logger.layer([logger])), 1)
        const [job] = yield* failing
        assert.include(
          job!.lastError,
          `The key "${accountId}/17/sea" is not valid for jobs of the kind letters: fileId must be a UUID.`
        )
        assert.isAtLeast(job!.nextTime.getTime() - (yield* DateTime.now).epochMilliseconds, 48 * 60_000)
        yield* TestClock.adjust("72 minutes")
      }
      assert.strictEqual(yield* Ref.get(runs), 0)
      assert.lengthOf(yield* Ref.get(logged), 1)
      assert.include((yield* Ref.get(logged))[0], `is not valid for jobs of the kind letters`)
    }).pipe(Effect.provide(worker)))

  it.effect("JOB-6 work of an interval runs by itself", () =>
    Effect.gen(function*() {
      const runs = yield* Ref.make(0)
      const sweepJob = Job.every("sweep", {
        description: "Sweeps.",
        interval: Duration.hours(6),
        firstAfter: Duration.hours(1)
      })
      assert.strictEqual(sweepJob.when, "every 6 hours, first an hour after a database is made")
      yield* sweepJob.handle(Ref.update(runs, (n) => n + 1))
      yield* runDue
      assert.strictEqual(yield* Ref.get(runs), 0)
      yield* TestClock.adjust("1 hour")
      yield* runDue
      yield* TestClock.adjust("6 hours")
      yield* runDue
      assert.strictEqual(yield* Ref.get(runs), 2)
    }).pipe(Effect.provide(worker)))
})
