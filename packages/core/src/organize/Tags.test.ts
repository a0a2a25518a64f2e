import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Array as Arr, Effect } from "effect"
import { addManyFiles } from "../../test/addManyFiles.ts"
import { checkCounts } from "../../test/checkCounts.ts"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, layer, newAccount, unknownFile } from "../../test/FilesTest.ts"
import { Trash } from "../files/Trash.ts"
import { Library } from "../library/Library.ts"
import { Collections } from "./Collections.ts"
import { Tags } from "./Tags.ts"

const counts = Effect.gen(function*() {
  const { tags } = yield* (yield* Collections).select
  return tags.map(({ fileCount, text }) => [text, fileCount] as const)
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Tags", (it) => {
  it.effect("ORG-3 ORG-5 tags are made once, kept as first written, and come off again", () =>
    Effect.gen(function*() {
      const tags = yield* Tags
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me), 3)
      const first = yield* tags.change(
        [ids[1]!, ids[0]!, ids[1]!],
        Checked.tags(["Straße", " Holiday\t", "HOLIDAY"]),
        "add"
      ).pipe(
        as(me)
      )
      assert.deepStrictEqual(first.updated, [ids[1]!, ids[0]!])
      assert.deepStrictEqual(first.tags.map(({ text }) => text), ["Straße", "Holiday"])
      const again = yield* tags.change(ids, Checked.tags(["holiday", "STRASSE", "new"]), "add").pipe(as(me))
      assert.deepStrictEqual(again.tags.slice(0, 2).map(({ id }) => id), [first.tags[1]!.id, first.tags[0]!.id])
      assert.deepStrictEqual(yield* counts.pipe(as(me)), [["Holiday", 3], ["new", 3], ["Straße", 3]])

      const removed = yield* tags.change([ids[0]!], Checked.tags(["Holiday", "never"]), "remove").pipe(as(me))
      assert.deepStrictEqual(removed.tags.map(({ text }) => text), ["Holiday"])
      yield* tags.changeOne([ids[1]!], first.tags[1]!.id, "remove").pipe(as(me))
      yield* tags.changeOne([ids[1]!], first.tags[1]!.id, "remove").pipe(as(me))
      assert.deepStrictEqual(yield* counts.pipe(as(me)), [["Holiday", 1], ["new", 3], ["Straße", 3]])
      yield* checkCounts
    }))

  it.effect("ORG-5 only the caller's files, in trash too; none of them is 404 and makes no tag", () =>
    Effect.gen(function*() {
      const tags = yield* Tags
      const trash = yield* Trash
      const [me, other] = [yield* newAccount, yield* newAccount]
      const [mine, theirs] = [yield* addFile(me), yield* addFile(other)]
      yield* trash.put([mine]).pipe(as(me))
      const { tags: [tag], updated } = yield* tags.change([theirs, mine, unknownFile], Checked.tags(["x"]), "add").pipe(
        as(me)
      )
      assert.deepStrictEqual(updated, [mine])
      assert.deepStrictEqual(yield* counts.pipe(as(me)), [["x", 0]])
      yield* trash.restore([mine]).pipe(as(me))
      assert.deepStrictEqual(yield* counts.pipe(as(me)), [["x", 1]])

      const refused = yield* tags.change([mine], Checked.tags(["y"]), "add").pipe(as(other), Effect.flip)
      assert.deepInclude(refused, { _tag: "NotFound", resource: "file" })
      assert.deepStrictEqual(yield* counts.pipe(as(other)), [])
      const notTheirs = yield* tags.changeOne([theirs], tag!.id, "add").pipe(as(other), Effect.flip)
      assert.deepInclude(notTheirs, { _tag: "NotFound", resource: "tag" })
      yield* checkCounts
    }))

  it.effect("ORG-6 a renamed tag stays on its files, a deleted one goes", () =>
    Effect.gen(function*() {
      const tags = yield* Tags
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me), 2)
      const { tags: [one, two] } = yield* tags.change(ids, Checked.tags(["one", "two"]), "add").pipe(as(me))
      assert.deepStrictEqual(yield* tags.rename(one!.id, Checked.tag(" ONE")).pipe(as(me)), {
        id: one!.id,
        text: "ONE",
        fileCount: 2
      })
      const taken = yield* tags.rename(one!.id, Checked.tag("Two")).pipe(as(me), Effect.flip)
      assert.deepInclude(taken, { _tag: "InvalidField", field: "text" })
      yield* tags.rename(one!.id, Checked.tag("three")).pipe(as(me))
      assert.deepStrictEqual(yield* counts.pipe(as(me)), [["three", 2], ["two", 2]])
      yield* tags.delete(two!.id).pipe(as(me))
      assert.deepStrictEqual(yield* counts.pipe(as(me)), [["three", 2]])
      assert.deepInclude(yield* tags.delete(two!.id).pipe(as(me), Effect.flip), { _tag: "NotFound", resource: "tag" })
      yield* checkCounts
    }))

  it.effect("ORG-6 a tag on more files than one transaction takes is deleted from all", () =>
    Effect.gen(function*() {
      const tags = yield* Tags
      const library = yield* Library
      const me = yield* newAccount
      const ids = yield* addManyFiles(me, 1_001)
      let tag = ""
      for (const some of Arr.chunksOf(ids, 500)) {
        tag = (yield* tags.change(some, Checked.tags(["many"]), "add").pipe(as(me))).tags[0]!.id
      }
      yield* tags.rename(tag as never, Checked.tag("most")).pipe(as(me))
      assert.deepStrictEqual(yield* counts.pipe(as(me)), [["most", 1_001]])
      yield* tags.delete(tag as never).pipe(as(me))
      assert.deepStrictEqual(yield* counts.pipe(as(me)), [])
      assert.isAbove((yield* library.usage.pipe(as(me))).objectCount, 1_000)
      yield* checkCounts
    }))

  it.each(["", "  ", "x".repeat(101), "a\u0007b", "line\nbreak"])("ORG-7 %j is no tag", (text) => {
    assert.throws(() => Checked.tag(text))
  })
})
