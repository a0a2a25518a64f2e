/** The sweep that removes what nobody knows leaves archives alone, done or under way, and finds what a failed one left. */
import { assert, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore } from "@filedrive/testing"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { ArchiveBuilds } from "../src/archives/ArchiveBuilds.ts"
import { ArchiveEnds } from "../src/archives/ArchiveEnds.ts"
import { Archives } from "../src/archives/Archives.ts"
import { JobsWorker } from "../src/jobs/JobsWorker.ts"
import { OrphanSweep } from "../src/objects/OrphanSweep.ts"
import * as Checked from "./Checked.ts"
import { as, TestAccounts } from "./TestAccounts.ts"
import { TestDrive } from "./TestDrive.ts"
import { input, uploadOnForm } from "./UploadsTest.ts"

const sweep = OrphanSweep.use((orphans) => orphans.sweep)

layer(TestDrive)("Archives and orphans", (it) => {
  it.effect("ZIP-12 ZIP-17 an archive stays when storage is compared with the database, done or under way", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const archives = yield* Archives
      const builds = yield* ArchiveBuilds
      const worker = yield* JobsWorker
      const me = yield* (yield* TestAccounts).add()
      const id = yield* uploadOnForm(input(me, 5), "12345").pipe(as(me))
      const done = yield* archives.create({ fileIds: [id] }).pipe(as(me))
      yield* worker.runDue
      const begun = yield* archives.create({ fileIds: [id], title: Checked.archiveTitle("Another") }).pipe(as(me))
      yield* memory.plant("completeUpload", Faults.before(Effect.interrupt))
      yield* Effect.forkChild(builds.run(me, begun.id)).pipe(Effect.flatMap(Fiber.await))
      assert.strictEqual((yield* memory.openUploads).length, 1)
      // The object that was announced is not made yet; nothing else is listed for deletion.
      yield* TestClock.adjust("3 days")
      yield* sweep
      assert.strictEqual((yield* memory.openUploads).length, 1)
      yield* worker.runDue
      const items = yield* archives.select([done.id, begun.id]).pipe(as(me))
      assert.deepStrictEqual(items.map(({ status }) => status), ["done", "done"])
      yield* sweep
      yield* worker.runDue
      for (const { downloadUrl } of items) {
        assert.strictEqual((yield* Effect.promise(() => memory.fetch(downloadUrl!))).status, 200)
      }
    }))

  it.effect("ZIP-12 an upload that a crash left unnamed goes although its archive fails", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const archives = yield* Archives
      const builds = yield* ArchiveBuilds
      const ends = yield* ArchiveEnds
      const me = yield* (yield* TestAccounts).add()
      const id = yield* uploadOnForm(input(me, 5), "12345").pipe(as(me))
      const asked = yield* archives.create({ fileIds: [id] }).pipe(as(me))
      yield* memory.plant("createUpload", Faults.after(Effect.interrupt))
      yield* Effect.forkChild(builds.run(me, asked.id)).pipe(Effect.flatMap(Fiber.await))
      assert.strictEqual((yield* memory.openUploads).length, 1)
      yield* TestClock.adjust("8 days")
      yield* ends.sweep
      // Its object was listed for deletion; once that is done nothing knows the key any longer.
      yield* (yield* JobsWorker).runDue
      yield* sweep
      assert.deepStrictEqual(yield* memory.openUploads, [])
    }))
})
