import { assert, describe, it } from "@effect/vitest"
import { effect } from "@preact/signals"
import { makeTyped, restOf } from "../../browser/foundation/Typed.ts"

const storageOf = (texts: Readonly<Record<string, string>> = {}) => {
  let kept: Readonly<Record<string, string>> | null = texts
  return { read: () => kept ?? {}, write: (next: typeof kept) => void (kept = next), kept: () => kept }
}

describe("texts that are being written", () => {
  it("PAGE-220 what was typed behind a text while it was being sent is the next one", () => {
    assert.strictEqual(restOf("Too dark", "Too dark"), "")
    assert.strictEqual(restOf("Too dark", "Too dark\n"), "")
    assert.strictEqual(restOf("Too dark", "Too dark and too loud"), "and too loud")
    assert.strictEqual(restOf("Too dark", "Much too dark"), "Much too dark")
    assert.strictEqual(restOf("Too dark", ""), "")
  })

  it("PAGE-220 a reply that was sent is closed, unless more was typed meanwhile, and that is kept", () => {
    const storage = storageOf()
    const typed = makeTyped(storage)
    typed.write("a", "First")
    typed.sent("a", "First")
    assert.isNull(typed.textOf("a"))
    assert.isNull(storage.kept())
    typed.write("a", "First, second")
    typed.sent("a", "First,")
    assert.strictEqual(typed.textOf("a"), "second")
    assert.deepStrictEqual(storage.kept(), { a: "second" })
    // What was given up meanwhile stays given up.
    typed.write("a", null)
    typed.sent("a", "First,")
    assert.isNull(typed.textOf("a"))
  })

  it("PAGE-220 another text of a note that was saved is closed, unless it was changed meanwhile, and then it is whole", () => {
    const typed = makeTyped()
    typed.write("a", "First version ")
    typed.saved("a", "First version")
    assert.isNull(typed.textOf("a"))
    typed.write("a", "First version, changed")
    typed.saved("a", "First version")
    assert.strictEqual(typed.textOf("a"), "First version, changed")
  })

  it("PAGE-223 for what something is being written is told when that changes, not for each letter", () => {
    const typed = makeTyped(storageOf({ a: "kept" }))
    const told: Array<string> = []
    const stop = effect(() => void told.push([...typed.open.value].join()))
    typed.write("a", "kept on")
    typed.write("b", "")
    typed.write("b", "B")
    typed.write("a", null)
    typed.write("b", null)
    stop()
    assert.deepStrictEqual(told, ["a", "a,b", "b", ""])
  })
})
