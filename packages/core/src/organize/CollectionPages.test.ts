/** Reading more folders, tags and lists than one statement takes. */
import { assert, it, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect } from "effect"
import { Statement } from "effect/sql"
import * as Checked from "../../test/Checked.ts"
import { as, layer, newAccount } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"
import { byCodePoint } from "../shared/Text.ts"
import { Collections } from "./Collections.ts"
import { FolderTree } from "./FolderTree.ts"
import { Tags } from "./Tags.ts"

const count = 6_000

/** Folders at the top, tags and galleries, as many of each. */
const fill = Effect.fnUntraced(function*(me: AccountId) {
  const { sql, tables: t } = yield* Database
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const all = sql`(SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${count}::int) n) fresh`
  yield* sql`
    INSERT INTO ${t.folders} (id, account_id, name, folded_name, path, folded_path, depth, insert_time)
    SELECT id, ${me}, 'F' || n, 'f' || n, '/F' || n, '/f' || n, 1, ${now} FROM ${all}
  `
  yield* sql`
    INSERT INTO ${t.tags} (id, account_id, text, folded, insert_time) SELECT id, ${me}, 'T' || n, 't' || n, ${now} FROM ${all}
  `
  yield* sql`
    INSERT INTO ${t.lists} (id, account_id, kind, title, is_public, insert_time)
    SELECT id, ${me}, 'gallery', 'G' || n, FALSE, ${now}::timestamptz + n / 10 * interval '1 second' FROM ${all}
  `
})

const names = (letter: string) => Array.from({ length: count }, (_, at) => `${letter}${at + 1}`)

it("ORG-30 texts are sorted by their code points, as the database sorts them", () => {
  const texts = ["", "a", "a/b", "aa", "é", "\ud7ff", "\ue000", "\uffee", "\u{10000}", "\u{1f600}", "\u{1f600}a"]
  assert.deepStrictEqual(texts.toReversed().sort(byCodePoint), texts)
  assert.strictEqual(byCodePoint("x", "x"), 0)
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("All collections", (it) => {
  it.effect("ORG-55 no statement reads more than some rows, and each row is in the answer once, renamed meanwhile or not", () =>
    Effect.gen(function*() {
      const [collections, tags, tree] = [yield* Collections, yield* Tags, yield* FolderTree]
      const me = yield* newAccount
      yield* fill(me)
      const before = yield* collections.select.pipe(as(me))
      const [folder, tag] = [before.folders.at(-1)!, before.tags.at(-1)!]
      let statements = 0
      let renames = 0
      const outside = yield* Effect.context<never>()
      const all = yield* collections.select.pipe(
        as(me),
        Effect.provideService(Statement.CurrentTransformer, (statement) => {
          const [text, values] = statement.compile()
          if (!/FROM \S*(folders|tags|lists)/.test(text)) return Effect.succeed(statement)
          statements++
          assert.strictEqual(values.at(-1), 2_500)
          if (values.length === 2 || ++renames > 4) return Effect.succeed(statement)
          // Between two pages, to where the first of them would have been.
          const renaming = Effect.all([
            tree.rename(folder.id, Checked.folderName(`A ${renames}`)),
            tags.rename(tag.id, Checked.tag(`A ${renames}`))
          ])
          return Effect.as(Effect.promise(() => Effect.runPromiseWith(outside)(as(me)(renaming))), statement)
        })
      )
      assert.strictEqual(statements, 3 * 3 + 1)
      const sorted = (texts: ReadonlyArray<string>) => [...texts].sort()
      for (const found of [all.folders.map(({ path }) => path), all.tags.map(({ text }) => text)]) {
        assert.strictEqual(found.length, count)
        assert.deepStrictEqual(found, sorted(found))
      }
      assert.strictEqual(new Set(all.folders.map(({ id }) => id)).size, count)
      assert.strictEqual(new Set(all.tags.map(({ id }) => id)).size, count)
      assert.sameMembers(all.galleries.map(({ title }) => title), names("G"))
      assert.deepStrictEqual(all.galleries, before.galleries)
    }))

  it.effect("ORG-55 of ten calls at once of an account one asks for further rows at a time", () =>
    Effect.gen(function*() {
      const collections = yield* Collections
      const me = yield* newAccount
      yield* fill(me)
      const { sql, tables: t } = yield* Database
      yield* sql`DELETE FROM ${t.tags} WHERE account_id = ${me}`
      yield* sql`DELETE FROM ${t.lists} WHERE account_id = ${me}`
      const asked: Array<unknown> = []
      const answers = yield* Effect.all(Array.from({ length: 10 }, () => collections.select), {
        concurrency: "unbounded"
      }).pipe(
        as(me),
        Effect.provideService(Statement.CurrentTransformer, (statement) =>
          Effect.sync(() => {
            const [text, values] = statement.compile()
            if (/FROM \S*folders/.test(text) && values.length === 3) asked.push(values[1])
            return statement
          }))
      )
      assert.isTrue(answers.every(({ folders }) => folders.length === count))
      // The second page, then the third, of one call after the other.
      const [second, third] = asked
      assert.notStrictEqual(second, third)
      assert.deepStrictEqual(asked, Array.from({ length: 10 }, () => [second, third]).flat())
    }))

  it.effect("ORG-55 ORG-31 a token that is limited to a folder is told of its folders page by page, by path", () =>
    Effect.gen(function*() {
      const [collections, tree] = [yield* Collections, yield* FolderTree]
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      yield* fill(me)
      const top = yield* tree.create(Checked.path("/Top")).pipe(as(me))
      yield* sql`
        UPDATE ${t.folders} SET parent_id = ${top.id}, depth = 2, path = '/Top' || path, folded_path = '/top' || folded_path
        WHERE account_id = ${me} AND id <> ${top.id} AND name <> 'F1'
      `
      const { folders } = yield* collections.select.pipe(as(me, { folderId: top.id }))
      assert.deepStrictEqual(
        folders.map(({ path }) => path),
        ["/Top", ...names("/Top/F").filter((path) => path !== "/Top/F1").sort()]
      )
    }))
})
