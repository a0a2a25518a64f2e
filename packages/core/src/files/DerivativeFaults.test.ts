/** What is left of a replacement that did not come to its end. */
import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, type FaultyMethod, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Fiber } from "effect"
import { checkBooks, layer, newAccount, settled } from "../../test/FilesTest.ts"
import { jpeg, recordOf, textAt, withCover } from "../../test/MediaTest.ts"
import { Derivatives } from "./Derivatives.ts"

testLayer(layer(TestDatabase.layer))("Derivatives and failures", (it) => {
  const crashes: ReadonlyArray<{ at: FaultyMethod; when: "before" | "after" }> = [
    { at: "put", when: "before" },
    { at: "put", when: "after" },
    { at: "remove", when: "before" },
    { at: "remove", when: "after" }
  ]

  it.effect.each(crashes)(
    "MEDIA-14 a crash $when $at of a replacement leaves one picture and no object",
    ({ at, when }) =>
      Effect.gen(function*() {
        const derivatives = yield* Derivatives
        const memory = yield* MemoryObjectStore
        const me = yield* newAccount
        const { id } = yield* withCover(me)
        yield* memory.plant(at, Faults[when](Effect.interrupt))
        const exit = yield* Effect.forkChild(derivatives.replace(me, id, jpeg("newer"))).pipe(
          Effect.flatMap(Fiber.await)
        )
        assert.isTrue(Exit.hasInterrupts(exit))
        yield* checkBooks(me)
        assert.strictEqual(yield* textAt((yield* recordOf(me, id)).thumbnailUrl), at === "put" ? "art" : "newer")
        yield* settled(me)
      })
  )

  it.effect("MEDIA-14 a store that does not answer leaves the picture as it was", () =>
    Effect.gen(function*() {
      const derivatives = yield* Derivatives
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const { id } = yield* withCover(me)
      for (const fault of ["notReached", "answerLost"] as const) {
        yield* memory.plant("put", Faults[fault])
        assert.strictEqual((yield* derivatives.replace(me, id, jpeg("x")).pipe(Effect.flip))._tag, "Unavailable")
        assert.strictEqual(yield* textAt((yield* recordOf(me, id)).thumbnailUrl), "art")
      }
      yield* settled(me)
    }))
})
