import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { DateTime, Duration, Effect } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { addManyFiles } from "../../test/addManyFiles.ts"
import { addFile, as, layer, newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { Database } from "../database/Database.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { Scrub } from "./Scrub.ts"
import { ScrubRepo } from "./ScrubRepo.ts"
import { Trash } from "./Trash.ts"

/** Runs turns as they fall due until none waits; answers their number and how long they took. */
const toEnd = Effect.gen(function*() {
  const jobs = yield* ManualJobs
  const started = yield* DateTime.now
  for (let turns = 0;; turns++) {
    const turn = (yield* jobs.waiting).find(({ kind }) => kind === "storage.scrub.turn")
    if (turn === undefined) return { turns, took: DateTime.distance(started, yield* DateTime.now) }
    const now = yield* DateTime.now
    if (DateTime.isGreaterThan(turn.time, now)) yield* TestClock.adjust(DateTime.distance(now, turn.time))
    yield* jobs.runDue
  }
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Scrub", (it) => {
  it.effect("STO-67 lost files are known, storage that is away is waited for, and what is sound again is forgotten", () =>
    Effect.gen(function*() {
      const scrub = yield* Scrub
      const store = yield* ObjectStore
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      yield* addFile(me)
      yield* addFile(me)
      const objects = (yield* memory.objects).filter(({ key }) => key.includes(me))
      assert.strictEqual(objects.length, 2)
      yield* scrub.begin
      yield* memory.plant("verify", Faults.notReached)
      yield* toEnd
      const first = yield* scrub.progress
      assert.isNotNull(first!.endTime)
      assert.deepInclude(first, { lostFiles: 0 })
      assert.isAtLeast(first!.files, 2)
      yield* store.remove(objects.slice(0, 1))
      yield* scrub.begin
      // Begun twice it is one, which continues.
      yield* scrub.begin
      assert.isNull((yield* scrub.progress)!.endTime)
      yield* toEnd
      assert.deepInclude(yield* scrub.progress, { lostFiles: 1, files: first!.files })
      yield* store.copy(objects[1]!, objects[0]!, {
        contentType: "a/b",
        contentDisposition: "inline",
        cacheControl: "x"
      })
      yield* scrub.begin
      yield* toEnd
      assert.deepInclude(yield* scrub.progress, { lostFiles: 0, files: first!.files })
    }))

  it.effect("STO-67 a file that storage fails to read, and only it, keeps no other from being looked at", () =>
    Effect.gen(function*() {
      const scrub = yield* Scrub
      const store = yield* ObjectStore
      const added = yield* Effect.forEach(
        [1, 2, 3],
        () => Effect.flatMap(newAccount, (account) => Effect.map(addFile(account), (id) => ({ id, account })))
      )
      // As the look comes to them.
      const [, unreadable, last] = added.toSorted((a, b) => a.id < b.id ? -1 : 1).map(({ account }) => account)
      const looked: Array<string> = []
      const { check, verify } = store
      let isAway = false
      const away = new Unavailable({ code: "storage_unavailable", cause: new Error("EIO: i/o error, open") })
      Object.assign(store, {
        check: Effect.suspend(() => isAway ? Effect.fail(away) : check),
        verify: (at: Parameters<typeof verify>[0], from: number) => {
          looked.push(at.key)
          return at.key.includes(unreadable!) ? Effect.fail(away) : verify(at, from)
        }
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => Object.assign(store, { check, verify })))
      yield* scrub.begin
      const { runDue } = yield* ManualJobs
      isAway = true
      yield* runDue
      // While storage itself is away nothing is said of a file, nor of those after it.
      assert.isNull((yield* scrub.progress)!.endTime)
      assert.isFalse(looked.some((key) => key.includes(last!)))
      isAway = false
      yield* toEnd
      assert.isNotNull((yield* scrub.progress)!.endTime)
      assert.isTrue(looked.some((key) => key.includes(last!)))
      assert.strictEqual((yield* scrub.progress)!.lostFiles, 0)
    }))

  it.effect("STO-67 what is read takes its time, and a large file is gone on with in the next turn", () =>
    Effect.gen(function*() {
      const scrub = yield* Scrub
      const store = yield* ObjectStore
      const me = yield* newAccount
      yield* addFile(me)
      yield* scrub.begin
      const usual = yield* toEnd
      const asked: Array<number> = []
      const verify = store.verify
      const block = 64 * 1024 * 1024
      Object.assign(store, {
        verify: (at: Parameters<typeof verify>[0], from: number) => {
          if (!at.key.includes(me)) return verify(at, from)
          asked.push(from)
          return Effect.succeed({ readBytes: block, next: from + block < 10 * block ? from + block : null })
        }
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => Object.assign(store, { verify })))
      yield* scrub.begin
      const { took, turns } = yield* toEnd
      assert.deepStrictEqual(asked, Array.from({ length: 10 }, (_, i) => i * block))
      assert.isAtLeast(turns, usual.turns + 9)
      // 640 MiB at 32 MiB a second.
      assert.isAtLeast(Duration.toSeconds(took), 20)
      assert.isAtLeast((yield* scrub.progress)!.bytes, 10 * block)
    }))
})

// By name: on a server, a transaction that began before and has not ended keeps places from being marked.
testLayer(layer(TestDatabase.layerMemoryNew), { timeout: "60 seconds" })("Scrub of the embedded database", (it) => {
  it.effect("DB-55 what goes through all files reads no row of those that were deleted", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const { sql, tables: t } = yield* Database
      const count = 2_000
      /** Pages that a look through all files reads, when so many have just been deleted. */
      const pagesRead = Effect.gen(function*() {
        const me = yield* newAccount
        const ids = yield* addManyFiles(me, count)
        yield* sql`UPDATE ${t.files} SET trash_time = ${
          DateTime.toDateUtc(yield* DateTime.now)
        } WHERE id = ANY(${ids}::uuid[])`
        yield* trash.empty.pipe(as(me))
        let plan = ""
        yield* (yield* Effect.provide(ScrubRepo, ScrubRepo.layer)).after(null, 200).pipe(
          Effect.provideService(Statement.CurrentTransformer, (statement, sql) =>
            Effect.sync(() => {
              const [text, values] = statement.compile()
              return sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, values)
            })),
          Effect.tap((rows) => Effect.sync(() => plan = JSON.stringify(rows)))
        )
        return Number(/Buffers: shared hit=(\d+)/.exec(plan)![1])
      })
      // The database marks a place when it knows already that no transaction sees the row, which it looks up now and then.
      const pages: Array<number> = []
      while (pages.length < 10 && !pages.some((read) => read < count / 10)) pages.push(yield* pagesRead)
      assert.isBelow(Math.min(...pages), count / 10, pages.join())
    }))
})
