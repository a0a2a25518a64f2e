import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as FolderPath from "./FolderPath.ts"

const deep = (count: number) => Array.from({ length: count }, (_, i) => `/f${i}`).join("")

describe("FolderPath", () => {
  it.each([
    ["/", 0],
    ["/A", 1],
    ["/A/B/", 2],
    [deep(32), 32],
    [`/${"x".repeat(255)}`, 1]
  ])("LIB-8 %s is a path", (text, depth) => {
    assert.strictEqual(Result.getOrThrow(FolderPath.parse(text)).length, depth)
  })

  it.each([[""], ["A"], ["/A//B"], [deep(33)], [`/${"x".repeat(256)}`], ["/A\nB"], ["/\ud800"]])(
    "LIB-8 %j is none",
    (text) => {
      assert.isTrue(Result.isFailure(FolderPath.parse(text)))
    }
  )

  it("LIB-9 two spellings that differ in case or in how an accent is written are one folder", () => {
    assert.strictEqual(FolderPath.fold(["Été", "B"]), FolderPath.fold(["e\u0301TE\u0301", "b"]))
  })
})
