/** The order of long lists. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { addManyFiles } from "../../test/addManyFiles.ts"
import * as Checked from "../../test/Checked.ts"
import { as, layer, newAccount } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import type { FileId, ListId } from "../shared/Ids.ts"
import { Lists } from "./Lists.ts"

const longList = Effect.fnUntraced(function*(count: number) {
  const me = yield* newAccount
  const ids = yield* addManyFiles(me, count, { type: "Audio" })
  const { list } = yield* Lists.use((lists) =>
    lists.create("playlist", { title: Checked.listTitle("Long"), fileIds: ids })
  ).pipe(as(me))
  const reorder = (first: ReadonlyArray<FileId>) =>
    Lists.use((lists) => lists.reorder("playlist", list.id, first, null)).pipe(as(me))
  return { ids, id: list.id, reorder }
})

/** Its files in order, and where each is written. */
const places = (id: ListId) =>
  Database.use(({ sql, tables: t }) =>
    sql<{ readonly id: FileId; readonly position: number; readonly row: string }>`
      SELECT file_id AS id, position, ctid::text AS row FROM ${t.list_items} WHERE list_id = ${id}
      ORDER BY position, file_id
    `
  )

const rows = (all: Effect.Success<ReturnType<typeof places>>) => new Map(all.map(({ id, row }) => [id, row]))

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Order of lists", (it) => {
  it.effect("ORG-22 a reorder writes the named files' places and no others, and nothing when repeated", () =>
    Effect.gen(function*() {
      const { id, ids, reorder } = yield* longList(400)
      const before = rows(yield* places(id))
      const first = [ids[399]!, ids[7]!, ids[200]!]
      yield* reorder(first)
      const after = yield* places(id)
      assert.deepStrictEqual(after.map((place) => place.id), [...first, ...ids.filter((one) => !first.includes(one))])
      const written = after.filter((place) => before.get(place.id) !== place.row).map((place) => place.id)
      assert.deepStrictEqual(written, first)
      yield* reorder(first)
      assert.deepStrictEqual(yield* places(id), after)
      yield* reorder(ids)
      assert.deepStrictEqual((yield* places(id)).map((place) => place.id), ids)
    }))

  it.effect("ORG-22 a list whose files were put first again and again is numbered anew", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const { id, ids, reorder } = yield* longList(5)
      yield* sql`UPDATE ${t.list_items} SET position = position - 2147483640 WHERE list_id = ${id}`
      yield* reorder([ids[4]!, ids[0]!])
      const now = yield* places(id)
      assert.deepStrictEqual(now.map((place) => place.id), [4, 0, 1, 2, 3].map((at) => ids[at]))
      assert.isAbove(now[0]!.position, -10)
    }))
})
