/** How similar tracks are looked for in an account of many, as the service asks, explained by the server. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { Database } from "../src/database/Database.ts"
import * as Soundprint from "../src/media/Soundprint.ts"
import { Soundprints } from "../src/media/Soundprints.ts"
import { addManyFiles } from "./addManyFiles.ts"
import { as, layer, newAccount } from "./FilesTest.ts"
import { encoded, song } from "./Prints.ts"

const tracks = 6_000

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly Plans?: ReadonlyArray<Node>
}

const nodes = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodes)]

testLayer(layer(TestDatabase.layerPostgresNew), { timeout: "180 seconds" })("Plans of similar tracks", (it) => {
  it.effect(
    "MEDIA-37 candidates come from the index, a bounded number, however many tracks have a key",
    () =>
      Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const transaction = yield* AccountTransaction
        const soundprints = yield* Soundprints
        const me = yield* newAccount
        const ids = yield* addManyFiles(me, tracks)
        yield* sql`UPDATE ${t.files} SET type = 'Audio', metadata_status = 'done' WHERE account_id = ${me}`
        // Songs of their own, which all begin with one jingle.
        const jingle = song(1).slice(0, 40)
        const jingleKeys = Soundprint.keys(me, Soundprint.make(jingle)!)
        yield* sql`
        INSERT INTO ${t.soundprints} (file_id, account_id, print, keys)
        SELECT f.id, ${me}, decode(repeat('00', 64), 'hex'),
          ${jingleKeys}::int[] || ARRAY(SELECT hashint8(f.n * 100 + g) FROM generate_series(1, 60) g)
        FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS f (id, n)
      `
        const [one, two] = [ids[0]!, ids[tracks - 1]!]
        yield* transaction.run(me, () =>
          Effect.andThen(
            soundprints.replace(me, one, song(1)),
            soundprints.replace(me, two, encoded(song(1), 0.01))
          ))
        for (const table of [t.files, t.soundprints]) yield* sql`ANALYZE ${table}`

        const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
        const { tracks: found } = yield* Effect.provideService(
          soundprints.similar(one).pipe(as(me)),
          Statement.CurrentTransformer,
          (statement) =>
            Effect.sync(() => {
              sent.push(statement.compile())
              return statement
            })
        )
        assert.deepStrictEqual(found.map(({ file }) => file.id), [two])
        const plans = yield* Effect.forEach(sent, ([text, parameters]) =>
          sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Node }> }>(
            `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
            parameters
          ).unprepared)
        const all = plans.flatMap(([row]) =>
          nodes(row!["QUERY PLAN"][0]!.Plan)
        )
        const scanned = all.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"])
        assert.notInclude(scanned, "soundprints")
        assert.notInclude(scanned, "files")
        assert.isNotEmpty(all.filter((node) => node["Index Name"] === "soundprints_keys"))
        const read = all.filter((node) => node["Relation Name"] === "soundprints").map((node) =>
          node["Actual Rows"]! * node["Actual Loops"]!
        )
        assert.isAtMost(Math.max(...read), Soundprint.keysMaxCount * 200)
      }),
    120_000
  )
})
