/** Tags on more files than one transaction takes. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Array as Arr, Effect, Exit } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { addManyFiles } from "../../test/addManyFiles.ts"
import { checkCounts } from "../../test/checkCounts.ts"
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
    tag = (yield* Tags.use((tags) => tags.change(some, ["many"], "add")).pipe(as(me))).tags[0]!.id
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
      yield* Tags.use((tags) => tags.rename(tag, "most")).pipe(as(me))
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
      const cut = yield* Tags.use((tags) => tags.rename(tag, "most")).pipe(
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
})
