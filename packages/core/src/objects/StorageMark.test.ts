import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { type DatabaseMark, decode, disagreementOf, encode, gapBetween, isKnownTime } from "./StorageMark.ts"

const start = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const at = (minutes: number) => DateTime.add(start, { minutes })
const [ours, theirs] = ["019845e1-682f-7b02-a706-000000000001", "019845e1-682f-7b02-a706-000000000002"]

const database = (time: number, stored: number | null): DatabaseMark => ({
  epoch: ours,
  time: at(time),
  storedTime: stored === null ? null : at(stored),
  heldTime: null
})
const storage = (time: number, epoch = ours) => ({ epoch, time: at(time) })

describe("StorageMark", () => {
  it.each(
    [
      ["neither has one", null, null, null],
      ["a new database beside a storage with a mark", null, storage(0), "foreign"],
      ["a start that was killed before storage had its first mark", database(0, null), null, null],
      ["the same time", database(60, 60), storage(60), null],
      ["a start that was killed before storage had its mark", database(120, 60), storage(60), null],
      ["a start that was killed before the database knew that", database(120, 60), storage(120), null],
      ["a restored database", database(60, 60), storage(120), "newer"],
      ["a restored database of before its first mark was stored", database(0, null), storage(60), "newer"],
      ["a restored database, by a moment", database(60, 60), {
        epoch: ours,
        time: DateTime.add(at(60), { milliseconds: 1 })
      }, "newer"],
      ["a restored storage", database(120, 120), storage(60), "older"],
      ["a restored storage, by a moment", database(62, 62), storage(60), "older"],
      ["a storage that has lost its mark", database(60, 60), null, "foreign"],
      ["another database", database(60, 60), storage(60, theirs), "foreign"],
      ["another database, of a later time", database(60, 60), storage(600, theirs), "foreign"]
    ] as const
  )("STO-144 %s", (_, database, storage, expected) => {
    assert.strictEqual(disagreementOf(database, storage), expected)
  })

  it("STO-144 a stored mark is read again, and an unreadable mark belongs to no database", () => {
    assert.deepStrictEqual(decode(encode(storage(7))), storage(7))
    for (const text of ["", "{}", "null", "{\"epoch\":\"x\",\"time\":\"yesterday\"}", "\u0000"]) {
      assert.strictEqual(disagreementOf(database(60, 60), decode(new TextEncoder().encode(text))), "foreign")
    }
  })

  it.each([
    ["long before the gap", 0, true],
    ["shortly before the mark", 55, false],
    ["in the gap", 90, false],
    ["after the start", 121, true],
    ["in the future", 1_000, false]
  ])("STO-143 an object that was named %s", (_, minutes, isKnown) => {
    const hex = at(minutes).epochMilliseconds.toString(16).padStart(12, "0")
    const key = `files/${ours}/${hex.slice(0, 8)}-${hex.slice(8)}-7b02-a706-3b2422d13aff`
    // When it was stored does not count.
    const object = { key, storedTime: at(121) }
    assert.strictEqual(isKnownTime(object, [gapBetween(at(60), at(120))], at(500)), isKnown)
    assert.strictEqual(isKnownTime(object, [gapBetween(at(120), at(60))], at(500)), isKnown, "the clock was set back")
    const unnamed = { key: `files/${ours}/a`, storedTime: at(minutes) }
    assert.strictEqual(isKnownTime(unnamed, [gapBetween(at(60), at(120))], at(500)), isKnown)
  })
})
