import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { depthMax, fieldsMax, groupsMax, isWithinBounds, shortTextLength } from "./JsonBounds.ts"

const depthOf = (value: unknown): number =>
  typeof value !== "object" || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf))

const fieldsOf = (value: unknown): number =>
  typeof value !== "object" || value === null
    ? 0
    : (Array.isArray(value) ? 0 : Object.keys(value).length)
      + Object.values(value).reduce<number>((sum, one) => sum + fieldsOf(one), 0)

const padded = (value: unknown) => JSON.stringify([value, "x".repeat(shortTextLength)])

it("ERR-17 a body may be nested so deep and have so many fields, and no more", () => {
  const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown
  assert.isTrue(isWithinBounds(padded(nested(depthMax - 1))))
  assert.isFalse(isWithinBounds(padded(nested(depthMax))))
  const wide = (fields: number) => Object.fromEntries(Array.from({ length: fields }, (_, at) => [`k${at}`, ":[{\\\""]))
  assert.isTrue(isWithinBounds(padded(wide(fieldsMax))))
  assert.isFalse(isWithinBounds(padded(wide(fieldsMax + 1))))
  const many = (groups: number) => Array.from({ length: groups }, (_, at) => at % 2 === 0 ? [] : {})
  // What pads it is in an array too.
  assert.isTrue(isWithinBounds(padded(many(groupsMax - 2))))
  assert.isFalse(isWithinBounds(padded(many(groupsMax - 1))))
  assert.isTrue(isWithinBounds(`"${"[".repeat(shortTextLength)}`), "what has no end is the parser's to refuse")
  assert.isTrue(isWithinBounds(`"${"\\".repeat(shortTextLength)}`))
})

it("ERR-17 any JSON text within the bounds is taken, whatever its strings hold", () => {
  const text = fc.string({ unit: fc.constantFrom("[", "{", ":", "\"", "\\", "a", "]", "}") })
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 40, depthSize: "max" },
      text,
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(text, tie("any"), { maxKeys: 3 })
    )
  })).any
  fc.assert(fc.property(value, (value) => {
    const isWithin = depthOf(value) < depthMax && fieldsOf(value) <= fieldsMax
    assert.strictEqual(isWithinBounds(padded(value)), isWithin)
  }))
})
