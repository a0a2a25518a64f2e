import { assert, describe, it } from "@effect/vitest"
import { isoTime, localTime } from "../../browser/owner/localTime.ts"
import { amountOf, bytesOf } from "../../browser/requests/amount.ts"
import { folderPath } from "../../browser/requests/folderPath.ts"
import { positionOf } from "../../browser/reviews/position.ts"

describe("fields of an owner's forms", () => {
  it("PAGE-139 a size is a number with a point or a comma, in a unit of thousands; nothing is no limit", () => {
    assert.strictEqual(bytesOf("2.5", "gigabyte"), 2_500_000_000)
    assert.strictEqual(bytesOf(" 2,5 ", "terabyte"), 2_500_000_000_000)
    assert.strictEqual(bytesOf("0.000001", "megabyte"), 1)
    assert.isNull(bytesOf("  ", "gigabyte"))
    for (const wrong of ["many", "-1", "1e3", "0", "0,0", "1.2.3", "1 000", ".5", "99999999999", "NaN"]) {
      assert.isUndefined(bytesOf(wrong, "terabyte"), wrong)
    }
  })

  it("PAGE-139 a size that there is is written so that it is the same when it is read", () => {
    for (const bytes of [1, 999, 1_000, 1_234_567, 10_000_000_000, 2_500_000_000_000]) {
      for (const locale of ["en-GB", "de-AT", "ar-EG"]) {
        const { amount, unit } = amountOf(bytes, locale)
        assert.strictEqual(bytesOf(amount, unit), bytes, `${amount} ${unit}`)
      }
    }
    assert.deepStrictEqual(amountOf(10_000_000_000, "de"), { amount: "10", unit: "gigabyte" })
    assert.deepStrictEqual(amountOf(null, "de"), { amount: "", unit: "gigabyte" })
  })

  it("PAGE-139 a time is the reader's own, to the minute", () => {
    const iso = new Date(2099, 2, 1, 12, 30).toISOString()
    assert.strictEqual(localTime(iso), "2099-03-01T12:30")
    assert.strictEqual(isoTime("2099-03-01T12:30"), iso)
    assert.strictEqual(localTime(null), "")
    assert.isNull(isoTime(""))
    assert.isUndefined(isoTime("?"))
  })

  it("PAGE-139 a folder is a path, with or without a slash before it", () => {
    assert.deepStrictEqual(
      ["Photos", "/Photos/ Lisbon /", " / Photos / Lisbon", "", "  ", "/", "a//b", "\u202e"].map(folderPath),
      ["/Photos", "/Photos/Lisbon", "/Photos/Lisbon", "", "", "/", "/a//b", ""]
    )
  })

  it("PAGE-161 a position is written as on the page of the review, also while the frame rate is not known", () => {
    const film = { file: { type: "Video" as const }, frameRate: null }
    const at = (seconds: number | null, endSeconds: number | null = null) => ({ seconds, endSeconds })
    assert.strictEqual(positionOf(at(65.2), film), "1:05.2")
    assert.strictEqual(positionOf(at(60.06), { ...film, frameRate: 30_000 / 1_001 }), "00:01:00;02")
    assert.strictEqual(positionOf(at(1, 2.04), { ...film, frameRate: 25 }), "00:00:01:00 – 00:00:02:01")
    assert.strictEqual(positionOf(at(65.2), { file: { type: "Audio" }, frameRate: null }), "1:05.2")
    assert.isNull(positionOf(at(null), film))
  })
})
