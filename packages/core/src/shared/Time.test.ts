import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result } from "effect"
import * as fc from "fast-check"
import * as Given from "./Given.ts"
import * as Time from "./Time.ts"

const read = Given.reader(Time.Time)

describe("times", () => {
  it("ERR-29 a day or an hour that does not exist is refused, and not taken for another", () => {
    for (
      const text of [
        "2099-02-30T00:00:00Z",
        "2026-06-31T00:00:00Z",
        "2025-02-29T12:00:00+02:00",
        "2100-02-29T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "2026-00-10T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T23:60:00Z",
        "2026-01-01T23:59:61Z",
        "2026-01-01T00:00:00+24:00",
        "9999-12-31T23:59:59-23:00",
        "0001-01-01T00:00:00+10:00"
      ]
    ) {
      assert.isTrue(Option.isNone(Time.parse(text)), text)
      assert.isTrue(Result.isFailure(read(text)), text)
    }
    assert.isTrue(Result.isSuccess(read("2096-02-29T00:00:00Z")))
    assert.isTrue(Result.isSuccess(read("2000-02-29T23:59:59.999+14:00")))
  })

  it("ERR-29 every time of the calendar is taken as it is written", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }),
        (date) => {
          const parsed = Time.parse(date.toISOString())
          assert.strictEqual(DateTime.toEpochMillis(Option.getOrThrow(parsed)), date.getTime())
        }
      )
    )
  })
})
