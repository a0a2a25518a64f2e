import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { AccountId } from "../shared/Ids.ts"
import * as ObjectKey from "./ObjectKey.ts"

const me = AccountId.make("019845e1-682f-7b02-a706-3b2422d13aec")
const stranger = "019845e1-682f-7b02-a706-3b2422d13aed"
const readKey = Schema.decodeUnknownResult(ObjectKey.ObjectKey)
const codeOf = (key: string) => {
  const read = readKey(key)
  return Result.isFailure(read)
    ? "invalid_field"
    : Result.match(ObjectKey.owned(read.success, me), { onFailure: (error) => error.code, onSuccess: () => "ok" })
}

describe("ObjectKey", () => {
  it.each([
    [`users/${me}/a`, "ok"],
    [`users/${me}/a/b c/ü 漢 😀.txt`, "ok"],
    [`users/${me}/${"x".repeat(1_024 - `users/${me}/`.length)}`, "ok"],
    [`users/${me}/${"x".repeat(1_025 - `users/${me}/`.length)}`, "invalid_field"],
    [`users/${me}/${"é".repeat(500)}`, "invalid_field"],
    ["", "invalid_field"],
    [`users/${me}`, "invalid_field"],
    [`users/${me}/`, "invalid_field"],
    [`/users/${me}/a`, "invalid_field"],
    [`users//${me}/a`, "invalid_field"],
    [`users/${me}/../${stranger}/a`, "invalid_field"],
    [`users/${me}/./a`, "invalid_field"],
    [`users/${me}/a//b`, "invalid_field"],
    [`users/${me}/a\nb`, "invalid_field"],
    [`users/${me}/a\u0000`, "invalid_field"],
    [`users/${me}/\ud800`, "invalid_field"],
    ["other/a/b", "invalid_field"]
  ])("UP-3 %j is %s", (key, code) => {
    assert.strictEqual(codeOf(key), code)
  })

  it("UP-4 another user's prefix is not allowed, like one of an unknown user", () => {
    assert.strictEqual(codeOf(`users/${stranger}/a`), "not_allowed")
    assert.strictEqual(codeOf("users/nobody/a"), "not_allowed")
    assert.strictEqual(codeOf(`users/${me.toUpperCase()}/a`), "not_allowed")
  })

  it("UP-3 no key that passes leads out of the caller's prefix", () => {
    const piece = fc.constantFrom(
      "/",
      ".",
      "..",
      "%2e",
      "%2F",
      "\\",
      "a",
      "é",
      "漢",
      "\u0000",
      "\u007f",
      "\ud800",
      "?",
      "#"
    )
    fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const rest = pieces.join("")
      const key = `users/${me}/${rest}`
      if (codeOf(key) !== "ok") return
      assert.strictEqual(
        new URL(`http://store/${key.split("/").map(encodeURIComponent).join("/")}`).pathname.startsWith(
          `/users/${me}/`
        ),
        true
      )
    }))
  })
})
