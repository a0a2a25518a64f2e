import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Layer } from "effect"
import * as fc from "fast-check"
import { addFoundFiles } from "../../test/addFoundFiles.ts"
import * as Checked from "../../test/Checked.ts"
import { checkSearch } from "../../test/checkSearch.ts"
import { addFolder, as, layer, newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Catalog } from "../catalog/Catalog.ts"
import { Database } from "../database/Database.ts"
import { FileDetails } from "../files/FileDetails.ts"
import { Files } from "../files/Files.ts"
import { Search } from "../search/Search.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { DocIndexRepo } from "./DocIndexRepo.ts"
import { SearchMemory } from "./SegmentCache.ts"

/** A search with a memory of its own, as another process has. */
const another = (bytes = 1e9) =>
  Search.pipe(
    Effect.provide(
      Layer.fresh(Search.layer).pipe(
        Layer.provide(Layer.fresh(layer(Layer.effect(Database, Database)))),
        Layer.provide(Layer.succeed(SearchMemory, bytes))
      )
    )
  )

const ids = (search: Search["Service"], me: AccountId, query: Checked.Search = {}) =>
  search.search(Checked.search({ limit: 200, ...query })).pipe(
    as(me),
    Effect.map(({ files }) => files.map(({ id }) => id))
  )

const settle = Effect.gen(function*() {
  for (const { exit } of yield* (yield* ManualJobs).runDue) assert.isTrue(Exit.isSuccess(exit))
})

testLayer(layer(TestDatabase.layerPostgres), { timeout: "120 seconds" })("DocIndex", (it) => {
  it.effect(
    "SRCH-26 a process finds what another one has just written, whatever it keeps",
    () =>
      Effect.gen(function*() {
        const [here, there] = [yield* Search, yield* another()]
        const [catalog, details, transaction] = [yield* Catalog, yield* FileDetails, yield* AccountTransaction]
        const me = yield* newAccount
        const all: Array<FileId> = []
        const agree = Effect.fnUntraced(function*(query: Checked.Search, count: number) {
          const [one, other] = [yield* ids(here, me, query), yield* ids(there, me, query)]
          assert.deepStrictEqual(one, other)
          assert.lengthOf(one, count)
        })
        // Few and many, noted and in segments, and both made anew.
        for (const count of [3, 300, 250, 290]) {
          all.push(...(yield* addFoundFiles(me, count)))
          yield* agree({ text: "all" }, Math.min(all.length, 200))
          yield* agree({ sort: "name", offset: Math.max(0, all.length - 3) }, 3)
          yield* details.rename(all[0]!, Checked.fileName(`renamed ${count}`)).pipe(as(me))
          yield* details.rename(all.at(-1)!, Checked.fileName(`all ${count}`)).pipe(as(me))
          yield* agree({ text: `renamed ${count}` }, 1)
          yield* settle
          yield* agree({ text: "renamed" }, 1)
        }
        yield* transaction.run(me, () => catalog.onTrashed(me, all.slice(0, 400)))
        yield* agree({ text: "renamed" }, 0)
        yield* agree({ sort: "oldest", offset: 440 }, 3)
        yield* settle
        yield* agree({ sort: "largest", offset: 440 }, 3)
      }),
    120_000
  )

  it.effect("SRCH-26 what was rolled back is not found, though it was while it lasted", () =>
    Effect.gen(function*() {
      const search = yield* Search
      const { sql } = yield* Database
      const me = yield* newAccount
      const [first] = yield* addFoundFiles(me, 300)
      yield* ids(search, me)
      for (const count of [2, 300]) {
        const rolledBack = yield* sql.withTransaction(Effect.gen(function*() {
          const [catalog, transaction] = [yield* Catalog, yield* AccountTransaction]
          yield* addFoundFiles(me, count)
          yield* transaction.run(me, () => catalog.onTrashed(me, [first!]))
          assert.lengthOf(yield* ids(search, me, { offset: 299 + count - 10 }), 10)
          assert.lengthOf(yield* ids(search, me, { text: "all 1", sort: "oldest", limit: 1 }), 1)
          return yield* Effect.fail("rolled back")
        })).pipe(Effect.flip)
        assert.strictEqual(rolledBack, "rolled back")
        assert.lengthOf(yield* ids(search, me, { offset: 290 }), 10)
        assert.deepStrictEqual(yield* ids(search, me, { sort: "oldest", limit: 1 }), [first])
        // A later change takes the numbers that the lost one had.
        yield* (yield* FileDetails).describe(first!, Checked.description(`kept ${count}`)).pipe(as(me))
        assert.deepStrictEqual(yield* ids(search, me, { text: `kept ${count}` }), [first])
        yield* checkSearch(me)
      }
    }), 120_000)

  it.effect(
    "SRCH-26 what left a segment and was rolled back is not taken for what leaves it later",
    () =>
      Effect.gen(function*() {
        const search = yield* Search
        const { sql } = yield* Database
        const [catalog, files, transaction] = [yield* Catalog, yield* Files, yield* AccountTransaction]
        const me = yield* newAccount
        const [one, other] = [yield* addFolder(me, "/One"), yield* addFolder(me, "/Other")]
        const all = yield* addFoundFiles(me, 600, one)
        const found = (query: Checked.Search) =>
          Effect.map(ids(search, me, { ...query, offset: 200 }), (files) => new Set(files))
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* transaction.run(me, () => catalog.onTrashed(me, all.slice(0, 300)))
          yield* transaction.run(me, () => files.move(me, all.slice(300), other))
          assert.strictEqual((yield* found({ folder: "/Other", sort: "name" })).size, 100)
          return yield* Effect.fail("rolled back")
        })).pipe(Effect.flip)
        yield* transaction.run(me, () => catalog.onTrashed(me, all.slice(300)))
        yield* transaction.run(me, () => files.move(me, all.slice(0, 270), other))
        assert.deepStrictEqual(yield* found({ sort: "oldest" }), new Set(all.slice(200, 300)))
        assert.deepStrictEqual(yield* found({ folder: "/Other", sort: "oldest" }), new Set(all.slice(200, 270)))
      }),
    120_000
  )

  it.effect(
    "SRCH-26 a segment's part is read as it was when its header was, or not at all",
    () =>
      Effect.gen(function*() {
        const repo = yield* Effect.provide(DocIndexRepo, DocIndexRepo.layer)
        const [catalog, files, transaction] = [yield* Catalog, yield* Files, yield* AccountTransaction]
        const me = yield* newAccount
        const folder = yield* addFolder(me, "/A")
        const all = yield* addFoundFiles(me, 600)
        const [before] = yield* repo.headers(me)
        assert.isDefined(yield* repo.parts(before!, ["ids", "dead", "folders"]))
        yield* transaction.run(me, () => files.move(me, all.slice(0, 300), folder))
        assert.isUndefined(yield* repo.parts(before!, ["ids", "folders"]))
        assert.isDefined(yield* repo.parts(before!, ["ids", "dead"]))
        yield* transaction.run(me, () => catalog.onEdited(me, all.slice(0, 300)))
        assert.isUndefined(yield* repo.parts(before!, ["dead"]))
        assert.isDefined(yield* repo.parts(before!, ["ids"]))
        assert.isDefined(yield* repo.parts((yield* repo.headers(me))[0]!, ["dead", "folders"]))
      }),
    120_000
  )

  it.effect(
    "SRCH-26 searches meet every file once while files change and segments are made of segments",
    () =>
      Effect.gen(function*() {
        const [here, there] = [yield* Search, yield* another(200_000)]
        const [catalog, details, files] = [yield* Catalog, yield* FileDetails, yield* Files]
        const [jobs, transaction] = [yield* ManualJobs, yield* AccountTransaction]
        const me = yield* newAccount
        const folders = [yield* addFolder(me, "/A"), yield* addFolder(me, "/B")]
        const all: Array<FileId> = []
        for (let round = 0; round < 9; round++) all.push(...(yield* addFoundFiles(me, 260, folders[round % 2]!)))
        const isWhole = Effect.fnUntraced(function*(search: Search["Service"], query: Checked.Search) {
          const met: Array<FileId> = []
          for (let offset: number | null = 0; offset !== null;) {
            const found: { files: ReadonlyArray<{ id: FileId }>; nextOffset: number | null } = yield* search.search(
              Checked.search({ limit: 200, offset, ...query })
            ).pipe(as(me))
            met.push(...found.files.map(({ id }) => id))
            offset = found.nextOffset
          }
          assert.strictEqual(new Set(met).size, met.length)
          assert.strictEqual(met.length, all.length)
        })
        const steps = fc.sample(fc.tuple(fc.nat(4), fc.nat(all.length - 1), fc.nat(600), fc.nat(1)), {
          numRuns: 40,
          seed: 3
        })
        yield* Effect.forEach(steps, ([kind, at, count, side]) => {
          const some = all.slice(at, at + count)
          const change: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
            details.describe(all[at]!, Checked.description(`words ${count}`)).pipe(as(me)),
            transaction.run(me, () => catalog.onEdited(me, some)),
            transaction.run(me, () => files.move(me, some, folders[side]!)),
            Effect.orDie(Effect.provideService(settle, ManualJobs, jobs)),
            isWhole(side === 0 ? here : there, count % 2 === 0 ? { text: "all" } : { sort: "oldest", types: ["Text"] })
          ]
          return change[kind]!
        }, { concurrency: 6 })
        yield* settle
        yield* checkSearch(me)
        yield* isWhole(here, { text: "all", sort: "oldest" })
      }),
    120_000
  )

  it.effect(
    "SRCH-27 with next to no memory everything is found as well, and a crowd after a start reads no more than its share",
    () =>
      Effect.gen(function*() {
        const search = yield* another(1)
        const me = yield* newAccount
        yield* addFoundFiles(me, 300)
        yield* addFoundFiles(me, 300)
        for (const query of [{ text: "all 7" }, { sort: "name" }, { sort: "largest", minSize: 100 }] as const) {
          assert.deepStrictEqual(yield* ids(search, me, query), yield* ids(yield* Search, me, query))
        }
        const crowd = yield* another()
        const { sql } = yield* Database
        const found = yield* Effect.all(Array.from({ length: 40 }, () => ids(crowd, me, { text: "all" })), {
          concurrency: "unbounded"
        })
        assert.strictEqual(new Set(found.map(String)).size, 1)
        assert.isTrue(Exit.isSuccess(yield* Effect.exit(sql`SELECT 1`)))
      }),
    120_000
  )

  it.effect("SRCH-27 where no job comes to them changes become segments all the same", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { sql, tables: t } = yield* Database
      let most = 0
      for (let count = 0; count < 9_000; count += 250) {
        yield* addFoundFiles(me, 250)
        const [row] = yield* sql<{ readonly changes: number }>`
          SELECT count(*)::int AS changes FROM ${t.search_docs} d JOIN ${t.accounts} a ON a.no = d.account_no WHERE a.id = ${me}
        `
        most = Math.max(most, row!.changes)
      }
      assert.isAbove(most, 5_000)
      assert.isBelow(most, 8_500)
      assert.lengthOf(yield* ids(yield* Search, me, { offset: 8_900 }), 100)
      yield* checkSearch(me)
      yield* settle
      yield* checkSearch(me)
    }), 120_000)
})
