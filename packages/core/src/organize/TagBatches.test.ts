/** Tags on more files than one transaction takes. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Array as Arr, Effect, Exit } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { addManyFiles } from "../../test/addManyFiles.ts"
import { checkCounts } from "../../test/checkCounts.ts"
import * as Checked from "../../test/Checked.ts"
import { checkSearch } from "../../test/checkSearch.ts"
import { as, layer, newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"
import { Tags } from "./Tags.ts"

/** An account with a tag on so many files. */
const tagged = Effect.fnUntraced(function*(count: number) {
  const me = yield* newAccount
  const ids = yield* addManyFiles(me, count)
  let tag = ""
  for (const some of Arr.chunksOf(ids, 500)) {
    tag = (yield* Tags.use((tags) => tags.change(some, Checked.tags(["many"]), "add")).pipe(as(me))).tags[0]!.id
  }
  return { me, tag: tag as never }
})

/** Transactions under the account's lock so far. */
const transactions = (me: AccountId) =>
  Database.use(({ sql, tables: t }) =>
    Effect.map(
      sql<{ readonly count: number }>`SELECT revision::float8 AS count FROM ${t.accounts} WHERE id = ${me}`,
      ([row]) => row!.count
    )
  )

const renames = Effect.map(
  ManualJobs.use(({ waiting }) => waiting),
  (waiting) => waiting.filter(({ kind }) => kind === "tags.renamed").length
)

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Tags on many files", (it) => {
  it.effect("DB-21 a tag on many files is renamed and deleted in many transactions", () =>
    Effect.gen(function*() {
      const { me, tag } = yield* tagged(750)
      const before = yield* transactions(me)
      yield* Tags.use((tags) => tags.rename(tag, Checked.tag("most"))).pipe(as(me))
      yield* checkSearch(me)
      assert.strictEqual(yield* renames, 0)
      // The text itself, then 100, 200, 400 and 50 files.
      const renamed = yield* transactions(me)
      assert.strictEqual(renamed - before, 5)
      yield* Tags.use((tags) => tags.delete(tag)).pipe(as(me))
      assert.strictEqual((yield* transactions(me)) - renamed, 4)
      yield* checkSearch(me)
      yield* checkCounts
    }))

  it.effect("ORG-8 the search learns of all files of a renamed tag, though the call ends before it could tell it", () =>
    Effect.gen(function*() {
      const { me, tag } = yield* tagged(250)
      let looks = 0
      const cut = yield* Tags.use((tags) => tags.rename(tag, Checked.tag("most"))).pipe(
        as(me),
        Effect.provideService(Statement.CurrentTransformer, (statement) =>
          Effect.suspend(() => {
            const isLook = statement.compile()[0].includes("ORDER BY file_id LIMIT")
            return isLook && ++looks === 2 ? Effect.die(new Error("the process has ended")) : Effect.succeed(statement)
          })),
        Effect.exit
      )
      assert.isTrue(Exit.isFailure(cut))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(checkSearch(me))))
      assert.strictEqual(yield* renames, 1)
      yield* TestClock.adjust("5 minutes")
      yield* ManualJobs.use(({ runDue }) => runDue)
      yield* checkSearch(me)
      assert.strictEqual(yield* renames, 0)
    }))

  it.effect("DB-21 many tags on many files are put there in many transactions, few in one", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const ids = yield* addManyFiles(me, 500)
      const change = (texts: ReadonlyArray<string>, action: "add" | "remove") =>
        Effect.gen(function*() {
          const before = yield* transactions(me)
          const { tags, updated } = yield* Tags.use((tags) => tags.change(ids, Checked.tags(texts), action)).pipe(
            as(me)
          )
          assert.deepStrictEqual([tags.length, updated.length], [texts.length, 500])
          return (yield* transactions(me)) - before
        })
      assert.strictEqual(yield* change(["one"], "add"), 1)
      const many = Arr.makeBy(20, (n) => `tag ${n}`)
      // Of 25, 50, 100, 200 and 125 files.
      assert.strictEqual(yield* change(many, "add"), 5)
      yield* checkSearch(me)
      yield* checkCounts
      assert.strictEqual(yield* change(many, "remove"), 5)
      yield* checkSearch(me)
      yield* checkCounts
    }))

  it.effect("ORG-34 a file has at most 100 tags, and is as it was when it would have more", () =>
    Effect.gen(function*() {
      const tags = yield* Tags
      const me = yield* newAccount
      const ids = yield* addManyFiles(me, 2)
      for (let call = 0; call < 5; call++) {
        yield* tags.change([ids[0]!], Checked.tags(Arr.makeBy(20, (n) => `tag ${call} ${n}`)), "add").pipe(as(me))
      }
      const more = yield* tags.change(ids, Checked.tags(["another", "tag 0 0"]), "add").pipe(as(me), Effect.flip)
      assert.deepInclude(more, { code: "invalid_field", field: "tags" })
      const { tags: [other] } = yield* tags.change([ids[1]!], Checked.tags(["other"]), "add").pipe(as(me))
      const one = yield* tags.changeOne([ids[0]!], other!.id, "add").pipe(as(me), Effect.flip)
      assert.deepInclude(one, { code: "invalid_field", field: "tagId" })
      yield* tags.change([ids[0]!], Checked.tags(["tag 0 0", "tag 4 19"]), "add").pipe(as(me))
      yield* tags.change([ids[0]!], Checked.tags(["tag 0 0"]), "remove").pipe(as(me))
      yield* tags.changeOne([ids[0]!], other!.id, "add").pipe(as(me))
      yield* checkSearch(me)
      yield* checkCounts
    }))
})
