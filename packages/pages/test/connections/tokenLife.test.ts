import { assert, describe, it } from "@effect/vitest"
import { endOf, tomorrow } from "../../browser/connections/tokenLife.ts"

const now = new Date(2026, 11, 31, 22, 30)

describe("how long a token is good", () => {
  it("PAGE-104 a day is good until its end, in the reader's time", () => {
    assert.strictEqual(tomorrow(now), "2027-01-01")
    assert.strictEqual(endOf("date", "2027-01-01", now.getTime()), new Date(2027, 0, 2).toISOString())
    assert.strictEqual(endOf("date", "2026-12-31", now.getTime()), new Date(2027, 0, 1).toISOString())
  })

  it.each(["2026-12-30", "", "2027-1-1", "soon"])("PAGE-104 '%s' is no day to come", (day) => {
    assert.isUndefined(endOf("date", day, now.getTime()))
  })

  it("PAGE-104 others end after their days, or never", () => {
    const days = (end: string) => (Date.parse(end) - now.getTime()) / 86_400_000
    assert.deepStrictEqual((["week", "month", "year"] as const).map((life) => days(endOf(life, "", now.getTime())!)), [
      7,
      30,
      365
    ])
    assert.isNull(endOf("never", "", now.getTime()))
  })
})
