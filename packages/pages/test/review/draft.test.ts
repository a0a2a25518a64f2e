import { assert, describe, it } from "@effect/vitest"
import { signal } from "@preact/signals"
import { makeDraft } from "../../browser/review/Draft.ts"
import type { KeptDraft } from "../../browser/review/Kept.ts"
import type { Player } from "../../browser/review/Player.ts"

const begun = (position = 4) => {
  let kept: unknown = null
  const at = signal(position)
  const storage = { read: (): KeptDraft | null => null, write: (next: unknown) => void (kept = next) }
  return { at, draft: makeDraft({ draft: storage }, { position: at } as unknown as Player), kept: () => kept }
}

describe("the note that is being written", () => {
  it("PAGE-220 is gone when it has been sent", () => {
    const { at, draft, kept } = begun()
    draft.write("Too dark")
    const sent = draft.sending()
    at.value = 9
    sent()
    assert.strictEqual(draft.text.value, "")
    assert.deepStrictEqual(draft.span.value, { from: 9, to: null })
    assert.isNull(kept())
  })

  it("PAGE-220 keeps what was typed while it was being sent, at its place", () => {
    const { at, draft, kept } = begun()
    draft.select(2, 3)
    draft.write("Too dark")
    const sent = draft.sending()
    at.value = 9
    draft.write("Too dark, and too loud")
    sent()
    assert.strictEqual(draft.text.value, ", and too loud")
    assert.deepStrictEqual(draft.span.value, { from: 2, to: 3 })
    assert.deepStrictEqual(kept(), { text: ", and too loud", seconds: 2, endSeconds: 3 })
  })

  it("PAGE-220 keeps another note that was begun meanwhile, and where", () => {
    const { at, draft } = begun()
    draft.write("Too dark")
    let sent = draft.sending()
    draft.write("")
    at.value = 9
    draft.write("Too loud")
    sent()
    assert.strictEqual(draft.text.value, "Too loud")
    assert.deepStrictEqual(draft.span.value, { from: 9, to: null })
    sent = draft.sending()
    // Nothing was typed, and a span was selected for the next one.
    draft.select(5, 6)
    sent()
    assert.strictEqual(draft.text.value, "")
    assert.deepStrictEqual(draft.span.value, { from: 5, to: 6 })
  })
})
