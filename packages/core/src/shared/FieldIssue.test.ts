import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { InvalidField } from "./DriveError.ts"
import * as FieldIssue from "./FieldIssue.ts"

const told = (schema: Schema.Codec<unknown>, value: unknown) => {
  const decoded = Schema.decodeUnknownResult(schema, { reportInput: true })(value)
  if (Result.isSuccess(decoded)) return undefined
  const { because, code, field } = FieldIssue.first(decoded.failure.issue)
  return [code, field, because]
}

const Latitude = Schema.Number.check(Schema.isBetween({ minimum: -90, maximum: 90 }))
const Body = Schema.Struct({
  within: Schema.optionalKey(Schema.Struct({ south: Latitude, west: Schema.Finite })),
  fileIds: Schema.optionalKey(Schema.Array(Schema.String.check(Schema.isUUID())).check(Schema.isMaxLength(4))),
  sort: Schema.optionalKey(Schema.Literals(["newest", "oldest"])),
  title: Schema.optionalKey(Schema.String.check(Schema.isBetweenLength(1, 3))),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  folder: Schema.optionalKey(Schema.NullOr(Schema.Struct({ id: Schema.String }))),
  since: Schema.optionalKey(Schema.DateTimeUtcFromString),
  own: Schema.optionalKey(Schema.String.check(Schema.makeFilter<string>(() => "must rhyme"))),
  value: Schema.optionalKey(Schema.Union([Schema.String, Schema.Number]))
})
const id = "019845e1-682f-7b02-a706-3b2422d13aec"

describe("field issues", () => {
  it("ERR-3 a path is written as a program would write it", () => {
    assert.strictEqual(FieldIssue.pathText([]), "")
    assert.strictEqual(FieldIssue.pathText(["within", "south"]), "within.south")
    assert.strictEqual(FieldIssue.pathText(["fileIds", 3]), "fileIds[3]")
    assert.strictEqual(FieldIssue.pathText([2, "id"]), "[2].id")
  })

  it.each([
    { field: "within.south", because: "must be from -90 to 90", says: "within.south must be from -90 to 90." },
    {
      field: "trackId",
      because: "cannot be given together with playlistId",
      says: "trackId cannot be given together with playlistId."
    },
    { field: "fileSize", because: "3 bytes are stored", says: "fileSize: 3 bytes are stored." },
    { field: "url", because: "This is not a link.", says: "url: This is not a link." },
    { field: "", because: "must be an object", says: "The body must be an object." }
  ])("ERR-28 $says", ({ says, ...issue }) => {
    assert.strictEqual(FieldIssue.sentence(issue), says)
    assert.strictEqual(new InvalidField({ code: "invalid_field", ...issue }).message, says)
  })

  it("ERR-28 what is not a body is called what it is", () => {
    assert.strictEqual(
      FieldIssue.sentence({ field: "", because: "must be an object" }, "its argument"),
      "its argument must be an object."
    )
  })

  for (
    const [value, code, field, because] of [
      [{ within: {} }, "missing_field", "within.south", "is missing"],
      [{ within: { south: 91, west: 0 } }, "invalid_field", "within.south", "must be from -90 to 90"],
      [{ within: { south: 0, west: "x" } }, "invalid_field", "within.west", "must be a number"],
      [{ within: [] }, "invalid_field", "within", "must be an object"],
      [{ fileIds: [id, id, id, "7"] }, "invalid_field", "fileIds[3]", "must be a UUID"],
      [{ fileIds: [id, id, id, id, id] }, "invalid_field", "fileIds", "must have at most 4 items"],
      [{ fileIds: {} }, "invalid_field", "fileIds", "must be a list"],
      [{ sort: "up" }, "invalid_field", "sort", "must be newest or oldest"],
      [{ title: "" }, "invalid_field", "title", "must have 1 to 3 characters"],
      [{ limit: 0 }, "invalid_field", "limit", "must be at least 1"],
      [{ limit: 1.5 }, "invalid_field", "limit", "must be a whole number"],
      [{ folder: { id: 1 } }, "invalid_field", "folder.id", "must be text"],
      [{ folder: {} }, "missing_field", "folder.id", "is missing"],
      [{ folder: 1 }, "invalid_field", "folder", "must be an object or null"],
      [{ own: "x" }, "invalid_field", "own", "must rhyme"],
      [{ value: true }, "invalid_field", "value", "must be text or a number"]
    ] as const
  ) {
    it(`ERR-3 ${JSON.stringify(value).slice(0, 60)}: ${field} ${because}`, () => {
      assert.deepStrictEqual(told(Body as Schema.Codec<unknown>, value), [code, field, because])
    })
  }

  it("ERR-3 an invalid time says what is wanted, not how it is parsed", () => {
    const [code, field, because] = told(Body as Schema.Codec<unknown>, { since: "soon" })!
    assert.deepStrictEqual([code, field], ["invalid_field", "since"])
    assert.notMatch(because!, /schema|expected|decode|transform/i)
  })
})
