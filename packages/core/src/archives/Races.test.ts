/** Archives while others do something at the same time, on a server where that is possible. */
import { assert, layer as testLayer } from "@effect/vitest"
import { MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Fiber } from "effect"
import {
  addFiles,
  all,
  checkClean,
  checkHolds,
  create,
  layer,
  look,
  runJobs,
  runOnce,
  sizes,
  skips
} from "../../test/ArchivesTest.ts"
import * as Checked from "../../test/Checked.ts"
import { as, joinAsTimePasses, newAccount } from "../../test/FilesTest.ts"
import { Trash } from "../files/Trash.ts"
import { ArchiveEnds } from "./ArchiveEnds.ts"

const times = (count: number) => Array.from({ length: count }, (_, at) => at)

testLayer(layer(TestDatabase.layerPostgres), { timeout: "60 seconds" })("Archives at the same time", (it) => {
  it.effect("ZIP-14 of twenty callers at once ten get an archive", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const fileIds = yield* addFiles(me, [1])
      const exits = yield* Effect.forEach(times(20), (at) =>
        Effect.exit(create(me, { fileIds, title: Checked.archiveTitle(`${at}`) })), {
        concurrency: "unbounded"
      })
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 10)
      yield* runJobs
    }))

  it.effect.each(times(6))("ZIP-11 ZIP-12 three builders at once make one archive (%#)", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      yield* Effect.forEach(times(3), () => runOnce(me, asked), { concurrency: "unbounded" })
      yield* runJobs
      yield* checkHolds(yield* look(me, asked), sizes, all)
      yield* checkClean(me, true)
    }))

  it.effect.each(times(6))(
    "ZIP-10 ZIP-11 ZIP-12 files are deleted and builders come and go meanwhile (%#)",
    (seed) =>
      Effect.gen(function*() {
        const me = yield* newAccount
        const trash = yield* Trash
        const ends = yield* ArchiveEnds
        const fileIds = yield* addFiles(me, sizes)
        const asked = yield* create(me, { fileIds })
        const gone = all.filter((at) => (at + seed) % 3 === 0)
        const builders = yield* Effect.forEach(times(2), () => Effect.forkChild(runOnce(me, asked)))
        const others = yield* Effect.forkChild(Effect.forEach(
          gone,
          (at) => Effect.andThen(trash.delete([fileIds[at]!]).pipe(as(me)), ends.sweep)
        ))
        yield* joinAsTimePasses(others)
        yield* Fiber.interrupt(builders[0]!)
        yield* joinAsTimePasses(builders[1]!)
        yield* runJobs
        const item = yield* look(me, asked)
        const left = new Set(skips(item).map(([id]) => fileIds.indexOf(id)))
        assert.isTrue([...left].every((at) => gone.includes(at)))
        yield* checkHolds(item, sizes, all.filter((at) => !left.has(at)))
        yield* checkClean(me, true)
        assert.deepStrictEqual(yield* (yield* MemoryObjectStore).openUploads, [])
      })
  )
})
