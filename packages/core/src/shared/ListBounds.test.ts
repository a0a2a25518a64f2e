import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as Given from "./Given.ts"

/** A list that claims a length, and counts what is read of it. */
const claiming = (length: number) => {
  let reads = 0
  const list = new Proxy([], {
    get: (target, key, receiver) => {
      if (key === "length") return length
      if (typeof key === "string" && /^\d+$/.test(key)) reads++
      return Reflect.get(target, key, receiver)
    }
  })
  return { list, reads: () => reads }
}

const Ids = Schema.Array(Schema.String)
const read = Given.strictReader(Schema.Struct({
  some: Schema.optionalKey(Ids.check(Schema.isBetweenLength(1, 100))),
  few: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Struct({ ids: Ids.check(Schema.isMaxLength(3)) })))),
  any: Schema.optionalKey(Ids)
}))

describe("lists that a host's code passes", () => {
  it("HOST-165 the length of a list is compared before anything of it is read", () => {
    const cases = [
      [101, (list: unknown) => ({ some: list }), "some", "must have 1 to 100 items"],
      [50_000_000, (list: unknown) => ({ some: list }), "some", "must have 1 to 100 items"],
      [4, (list: unknown) => ({ few: [{ ids: [] }, { ids: list }] }), "few[1].ids", "must have at most 3 items"],
      [50_000_000, (list: unknown) => ({ any: list }), "any", "must have at most 1000000 items"],
      [50_000_000, (list: unknown) => ({ unknown: [list] }), "unknown[0]", "must have at most 1000000 items"],
      [50_000_000, (list: unknown) => list, "", "must have at most 1000000 items"],
      [-1, (list: unknown) => ({ some: list }), "some", "must have 1 to 100 items"]
    ] as const
    for (const [length, given, field, because] of cases) {
      const { list, reads } = claiming(length)
      const result = read(given(list))
      assert.deepStrictEqual(Result.isFailure(result) ? result.failure : result, {
        code: "invalid_field",
        field,
        because
      })
      assert.strictEqual(reads(), 0, field)
    }
  })

  it("HOST-165 all lists of a call together have at most as many entries as one list may have", () => {
    const { list, reads } = claiming(600_000)
    const other = claiming(600_000)
    const result = read({ any: list, other: other.list })
    assert.strictEqual(Result.isFailure(result) && result.failure.field, "other")
    assert.deepStrictEqual([reads(), other.reads()], [600_000, 0])
  })

  it("HOST-165 lists of any length that is allowed are read", () => {
    const ids = Array.from({ length: 100 }, () => "a")
    const given = { some: ids, few: [{ ids: ["a", "b", "c"] }], any: [...ids, ...ids] }
    assert.deepStrictEqual(read(given), Result.succeed(given))
    assert.deepStrictEqual(read({ few: null }), Result.succeed({ few: null }))
  })
})
