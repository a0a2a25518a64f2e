/** The embedded database on a disk that others have filled: what frees room continues, what adds is refused. */
import { assert, describe, it } from "@effect/vitest"
import { DatabaseFault, WritePurpose } from "@filedrive/core"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { statSync, truncateSync } from "node:fs"
import { join } from "node:path"
import * as Pglite from "../../src/database/Pglite.ts"
import { cannotMount, fill, freeBytes, smallDisk } from "../disk/SmallDisk.ts"

const MiB = 1_024 * 1_024
const withoutTmpfs = cannotMount("tmpfs")

const codeOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(
    Effect.exit(effect),
    (exit) => Exit.isFailure(exit) ? DatabaseFault.ofCause(exit.cause)?.code : "succeeded"
  )

/** A database on a disk of its own, with a table of much text. */
const opened = Effect.gen(function*() {
  const disk = yield* smallDisk("tmpfs", 320 * MiB)
  const directory = join(disk, "database")
  const context = yield* Layer.build(Layer.fresh(Pglite.layer({ directory })))
  const { sql, takesMore } = yield* Effect.provideContext(
    Effect.all({ sql: SqlClient.SqlClient, takesMore: WritePurpose.TakesMore }),
    context
  )
  yield* sql`CREATE TABLE kept (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text)`
  /** So many KiB of rows. */
  const add = (kibibytes: number) =>
    sql`INSERT INTO kept (text) SELECT repeat(md5(n::text), 28) FROM generate_series(1, ${kibibytes}::int) n`
  const reserveBytes = () => statSync(join(directory, "deletions.reserve")).size
  return { disk, sql, add, reserveBytes, takesMore }
})

describe.skipIf(withoutTmpfs !== undefined)(`the embedded database on a full disk ${withoutTmpfs ?? ""}`, () => {
  it.live(
    "DB-45 at 0 bytes what frees is taken and what adds refused, and with room again everything is at once",
    () =>
      Effect.gen(function*() {
        const { add, disk, reserveBytes, sql, takesMore } = yield* opened
        yield* add(3_000)
        assert.isTrue(yield* takesMore)
        assert.strictEqual(reserveBytes(), 32 * MiB)
        for (let round = 0; round < 2; round++) {
          const rest = fill(disk)
          assert.strictEqual(freeBytes(disk), 0)
          // It is looked at a few times a second, and whenever it is asked.
          assert.isFalse(yield* takesMore)
          assert.strictEqual(yield* codeOf(add(1)), "no_space")
          assert.strictEqual(yield* codeOf(sql`UPDATE kept SET text = text`), "no_space")
          // Half of a page of PostgreSQL's.
          truncateSync(join(disk, "ballast"), statSync(join(disk, "ballast")).size - 4_096)
          // Far more than what was left of its pages, so it is the reserve that gives.
          assert.strictEqual(yield* codeOf(WritePurpose.freeing(sql`UPDATE kept SET text = text || '.'`)), "succeeded")
          assert.isBelow(reserveBytes(), 32 * MiB)
          assert.strictEqual(yield* codeOf(sql`DELETE FROM kept WHERE id <= 100`), "succeeded")
          assert.strictEqual(yield* codeOf(add(1)), "no_space")
          rest()
          assert.strictEqual(yield* codeOf(add(1)), "succeeded")
          assert.isTrue(yield* takesMore)
          assert.strictEqual(reserveBytes(), 32 * MiB)
        }
      }).pipe(Effect.scoped),
    180_000
  )

  it.live(
    "DB-46 writes for serving use at most half of the reserve, and deletions can use the rest",
    () =>
      Effect.gen(function*() {
        const { add, disk, reserveBytes } = yield* opened
        fill(disk)
        const codes: Array<string | undefined> = []
        for (let n = 0; n < 60 && codes.at(-1) !== "no_space"; n++) {
          codes.push(yield* codeOf(WritePurpose.serving(add(500))))
        }
        assert.strictEqual(codes[0], "succeeded")
        assert.strictEqual(codes.at(-1), "no_space")
        assert.isAtLeast(reserveBytes(), 14 * MiB)
        assert.strictEqual(yield* codeOf(WritePurpose.freeing(add(2_000))), "succeeded")
      }).pipe(Effect.scoped),
    180_000
  )
})
