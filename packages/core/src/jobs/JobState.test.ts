import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import {
  delayAfter,
  gone,
  isLogged,
  type JobEvent,
  type JobState,
  next,
  type Pass,
  type Queued,
  type Retrying,
  type Running,
  settled
} from "./JobState.ts"

const now = DateTime.makeUnsafe("2026-01-01T12:00:00Z")
const at = (offset: Duration.Input) => DateTime.addDuration(now, Duration.fromInputUnsafe(offset))

const queued: Queued = { _tag: "Queued", time: now, attempts: 0 }
const retrying: Retrying = { _tag: "Retrying", time: now, attempts: 3, failure: "no answer" }
const running: Running = {
  _tag: "Running",
  lease: "mine",
  leaseEnd: at("30 seconds"),
  attempts: 1,
  failure: null,
  rerunTime: null
}
const runningAfterFailure: Running = { ...running, attempts: 4, failure: "no answer" }
const abandoned: Running = { ...running, leaseEnd: now }

const enqueued = (time = now): JobEvent => ({ _tag: "Enqueued", time })
const claimed: JobEvent = { _tag: "Claimed", lease: "mine", now, leaseEnd: at("30 seconds") }
const cancelled: JobEvent = { _tag: "Cancelled" }
const passed = (pass: Pass, lease = "mine"): JobEvent => ({ _tag: "Passed", lease, pass, now, jitter: 1 })
const handedBack: JobEvent = { _tag: "HandedBack", lease: "mine", now }

const done: Pass = { _tag: "Done" }
const yielded: Pass = { _tag: "Yield" }
const retry: Pass = { _tag: "Retry", time: at("5 minutes") }
const backOff: Pass = { _tag: "BackOff", setback: "failed", failure: "no room" }

describe("a job's life", () => {
  it.each<[what: string, from: JobState, event: JobEvent, to: JobState]>([
    ["enqueued: it waits", gone, enqueued(), queued],
    ["there is nothing to claim", gone, claimed, gone],
    ["nor to cancel", gone, cancelled, gone],

    ["enqueued for earlier, it comes earlier", { ...queued, time: at("1 hour") }, enqueued(), queued],
    ["enqueued for later, it stays", queued, enqueued(at("1 hour")), queued],
    ["claimed when due", queued, claimed, running],
    ["not before", { ...queued, time: at("1 second") }, claimed, { ...queued, time: at("1 second") }],
    ["cancelled, it is gone", queued, cancelled, gone],

    ["enqueued while it retries, it comes earlier", { ...retrying, time: at("1 hour") }, enqueued(), retrying],
    ["claimed to retry", retrying, claimed, runningAfterFailure],
    ["cancelled while it retries, it is gone", retrying, cancelled, gone],

    ["enqueued while it runs", running, enqueued(), { ...running, rerunTime: now }],
    ["claimed by nobody else while its worker lives", running, claimed, running],
    ["claimed when its worker abandoned it", abandoned, claimed, { ...running, attempts: 2 }],
    ["which serves what was enqueued before", { ...abandoned, rerunTime: now }, claimed, { ...running, attempts: 2 }],
    [
      "cancelled while it runs, it runs to its end and does not run again",
      { ...running, rerunTime: now },
      cancelled,
      running
    ],

    ["done: it is gone", running, passed(done), gone],
    ["done, enqueued meanwhile: it waits again", { ...running, rerunTime: at("1 hour") }, passed(done), {
      ...queued,
      time: at("1 hour")
    }],
    ["retry: it waits until then", running, passed(retry), { ...queued, time: at("5 minutes") }],
    ["retry, enqueued meanwhile: it waits until the earlier", { ...running, rerunTime: now }, passed(retry), queued],
    ["yield: it is due, behind others", running, passed(yielded), queued],
    ["retry and yield count attempts anew", runningAfterFailure, passed(yielded), queued],
    ["back off: it waits longer each time", runningAfterFailure, passed(backOff), {
      _tag: "Retrying",
      time: at("8 seconds"),
      attempts: 4,
      failure: "no room"
    }],
    ["back off, enqueued meanwhile", { ...running, rerunTime: now }, passed(backOff), {
      _tag: "Retrying",
      time: now,
      attempts: 1,
      failure: "no room"
    }],
    ["a worker that lost its lease settles nothing", running, passed(done, "another's"), running],

    ["handed back, it is as it was", running, handedBack, queued],
    ["handed back, one that retries still does", runningAfterFailure, handedBack, retrying]
  ])("JOB-36 %s", (_, from, event, to) => {
    assert.deepStrictEqual(next(from, event), to)
  })

  it("JOB-36 a worker decides the same about a job that nobody enqueued meanwhile", () => {
    for (const pass of [done, retry, yielded, backOff]) {
      assert.deepStrictEqual(settled(runningAfterFailure, pass, now, 1), next(runningAfterFailure, passed(pass)))
    }
  })

  it("JOB-4 JOB-35 JOB-37 delays grow to an hour, to a minute without room, and are an hour at once for an invalid key", () => {
    const seconds = (...[setback, attempt, jitter]: Parameters<typeof delayAfter>) =>
      Duration.toSeconds(delayAfter(setback, attempt, jitter))
    const attempts = [1, 2, 6, 7, 12, 13, 2_000]
    assert.deepStrictEqual(attempts.map((n) => seconds("failed", n, 1)), [1, 2, 32, 64, 2_048, 3_600, 3_600])
    assert.deepStrictEqual(attempts.map((n) => seconds("no room", n, 1)), [1, 2, 32, 60, 60, 60, 60])
    assert.deepStrictEqual(attempts.map((n) => seconds("invalid key", n, 1)), attempts.map(() => 3_600))
    assert.deepStrictEqual([1, 2, 3, 4, 5, 2_000].map((n) => seconds("killed", n, 1)), [15, 60, 240, 960, 3_600, 3_600])
    assert.strictEqual(seconds("failed", 1, 1.2), 1.2)
  })

  it("JOB-35 JOB-37 what lasts is logged once, other failures each time", () => {
    assert.deepStrictEqual([1, 2].map((n) => isLogged("failed", n)), [true, true])
    assert.deepStrictEqual([1, 2].map((n) => isLogged("killed", n)), [true, true])
    assert.deepStrictEqual([1, 2].map((n) => isLogged("no room", n)), [true, false])
    assert.deepStrictEqual([1, 2].map((n) => isLogged("invalid key", n)), [true, false])
  })
})
