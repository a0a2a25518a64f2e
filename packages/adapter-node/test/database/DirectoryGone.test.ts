/** The embedded database whose directory is taken away while it is open. */
import { afterAll, assert, it } from "@effect/vitest"
import { DatabaseFault } from "@filedrive/core"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import * as Pglite from "../../src/database/Pglite.ts"

const root = mkdtempSync(join(tmpdir(), "filedrive-gone-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const outcome = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    if (Exit.isSuccess(exit)) return { code: "succeeded", said: "" }
    return { code: DatabaseFault.ofCause(exit.cause)?.code ?? "a fault", said: inspect(exit.cause, { depth: 12 }) }
  })

/** The first outcome that is another than success, however long the disk takes; and the next ones. */
const after = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  for (let tries = 0; tries < 10_000; tries++) {
    const first = yield* outcome(sql`SELECT n FROM kept`)
    if (first.code !== "succeeded") return first
  }
  return assert.fail("it went on")
})

const ways = {
  removed: (place: string) => {
    cpSync(place, `${place}.copy`, { recursive: true })
    rmSync(place, { recursive: true })
    return () => renameSync(`${place}.copy`, place)
  },
  moved: (place: string) => {
    renameSync(place, `${place}.elsewhere`)
    return () => renameSync(`${place}.elsewhere`, place)
  }
}

for (const [way, what] of [["removed", "."], ["moved", "data"]] as const) {
  it.live(
    `DB-48 a directory that is ${way} (${what}) is 503 unavailable, is not made anew, and with it back the database goes on`,
    () =>
      Effect.gen(function*() {
        const directory = join(root, `${way}-${what === "." ? "whole" : what}`, "database")
        const context = yield* Layer.build(Layer.fresh(Pglite.layer({ directory })))
        const sql = yield* Effect.provideContext(SqlClient.SqlClient, context)
        yield* sql`CREATE TABLE kept (n int)`
        yield* sql`INSERT INTO kept VALUES (1)`
        // What the statements below need of the catalog is open, so that nothing fails before the check of the directory.
        yield* sql`SELECT n FROM kept`
        yield* sql`CHECKPOINT`
        const back = ways[way](what === "." ? directory : join(directory, "data"))
        assert.strictEqual((yield* after(sql)).code, "unavailable")
        // Statements that were under way when it was noticed end with what the database said last.
        let known = 0
        for (let call = 0; call < 1_000 && known < 5; call++) {
          const { code, said } = yield* outcome(sql`INSERT INTO kept VALUES (2)`)
          assert.strictEqual(code, "unavailable")
          known = said.includes("was removed, moved or replaced while the drive ran") ? known + 1 : 0
        }
        assert.strictEqual(known, 5)
        assert.isFalse(existsSync(join(directory, "data")))
        back()
        assert.deepStrictEqual(yield* Effect.retry(sql`SELECT n FROM kept`, { times: 10_000 }), [{ n: 1 }])
      }).pipe(Effect.scoped),
    120_000
  )
}
