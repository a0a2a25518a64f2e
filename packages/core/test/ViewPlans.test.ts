/** Every statement of `/select-file-views` on an account whose files many have opened, as the service sends it, explained by the server. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import { Database } from "../src/database/Database.ts"
import { Views } from "../src/views/Views.ts"
import { addManyFiles } from "./addManyFiles.ts"
import * as Checked from "./Checked.ts"
import { addFolder, as, layer, newAccount } from "./FilesTest.ts"

const opened = 4_000
const days = 10

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Node>
}

/** Tables of files that are read from end to end. */
const scanned = (node: Node): ReadonlyArray<string> => [
  ...(node["Node Type"] === "Seq Scan" && ["files", "file_views"].includes(node["Relation Name"]!)
    ? [node["Relation Name"]!]
    : []),
  ...(node.Plans ?? []).flatMap(scanned)
]

testLayer(layer(TestDatabase.layerPostgresNew), { timeout: "120 seconds" })("Plans of views", (it) => {
  it.effect("VIEW-11 the files opened most are looked up one by one", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const views = yield* Views
      const me = yield* newAccount
      const folderId = yield* addFolder(me, "/A")
      const ids = yield* addManyFiles(me, opened, { folderId })
      yield* addManyFiles(me, opened * 4)
      yield* sql`
        INSERT INTO ${t.file_view_days} (account_id, day, file_id, views)
        SELECT ${me}, '2026-01-01'::date + d, f, 1 + abs(hashtext(f::text || d)) % 9
        FROM unnest(${ids}::uuid[]) f CROSS JOIN generate_series(1, ${days}::int) d
      `
      yield* sql`
        INSERT INTO ${t.file_views} (file_id, account_id, views, last_view_time)
        SELECT file_id, account_id, sum(views), '2026-01-20' FROM ${t.file_view_days} GROUP BY file_id, account_id
      `
      for (const table of [t.files, t.folders, t.file_views, t.file_view_days]) yield* sql`ANALYZE ${table}`

      const plansOf = Effect.fnUntraced(function*(query: Checked.Views) {
        const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
        const { files } = yield* Effect.provideService(
          views.select(Checked.views({ since: "2026-01-01", ...query })).pipe(as(me)),
          Statement.CurrentTransformer,
          (statement) =>
            Effect.sync(() => {
              sent.push(statement.compile())
              return statement
            })
        )
        const plans = yield* Effect.forEach(sent, ([text, parameters]) =>
          sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Node }> }>(
            `EXPLAIN (FORMAT JSON) ${text}`,
            parameters
          ).unprepared)
        return {
          files,
          plans: plans.map(([row]) =>
            row!["QUERY PLAN"][0]!.Plan
          )
        }
      })

      const queries: ReadonlyArray<Checked.Views> = [{}, { limit: 100 }, { folder: "/A" }, { fileIds: ids.slice(0, 5) }]
      for (const query of queries) {
        const { files, plans } = yield* plansOf(query)
        assert.isAtLeast(files.length, 5)
        assert.deepStrictEqual(plans.flatMap(scanned), [], JSON.stringify(Object.keys(query)))
      }
    }), 60_000)
})
