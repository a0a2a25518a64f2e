import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import * as JsonPages from "./JsonPages.ts"

const text = (pages: ReadonlyArray<ReadonlyArray<unknown>>) =>
  JsonPages.encode(Stream.fromIterable(pages)).pipe(Stream.decodeText(), Stream.mkString)

describe("JsonPages", () => {
  it.effect("LIB-5 pages written one by one read as one array", () =>
    Effect.promise(() =>
      fc.assert(fc.asyncProperty(fc.array(fc.array(fc.jsonValue())), async (pages) => {
        const written = await Effect.runPromise(text(pages))
        assert.strictEqual(written, JSON.stringify(pages.flat()))
      }))
    ))

  it.effect("LIB-5 the first page is out before the second is asked for", () =>
    Effect.gen(function*() {
      const asked: Array<number> = []
      const pages = Stream.fromIterable([1, 2, 3]).pipe(
        Stream.rechunk(1),
        Stream.mapEffect((page) => Effect.sync(() => [asked.push(page)]))
      )
      yield* JsonPages.encode(pages).pipe(Stream.take(2), Stream.runDrain)
      assert.deepStrictEqual(asked, [1])
    }))
})
