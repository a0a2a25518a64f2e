import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import { type Archive, type ArchiveEvent, fileName, next } from "./Archive.ts"

const now = DateTime.makeUnsafe("2026-01-20T00:00:00Z")
const daysAgo = (days: number) => DateTime.toDateUtc(DateTime.subtractDuration(now, Duration.days(days)))

type From = Pick<Archive, "status" | "progressTime" | "expireTime">
const working = (idleDays: number): From => ({ status: "working", progressTime: daysAgo(idleDays), expireTime: null })
const done = (leftDays: number): From => ({ status: "done", progressTime: daysAgo(1), expireTime: daysAgo(-leftDays) })
const failed = (leftDays: number): From => ({ ...done(leftDays), status: "failed" })

const rows: ReadonlyArray<readonly [row: string, from: From, by: ArchiveEvent["_tag"], to: string]> = [
  ["all parts are one object", working(0), "Completed", "done"],
  ["no file is left", working(0), "NothingLeft", "failed"],
  ["swept while it moves", working(6.9), "Swept", "Stays"],
  ["swept when it stood still for 7 days", working(7), "Swept", "failed"],
  ["completed again", done(7), "Completed", "Stays"],
  ["completed once failed", failed(7), "Completed", "Stays"],
  ["no file is left once done", done(7), "NothingLeft", "Stays"],
  ["swept before its time", done(0.1), "Swept", "Stays"],
  ["swept at its time", done(0), "Swept", "Goes"],
  ["swept long after", done(-30), "Swept", "Goes"],
  ["a failed one before its time", failed(0.1), "Swept", "Stays"],
  ["a failed one at its time", failed(0), "Swept", "Goes"]
]

describe("Archive", () => {
  it.each(rows)("ZIP-15 %s", (_, from, by, to) => {
    const came = next(from, { _tag: by }, now)
    assert.strictEqual(came._tag === "Ends" ? came.status : came._tag, to)
    if (came._tag !== "Ends") return
    assert.deepStrictEqual(came.expireTime, daysAgo(-7))
    assert.strictEqual(came.error === null, to === "done")
  })

  it.each([["Photos", "Photos.zip"], ["a.ZIP", "a.ZIP"], ["zip", "zip.zip"]])(
    "ZIP-16 %s is saved as %s",
    (title, name) => {
      assert.strictEqual(fileName(title), name)
    }
  )
})
