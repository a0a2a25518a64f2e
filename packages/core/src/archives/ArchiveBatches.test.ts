/** Archives of many files: noted and deleted some entries at a time, seen whole or not at all. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { addManyFiles } from "../../test/addManyFiles.ts"
import { addFiles, create, layer, look, opened, runJobs, skips } from "../../test/ArchivesTest.ts"
import * as Checked from "../../test/Checked.ts"
import { as, layer as filesLayer, newAccount } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import { Trash } from "../files/Trash.ts"
import { type AccountId, ArchiveId, FileId } from "../shared/Ids.ts"
import type { NewArchive } from "./Archive.ts"
import { ArchiveBuildsRepo } from "./ArchiveBuildsRepo.ts"
import { ArchiveEnds } from "./ArchiveEnds.ts"
import { Archives } from "./Archives.ts"
import { ArchivesRepo } from "./ArchivesRepo.ts"
import { Crc32 } from "./Crc32.ts"

const manyIds = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  return yield* Effect.forEach(
    Array.from({ length: 1_700 }),
    () => Effect.map(random.uuidV7(), (id) => FileId.make(id))
  )
})

/** Transactions under the account's lock so far, and what is kept of its archives. */
const kept = Effect.fnUntraced(function*(me: AccountId) {
  const { sql, tables: t } = yield* Database
  const [row] = yield* sql<{ readonly revision: number; readonly archives: number; readonly entries: number }>`
    SELECT revision::float8 AS revision,
      (SELECT count(*)::int FROM ${t.archives} WHERE account_id = ${me}) AS archives,
      (SELECT count(*)::int FROM ${t.archive_entries} e JOIN ${t.archives} a ON a.id = e.archive_id
        WHERE a.account_id = ${me}) AS entries
    FROM ${t.accounts} WHERE id = ${me}
  `
  return row!
})

const remove = (owner: AccountId, id: ArchiveId) => Archives.use((archives) => archives.delete(id)).pipe(as(owner))

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("ArchiveBatches", (it) => {
  it.effect("DB-21 an archive of many files is asked for, and deleted, in many transactions", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const missing = yield* manyIds
      const [file] = yield* addFiles(me, [10])
      const before = yield* kept(me)
      const asked = yield* create(me, { fileIds: [...missing, file!] })
      assert.deepInclude(asked, { status: "working", fileCount: 1, expireTime: null })
      assert.deepStrictEqual(skips(asked), missing.slice(0, 1_000).map((id) => [id, "not_found"] as const))
      const after = yield* kept(me)
      assert.deepInclude(after, { archives: 1, entries: 1_701 })
      // 500, 1,000 and 201 of them, before these nothing and behind them the archive.
      assert.strictEqual(after.revision - before.revision, 5)
      assert.deepStrictEqual(yield* look(me, asked), asked)
      assert.strictEqual((yield* create(me, { fileIds: [...missing, file!] })).id, asked.id)
      assert.strictEqual((yield* kept(me)).revision, after.revision)

      assert.isTrue(yield* remove(me, asked.id))
      const gone = yield* kept(me)
      assert.deepInclude(gone, { archives: 0, entries: 0 })
      assert.isAtLeast(gone.revision - after.revision, 5)
      assert.isFalse(yield* remove(me, asked.id))
    }))

  it.effect("ZIP-11 what is noted of a part that was never said to be stored is noted anew, and by no builder that is late", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { sql, tables: t } = yield* Database
      const repo = yield* ArchiveBuildsRepo
      const ids = yield* addFiles(me, [10, 20, 30])
      const asked = yield* create(me, { fileIds: ids })
      const archive = Option.getOrThrow(yield* (yield* ArchivesRepo).find(me, asked.id))
      const wrong = ids.map((_, position) => ({ position, crc: 1 }))
      const crcs = Effect.map(
        sql<{ readonly crc: number | null }>`
          SELECT crc::float8 AS crc FROM ${t.archive_entries} WHERE archive_id = ${asked.id} ORDER BY position
        `,
        (rows) => rows.map(({ crc }) => crc)
      )
      yield* repo.noteFinished({ ...archive, partsDone: 1 }, wrong)
      assert.deepStrictEqual(yield* crcs, [null, null, null])
      yield* repo.noteFinished(archive, wrong)
      assert.deepStrictEqual(yield* crcs, [1, 1, 1])
      yield* runJobs
      const crc32 = yield* Crc32
      const held = [...(yield* opened(yield* look(me, asked))).values()]
      assert.deepStrictEqual(held.map(({ crc }) => crc), held.map(({ bytes }) => crc32(bytes, 0)))
      assert.strictEqual(held.length, 3)
    }).pipe(Effect.provide(Layer.merge(ArchivesRepo.layer, ArchiveBuildsRepo.layer))))

  it.effect("ZIP-22 an archive whose request or deletion a crash has cut short is seen by nobody and swept", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const repo = yield* ArchivesRepo
      const missing = yield* manyIds
      const [file] = yield* addFiles(me, [10])
      const now = yield* DateTime.now
      const archive: NewArchive = {
        id: ArchiveId.make(yield* (yield* SecureRandom.SecureRandom).uuidV7()),
        accountId: me,
        credential: null,
        folderId: null,
        title: "Cut short",
        fileCount: 1,
        bytes: 1,
        partSizeBytes: 1,
        storeKey: `files/${me}/cut-short`,
        request: "cut short"
      }
      yield* repo.draft(archive, now, DateTime.add(now, { hours: 1 }))
      yield* repo.insertEntries(
        archive,
        missing.map((fileId, position) => (
          { position, fileId, name: null, sizeBytes: null, modifiedTime: null, skipped: "not_found" as const }
        ))
      )
      assert.isTrue((yield* repo.equal(archive, now))._tag === "None")
      assert.strictEqual(yield* repo.countWorking(me), 0)
      assert.strictEqual(yield* repo.keptBytes(me, now), 0)

      const asked = yield* create(me, { fileIds: [...missing, file!] })
      yield* repo.lapse({ accountId: me, id: asked.id }, now)
      assert.deepStrictEqual(yield* Archives.use((archives) => archives.select([asked.id])).pipe(as(me)), [])
      assert.deepInclude(yield* kept(me), { archives: 2, entries: 3_401 })
      yield* TestClock.adjust("2 hours")
      yield* (yield* ArchiveEnds).sweep
      assert.isFalse(yield* repo.publish(archive, yield* DateTime.now))
      assert.deepInclude(yield* kept(me), { archives: 0, entries: 0 })
    }).pipe(Effect.provide(ArchivesRepo.layer)))
})

testLayer(filesLayer(TestDatabase.layer), { timeout: "60 seconds" })("Parts of many files", (it) => {
  it.effect("DB-21 an archive of many files in one part is built, and loses files, some entries at a time", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const [file] = yield* addFiles(me, [10])
      const many = yield* addManyFiles(me, 2_500)
      /** Builds what is asked for; how many entries each statement noted or left out meanwhile. */
      const built = (noting: string) =>
        Effect.gen(function*() {
          const counts: Array<number> = []
          yield* runJobs.pipe(Effect.provideService(Statement.CurrentTransformer, (statement) =>
            Effect.sync(() => {
              const [text, [list]] = statement.compile()
              if (text.includes(noting)) counts.push(String(list).split(",").length)
              return statement
            })))
          return counts
        })
      const whole = yield* create(me, { fileIds: [...many, file!] })
      assert.deepStrictEqual(yield* built("SET crc = done.crc"), [250, 500, 1_000, 751])
      assert.deepInclude(yield* look(me, whole), { status: "done", fileCount: 2_501 })
      assert.strictEqual((yield* opened(yield* look(me, whole))).size, 2_501)

      const losing = yield* create(me, { fileIds: [...many, file!], title: Checked.archiveTitle("Losing") })
      yield* Trash.use((trash) => trash.put(many)).pipe(as(me))
      assert.deepStrictEqual(yield* built("SET skipped = lost.reason"), [2_000, 500])
      assert.deepInclude(yield* look(me, losing), { status: "done", fileCount: 1 })
    }))
})
