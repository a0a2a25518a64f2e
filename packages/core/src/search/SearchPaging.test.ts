import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect, type Layer } from "effect"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, layer, newAccount } from "../../test/FilesTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Catalog } from "../catalog/Catalog.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { Search } from "./Search.ts"

/** `count` files, several of one moment, size and name. */
const addMany = Effect.fnUntraced(function*(accountId: AccountId, count: number) {
  const { sql, tables: t } = yield* Database
  const catalog = yield* Catalog
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const rows = yield* sql<{ readonly id: FileId }>`
    INSERT INTO ${t.files} (id, account_id, type, file_name, mime_type, size, object_key, store_key, etag, insert_time)
    SELECT gen_random_uuid(), ${accountId}, 'Text', 'page ' || n % 7, 'text/plain', n % 5, 'many/' || n,
      'many/' || ${accountId}::text || n, '', ${now}::timestamptz - make_interval(secs => n % 11)
    FROM generate_series(1, ${count}::int) n RETURNING id
  `
  yield* (yield* AccountTransaction).run(accountId, () => catalog.onAdded(accountId, rows.map(({ id }) => id)))
  return rows.map(({ id }) => id)
})

const page = (me: AccountId, query: Checked.Search) =>
  Effect.flatMap(Search, ({ search }) => search(Checked.search(query))).pipe(as(me))

/** Ids of all pages from `offset` on; `between` happens before each further one. */
const follow = Effect.fnUntraced(
  function*<E, R>(me: AccountId, query: Checked.Search, between: Effect.Effect<unknown, E, R>) {
    const ids: Array<FileId> = []
    let offset: number | null = query.offset ?? 0
    while (offset !== null) {
      const { files, nextOffset }: { files: ReadonlyArray<{ id: FileId }>; nextOffset: number | null } = yield* page(
        me,
        {
          ...query,
          offset
        }
      )
      ids.push(...files.map(({ id }) => id))
      offset = nextOffset
      yield* between
    }
    return ids
  }
)

const tests = <E>(name: string, database: Layer.Layer<Database, E>) =>
  testLayer(layer(database), { timeout: "60 seconds" })(`Search, page by page (${name})`, (it) => {
    for (const sort of ["newest", "oldest", "largest", "smallest", "name"] as const) {
      it.effect(`SRCH-18 SRCH-17 ${sort}: every file once, filters or none`, () =>
        Effect.gen(function*() {
          const me = yield* newAccount
          const ids = (yield* addMany(me, 103)).toSorted()
          for (const filter of [{}, { text: "page" }, { types: ["Text" as const], maxSize: 4 }]) {
            const met = yield* follow(me, { ...filter, sort, limit: 10 }, Effect.void)
            assert.deepStrictEqual(met.toSorted(), ids)
          }
        }))
    }

    it.effect("SRCH-18 files that arrive meanwhile are no reason to meet another one twice", () =>
      Effect.gen(function*() {
        const me = yield* newAccount
        const before = yield* addMany(me, 55)
        for (const filter of [{}, { text: "page" }]) {
          const met = yield* follow(me, { ...filter, limit: 10 }, addFile(me, { fileName: "page new" }))
          assert.strictEqual(new Set(met).size, met.length)
          assert.includeMembers(met, before)
        }
      }))

    it.effect("SRCH-18 places that the database lost are noted again, though this process knew of them", () =>
      Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const me = yield* newAccount
        const before = yield* addMany(me, 25)
        for (let round = 0; round < 2; round++) assert.strictEqual((yield* page(me, { limit: 10 })).nextOffset, 10)
        yield* sql`DELETE FROM ${t.search_pages}`
        // It is counted, once.
        assert.lengthOf((yield* page(me, { limit: 10, offset: 10 })).files, 10)
        const first = yield* page(me, { limit: 10 })
        yield* addFile(me, { fileName: "page new" })
        const rest = yield* follow(me, { limit: 10, offset: first.nextOffset! }, Effect.void)
        assert.sameMembers([...first.files.map(({ id }) => id), ...rest], before)
      }))

    it.effect("SRCH-18 who pages through the same search later does not disturb", () =>
      Effect.gen(function*() {
        const me = yield* newAccount
        yield* addMany(me, 30)
        const first = yield* page(me, { limit: 10 })
        assert.strictEqual(first.nextOffset, 10)
        yield* addFile(me)
        const second = yield* page(me, { limit: 10 })
        assert.notStrictEqual(second.nextOffset, 10)
        const rest = (offset: number | null) => follow(me, { limit: 10, offset: offset! }, Effect.void)
        const all = (start: typeof first, more: ReadonlyArray<FileId>) => [...start.files.map(({ id }) => id), ...more]
        const [one, two] = [all(first, yield* rest(first.nextOffset)), all(second, yield* rest(second.nextOffset))]
        assert.deepStrictEqual([one.length, new Set(one).size], [30, 30])
        assert.deepStrictEqual([two.length, new Set(two).size], [31, 31])
        assert.strictEqual((yield* page(me, { limit: 10 })).nextOffset, second.nextOffset)
      }))

    it.effect("SRCH-18 an offset that nobody was given is counted from the start, also one whose place is forgotten", () =>
      Effect.gen(function*() {
        const me = yield* newAccount
        yield* addMany(me, 30)
        const all = yield* follow(me, { limit: 7, sort: "name" }, Effect.void)
        const { sql, tables: t } = yield* Database
        for (const filter of [{}, { text: "page" }]) {
          yield* sql`DELETE FROM ${t.search_pages}`
          for (const offset of [3, 14, 29, 30, 10_000_000_014, 5_000_000]) {
            const { files } = yield* page(me, { ...filter, limit: 7, sort: "name", offset })
            const from = offset % 10_000_000_000
            assert.deepStrictEqual(files.map(({ id }) => id), all.slice(from, from + 7))
          }
        }
      }))

    it.effect("SRCH-18 a place is one search's alone", () =>
      Effect.gen(function*() {
        const me = yield* newAccount
        yield* addMany(me, 30)
        const sorted = yield* follow(me, { sort: "name", limit: 10 }, Effect.void)
        yield* follow(me, { sort: "largest", limit: 10 }, Effect.void)
        yield* follow(me, { sort: "name", limit: 10, text: "page 1" }, Effect.void)
        assert.deepStrictEqual(yield* follow(me, { sort: "name", limit: 10 }, Effect.void), sorted)
      }))
  })

tests("the tests' database", TestDatabase.layer)
