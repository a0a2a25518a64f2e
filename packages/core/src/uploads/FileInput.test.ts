import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as FieldIssue from "../shared/FieldIssue.ts"
import { FileInput } from "./FileInput.ts"

const file = { type: "Video", fileName: "a.mp4", fileSize: 5, objectKey: "users/1/a.mp4", mimeType: "video/mp4" }

/** Which field is wrong and how, or null when all is well. */
const wrong = (input: unknown) => {
  const result = Schema.decodeUnknownResult(FileInput)(input)
  if (result._tag === "Success") return null
  const { code, field } = FieldIssue.first(result.failure.issue)
  return [code, field]
}

const without = (name: keyof typeof file) =>
  Object.fromEntries(Object.entries(file).filter(([field]) => field !== name))

describe("FileInput", () => {
  it.each(["type", "fileName", "fileSize", "objectKey"] as const)("UP-1 %s is needed", (name) => {
    assert.deepStrictEqual(wrong(without(name)), ["missing_field", name])
  })

  it("UP-1 of several that are missing the first is named", () => {
    assert.deepStrictEqual(wrong({ fileSize: -1, mimeType: "?" }), ["missing_field", "type"])
  })

  it.each([0, 1, 2 ** 41])("UP-2 a size of %d bytes is taken", (fileSize) => {
    assert.isNull(wrong({ ...file, fileSize }))
  })

  it.each([-1, 0.5, 2 ** 41 + 1, Number.NaN, Number.POSITIVE_INFINITY, "5", null])(
    "UP-2 a size of %s is refused",
    (fileSize) => {
      assert.deepStrictEqual(wrong({ ...file, fileSize }), ["invalid_field", "fileSize"])
    }
  )

  it.prop(
    "UP-8 UP-73 a name of any characters but control characters is kept as it is, unless it is blank",
    [Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(300), Schema.isPattern(/^[^\p{Cc}\p{Cs}]+$/u))],
    ([fileName]) => {
      const decoded = Schema.decodeUnknownOption(FileInput)({ ...file, fileName })
      assert.strictEqual(Option.getOrNull(decoded)?.fileName ?? null, fileName.trim() === "" ? null : fileName)
    }
  )

  it.each([
    "Größe \"1\" 😀.bin",
    "../../etc/passwd",
    "a/b\\c",
    "x".repeat(1_024),
    "é".repeat(512),
    " .",
    "CON",
    "日本語.txt"
  ])(
    "UP-8 the name %j is taken",
    (fileName) => {
      assert.isNull(wrong({ ...file, fileName }))
    }
  )

  it.each(["", " ", "a\nb", "a\u0000b", "a\u0085b", "\ud800", "x".repeat(1_025), "é".repeat(513)])(
    "UP-8 the name %j is refused",
    (fileName) => {
      assert.deepStrictEqual(wrong({ ...file, fileName }), ["invalid_field", "fileName"])
    }
  )

  it.each(["image/png", "text/plain; charset=utf-8", "application/vnd.api+json", "video/mp4;codecs=\"avc1, mp4a\""])(
    "UP-9 the media type %s is taken",
    (mimeType) => {
      assert.isNull(wrong({ ...file, mimeType }))
    }
  )

  it.each([
    "png",
    "image/",
    "image/png\r\nx: y",
    "image/p ng",
    "image/png; a=\"b\\\"",
    `a/${"b".repeat(254)}`,
    "a/ü"
  ])(
    "UP-9 the media type %j is refused",
    (mimeType) => {
      assert.deepStrictEqual(wrong({ ...file, mimeType }), ["invalid_field", "mimeType"])
    }
  )

  it("UP-9 the media type may be left out, or empty", () => {
    assert.isNull(wrong(without("mimeType")))
    assert.isNull(wrong({ ...file, mimeType: "" }))
  })
})
