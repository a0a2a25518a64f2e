import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import * as Limits from "../limits/Limits.ts"
import type { ImageFailure, ImageReason } from "../ports/ImageGenerator.ts"
import { type Generation, type GenerationState, states } from "./Generation.ts"
import { begin, type GenerationEvent, type ImagePresence, next, shown } from "./GenerationState.ts"

const time = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const after = (duration: Duration.Input) => DateTime.addDuration(time, Duration.fromInputUnsafe(duration))

type Current = Parameters<typeof next>[0]

const at = (state: GenerationState, more: Partial<Current> = {}): Current => ({
  state,
  job: state === "submitted" ? "job-1" : null,
  submitTime: state === "submitted" ? time : null,
  successTime: state === "storing" || state === "done" ? time : null,
  failures: 0,
  failTime: null,
  ...more
})

const failed = (reason: ImageReason, more: Partial<ImageFailure> = {}): GenerationEvent => ({
  _tag: "ProviderFailed",
  failure: { reason, begun: true, retryAfter: null, ...more },
  callTime: time
})

/** The states after each event, in the order of `states`; `-` where the event doesn't count. */
const row = (event: GenerationEvent, now = time) =>
  states.map((state) => {
    const then = next(at(state), event, now)
    return then.state === "superseded" ? "-" : then.state
  })

describe("The life of a generation", () => {
  const notBegun = { begun: false }
  it.each<[string, GenerationEvent, ReadonlyArray<string>]>([
    //                                              waiting      asking       submitted    storing      done, failed, cancelled
    ["submitted", { _tag: "Submitted" }, ["-", "submitted", "-", "-", "-", "-", "-"]],
    ["pending", { _tag: "Pending", pollAfter: Duration.seconds(1) }, ["-", "-", "submitted", "-", "-", "-", "-"]],
    ["finished", { _tag: "Finished" }, ["-", "storing", "storing", "-", "-", "-", "-"]],
    ["saved", { _tag: "Saved" }, ["-", "-", "-", "done", "-", "-", "-"]],
    ["not stored", { _tag: "NotStored" }, ["-", "-", "-", "failed", "-", "-", "-"]],
    ["cancelled", { _tag: "Cancelled" }, ["cancelled", "cancelled", "cancelled", "cancelled", "-", "-", "-"]],
    ["failed", { _tag: "Failed", code: "not_allowed" }, ["failed", "failed", "failed", "failed", "-", "-", "-"]],
    ["moderated", failed("moderated"), ["-", "failed", "failed", "-", "-", "-", "-"]],
    ["rejected", failed("rejected"), ["-", "failed", "failed", "-", "-", "-", "-"]],
    ["not paid", failed("notPaid", notBegun), ["-", "failed", "failed", "-", "-", "-", "-"]],
    ["invalid", failed("invalid"), ["-", "failed", "failed", "-", "-", "-", "-"]],
    ["lost", failed("lost"), ["-", "failed", "failed", "-", "-", "-", "-"]],
    ["unavailable, begun", failed("unavailable"), ["-", "failed", "submitted", "-", "-", "-", "-"]],
    ["unavailable, not begun", failed("unavailable", notBegun), ["-", "waiting", "submitted", "-", "-", "-", "-"]],
    ["busy", failed("busy", notBegun), ["-", "waiting", "submitted", "-", "-", "-", "-"]]
  ])("GEN-10 each state after: %s", (_, event, expected) => {
    assert.deepStrictEqual(row(event), expected)
  })

  it.each<[GenerationState, Partial<Current>, Duration.Input, string]>([
    ["waiting", {}, 0, "Ask"],
    ["waiting", {}, "30 days", "Ask"],
    ["asking", {}, 0, "Fail interrupted"],
    ["submitted", {}, "599 seconds", "Look"],
    ["submitted", {}, "10 minutes", "Fail timed_out"],
    ["storing", {}, "899 seconds", "Save"],
    ["storing", {}, "15 minutes", "Fail not_saved"],
    ["done", {}, 0, "Nothing"],
    ["failed", {}, 0, "Nothing"],
    ["failed", { job: "job-1" }, 0, "Abandon"],
    ["cancelled", {}, 0, "Nothing"],
    ["cancelled", { job: "job-1" }, 0, "Abandon"]
  ])("GEN-11 a run that finds it %s %j after %s: %s", (state, more, elapsed, expected) => {
    const begun = begin(at(state, more), after(elapsed))
    assert.strictEqual(begun._tag === "Fail" ? `Fail ${begun.code}` : begun._tag, expected)
  })

  it("GEN-11 an image that is not in storage is fetched again from its provider's job", () => {
    assert.strictEqual(next(at("storing", { job: "job-1" }), { _tag: "NotStored" }, time).state, "submitted")
  })

  it.each([["asking", 18], ["submitted", 80]] as const)(
    "GEN-12 a provider that only fails while %s is not asked again after %i s",
    (state, seconds) => {
      let current = at(state)
      let now = time
      const busy = failed("busy", { begun: false })
      for (let failures = 1;; failures++) {
        const then = next(current, busy, now)
        if (!("retryTime" in then)) {
          assert.deepStrictEqual(then, { state: "failed", code: "busy" })
          break
        }
        assert.deepStrictEqual(then.failTime, time)
        assert.isBelow(failures, 10)
        now = then.retryTime
        current = at(state, { failures, failTime: time })
      }
      assert.isAtMost(Duration.toSeconds(DateTime.distance(time, now)), seconds)
    }
  )

  it("GEN-12 a provider is asked again when it wants to be, unless that is too late", () => {
    const wait = (seconds: number) => failed("busy", { begun: false, retryAfter: Duration.seconds(seconds) })
    assert.deepInclude(next(at("asking"), wait(18), time), { state: "waiting", retryTime: after("18 seconds") })
    assert.deepStrictEqual(next(at("asking"), wait(19), time), { state: "failed", code: "busy" })
  })

  it("GEN-12 the time that a failing call took counts", () => {
    const late = failed("busy", { begun: false })
    assert.strictEqual(next(at("asking"), late, after("10 seconds")).state, "waiting")
    assert.deepStrictEqual(next(at("asking"), late, after("17 seconds")), { state: "failed", code: "busy" })
  })

  it("GEN-12 with its last call a provider that fails is over within 120 s", () => {
    const { asking, submitted } = Limits.imageRetryPeriod
    const sum = (period: Duration.Duration, call: Duration.Duration) => Duration.toSeconds(Duration.sum(period, call))
    assert.isBelow(sum(asking, Limits.imageSubmitTimeout), 120)
    assert.isBelow(sum(submitted, Limits.imagePollTimeout), 120)
  })

  it.each([[0, 500], [2_000, 2_000], [3_600_000, 15_000]])(
    "GEN-13 a provider that wants to be looked at after %i ms is looked at after %i ms",
    (wanted, millis) => {
      const then = next(at("submitted"), { _tag: "Pending", pollAfter: Duration.millis(wanted) }, time)
      assert.deepInclude(then, { retryTime: after(millis), failTime: null })
    }
  )
})

describe("The status that is told", () => {
  const told = (
    state: GenerationState,
    image: ImagePresence,
    elapsed: Duration.Input,
    successTime: Generation["successTime"] = state === "storing" || state === "done" ? time : null
  ) => {
    const code = state === "failed" ? "moderated" : state === "cancelled" ? "cancelled" : null
    const { isTrashed, status, ...rest } = shown({ state, successTime, code }, image, after(elapsed))
    return [status, ...isTrashed ? ["trashed"] : [], ...rest.code === null ? [] : [rest.code]].join(" ")
  }

  it.each<[GenerationState, ImagePresence, Duration.Input, string]>([
    // Spec: "Image generation (`status`)".
    ["waiting", "none", "1 day", "working"],
    ["asking", "none", 0, "working"],
    ["submitted", "none", 0, "working"],
    ["storing", "none", "899 seconds", "working"],
    ["storing", "none", "15 minutes", "failed not_saved"],
    ["done", "there", 0, "done"],
    ["done", "there", "366 days", "done"],
    ["done", "trashed", 0, "done trashed"],
    ["done", "trashed", "1 day", "done trashed"],
    ["done", "none", "899 seconds", "done"],
    ["done", "none", "15 minutes", "failed image_deleted"],
    ["failed", "none", 0, "failed moderated"],
    ["cancelled", "none", 0, "failed cancelled"]
  ])(
    "GEN-14 %s, image %s, after %s: %s",
    (state, image, elapsed, expected) => {
      assert.strictEqual(told(state, image, elapsed), expected)
    }
  )
})
