import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import * as Limits from "../limits/Limits.ts"
import * as Import from "./Import.ts"
import * as PartSizes from "./PartSizes.ts"

const insertTime = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const after = (duration: Duration.Input) => DateTime.addDuration(insertTime, duration)
const failure = { code: "connection_lost", because: "The connection was lost.", retryable: true }
const failed = (retryable: boolean): Import.ImportEvent => ({ _tag: "Failed", failure: { ...failure, retryable } })
const recorded: Import.ImportEvent = { _tag: "Recorded" }
const at = (state: Import.ImportState, failures = 0, validator: string | null = "\"v1\"") => ({
  state,
  failures,
  insertTime,
  validator
})

describe("Import", () => {
  it.each<[what: string, from: ReturnType<typeof at>, event: Import.ImportEvent, to: Import.NextState["state"]]>([
    ["working, recorded: done", at("working", 3), recorded, "done"],
    ["working, failed for now: working", at("working"), failed(true), "working"],
    ["working, failed for good: failed", at("working"), failed(false), "failed"],
    ["working, failed for now the fifth time: failed", at("working", 4), failed(true), "failed"],
    ["done stays done", at("done"), failed(true), "ended"],
    ["done is not done again", at("done"), recorded, "ended"],
    ["failed stays failed", at("failed"), recorded, "ended"],
    ["failed does not fail again", at("failed"), failed(false), "ended"]
  ])("IMP-5 %s", (_, from, event, to) => {
    assert.strictEqual(Import.next(from, event, after("1 hour")).state, to)
  })

  it("IMP-5 each failure in a row waits longer", () => {
    const waits = Limits.importRetryDelays.map((_, failures) => {
      const then = Import.next(at("working", failures), failed(true), insertTime)
      return then.state === "working" ? Duration.toSeconds(DateTime.distance(insertTime, then.retryTime)) : -1
    })
    assert.deepStrictEqual(waits, [5, 30, 180, 900])
  })

  it.each([
    ["connection_lost", 1],
    ["server_stalled", 0],
    ["server_failed", 4]
  ])("IMP-17 what must begin anew is tried again after %s %i times", (code, times) => {
    const event = { _tag: "Failed", failure: { ...failure, code } } as const
    const states = Array.from(
      { length: 6 },
      (_, failures) => Import.next(at("working", failures, null), event, insertTime).state
    )
    assert.deepStrictEqual(states.filter((state) => state === "working").length, times)
    assert.deepStrictEqual(states[times], "failed")
  })

  it("IMP-5 what would be tried again after its seven days has failed", () => {
    const then = Import.next(
      at("working"),
      failed(true),
      after(Duration.subtract(Limits.importLifetime, Duration.seconds(5)))
    )
    assert.deepStrictEqual(then, { state: "failed", failure: Import.overdue })
  })
})

describe("PartSizes", () => {
  it("IMP-9 10,000 parts hold the largest file, and the sizes of all but the last depend on their number alone", () => {
    const sizes = Array.from({ length: Limits.partsMaxCount }, (_, i) => PartSizes.sizeOf(i + 1))
    assert.isAtLeast(sizes.reduce((sum, size) => sum + size, 0), Limits.fileSizeMaxBytes)
    // No part of S3 is under 5 MiB or above 5 GiB.
    assert.isTrue(sizes.every((size) => size >= 5 * 1024 ** 2 && size <= 5 * 1024 ** 3))
  })

  it("IMP-9 parts count up to the first that is missing or not whole", () => {
    const [one, two, four] = [1, 2, 4].map((partNumber) => ({ partNumber, sizeBytes: PartSizes.sizeOf(partNumber) }))
    assert.deepStrictEqual(PartSizes.whole([]), { count: 0, bytes: 0 })
    assert.deepStrictEqual(PartSizes.whole([one!, two!, four!]), { count: 2, bytes: one!.sizeBytes + two!.sizeBytes })
    assert.deepStrictEqual(PartSizes.whole([one!, { partNumber: 2, sizeBytes: 7 }]), {
      count: 1,
      bytes: one!.sizeBytes
    })
    assert.deepStrictEqual(PartSizes.whole([two!]), { count: 0, bytes: 0 })
  })
})
