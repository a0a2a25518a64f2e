/** What is read of an index from the database, and what happens when it changes on the way. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect, Layer } from "effect"
import { addFoundFiles } from "../../test/addFoundFiles.ts"
import { bareDoc } from "../../test/bareDoc.ts"
import * as Checked from "../../test/Checked.ts"
import { addFolder, as, layer, newAccount } from "../../test/FilesTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import { Files } from "../files/Files.ts"
import { Search } from "../search/Search.ts"
import type { Doc } from "./Doc.ts"
import { DocIndex } from "./DocIndex.ts"
import { DocIndexRepo } from "./DocIndexRepo.ts"
import type { Part } from "./Segment.ts"
import { SegmentCache } from "./SegmentCache.ts"

/** An index with a memory of its own; `before` happens each time it reads parts of a segment from the database. */
const indexWith = (before: (names: ReadonlyArray<Part>) => Effect.Effect<void>) => {
  const repo = Layer.effect(
    DocIndexRepo,
    Effect.map(DocIndexRepo, (repo) =>
      DocIndexRepo.of({
        ...repo,
        parts: (header, names) => Effect.andThen(before(names), repo.parts(header, names))
      }))
  ).pipe(Layer.provide(Layer.fresh(DocIndexRepo.layer)))
  return DocIndex.layerNoDeps.pipe(Layer.provide(Layer.fresh(SegmentCache.layerNoDeps)), Layer.provide(repo))
}

/** A search during which, each time it reads from the database what it finds in, `change` happens first. */
const disturbed = Effect.fnUntraced(function*(change: Effect.Effect<void>) {
  const { isInTransaction } = yield* Database
  const first = Effect.flatMap(isInTransaction, (isOwn) => isOwn ? Effect.void : change)
  const index = indexWith(() => first)
  return yield* Search.pipe(Effect.provide(Layer.fresh(Search.layer).pipe(Layer.provide(Layer.fresh(index)))))
})

testLayer(layer(TestDatabase.layerPostgres), { timeout: "120 seconds" })("DocIndex, reading", (it) => {
  it.effect("SRCH-29 a search is answered although files in it move whenever it looks", () =>
    Effect.gen(function*() {
      const [files, transaction] = [yield* Files, yield* AccountTransaction]
      const me = yield* newAccount
      const folders = [yield* addFolder(me, "/A"), yield* addFolder(me, "/A/B")]
      const all = yield* addFoundFiles(me, 300, folders[0]!)
      let changes = 0
      const search = yield* disturbed(Effect.suspend(() =>
        ++changes > 50 ? Effect.void : transaction.run(me, () => files.move(me, all, folders[changes % 2]!))
      ))
      const found = yield* search.search(Checked.search({ folder: "/A", sort: "oldest", limit: 200 })).pipe(as(me))
      assert.deepStrictEqual(
        found.files.map(({ id }) =>
          id
        ),
        all.slice(0, 200)
      )
      assert.isAtLeast(changes, 1)
      assert.isAtMost(changes, 10)
    }), 120_000)

  it.effect("SRCH-27 who changes a segment again and again reads what never changes of it once, unless it may be given up", () =>
    Effect.gen(function*() {
      const transaction = yield* AccountTransaction
      const { sql } = yield* Database
      const me = yield* newAccount
      const start = DateTime.toEpochMillis(yield* DateTime.now)
      const all = (yield* addFoundFiles(me, 900)).map((id, at) => ({ id, time: start + 1_000 * (at + 1) }))
      const asked: Array<string> = []
      yield* Effect.gen(function*() {
        const index = yield* DocIndex
        for (let at = 0; at < 900; at += 300) {
          yield* transaction.run(me, () => index.remove(me, all.slice(at, at + 300)))
        }
        assert.deepStrictEqual(asked.splice(0), ["ids dead", "dead", "dead"])
        const own = yield* newAccount
        const docs = all.map((file): Doc => ({ ...bareDoc, ...file }))
        const given = Effect.gen(function*() {
          yield* index.put(own, docs)
          for (let at = 0; at < 900; at += 300) yield* index.remove(own, all.slice(at, at + 300))
          return yield* Effect.fail("given up")
        })
        assert.strictEqual(yield* Effect.flip(sql.withTransaction(transaction.run(own, () => given))), "given up")
        assert.deepStrictEqual(asked.splice(0), ["ids dead", "ids dead", "ids dead"])
        yield* transaction.run(own, () => index.put(own, docs))
        for (let at = 0; at < 900; at += 300) {
          yield* transaction.run(own, () => index.remove(own, all.slice(at, at + 300)))
        }
        assert.deepStrictEqual(asked, ["ids dead", "dead", "dead"])
      }).pipe(Effect.provide(Layer.fresh(indexWith((names) => Effect.sync(() => asked.push(names.join(" ")))))))
    }))
})
