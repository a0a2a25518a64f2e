import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import {
  AccountTransaction,
  Database,
  DatabaseSchema,
  DatabaseTooNew,
  DatabaseUnfit,
  Ids,
  migrate,
  Quota
} from "@filedrive/core"
import { TestDatabase } from "@filedrive/testing"
import { Cause, Effect, Exit, Layer, Redacted, String } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import * as Postgres from "../../src/database/Postgres.ts"
import { start } from "./ChildProcess.ts"

const shape = Database.use(({ schema, sql }) =>
  sql`
    SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
    WHERE table_schema = ${schema} ORDER BY table_name, ordinal_position
  `
)

const onBoth = (rule: string, test: Effect.Effect<void, unknown, Database | SqlClient.SqlClient>) =>
  describe.each([
    ["PGlite", TestDatabase.layerMemory] as const,
    ["PostgreSQL", TestDatabase.layerPostgres] as const
  ])("on %s", (_name, database) => {
    it.effect(rule, () => Effect.provide(test, database))
  })

describe("Migrations", () => {
  it.live("DB-1 six processes that start at once bring one server to one shape", () =>
    Effect.gen(function*() {
      const { sql } = yield* Database
      const schema = `start_${process.pid}`
      yield* Effect.addFinalizer(() => Effect.orDie(sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`))
      const url = yield* Effect.promise(postgresUrl)
      const children = Array.from({ length: 6 }, () => start(["migrate", url, schema]))
      const codes = yield* Effect.promise(() => Promise.all(children.map(({ ended }) => ended)))
      assert.deepStrictEqual(codes, [0, 0, 0, 0, 0, 0], children.map(({ errors }) => errors()).join("\n"))
      const steps = children.map(({ lines }) => Number(lines.at(-1)))
      assert.strictEqual(steps.filter((count) => count > 0).length, 1, "one of them does the work")
      const expected = yield* shape
      const made = yield* Effect.provide(shape, Layer.provide(Database.layer, Layer.succeed(DatabaseSchema, schema)))
      assert.deepStrictEqual(made, expected)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerPostgres)), 120_000)

  onBoth(
    "DB-1 running again changes nothing",
    Effect.gen(function*() {
      const before = yield* shape
      assert.deepStrictEqual(yield* migrate, [])
      assert.deepStrictEqual(yield* shape, before)
    })
  )

  onBoth(
    "DB-7 a database that is newer than the code is refused with a sentence",
    Effect.gen(function*() {
      const { schema, sql } = yield* Database
      yield* sql`INSERT INTO ${sql(`${schema}.migrations`)} (migration_id, name) VALUES (9999, 'from_the_future')`
      const error = yield* Effect.flip(migrate)
      yield* sql`DELETE FROM ${sql(`${schema}.migrations`)} WHERE migration_id = 9999`
      assert.instanceOf(error, DatabaseTooNew)
      assert.include(error.message, `The tables in the schema "${schema}" are at version 9999`)
    })
  )

  it.live(
    "DB-122 a database with an encoding other than UTF8 is refused with an error message",
    () =>
      Effect.gen(function*() {
        const url = new URL(yield* Effect.promise(postgresUrl))
        const server = PgClient.layer({ url: Redacted.make(url.href) })
        for (const encoding of ["LATIN1", "SQL_ASCII", "UTF8"]) {
          const name = `encoded_${encoding.toLowerCase()}_${process.pid}`
          const here = new URL(url)
          here.pathname = name
          yield* Effect.scoped(Effect.gen(function*() {
            yield* Effect.acquireRelease(
              SqlClient.SqlClient.use((sql) =>
                sql.unsafe(
                  `CREATE DATABASE ${name} ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`
                )
                  .unprepared
              ),
              () =>
                Effect.orDie(
                  SqlClient.SqlClient.use((sql) => sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`).unprepared)
                )
            )
            const database = Database.layer.pipe(Layer.provideMerge(Postgres.layer({ url: here.href })))
            const exit = yield* Effect.exit(Effect.provide(migrate, database))
            if (encoding === "UTF8") return assert.isTrue(Exit.isSuccess(exit))
            const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
            assert.instanceOf(error, DatabaseUnfit)
            assert.include(error.message, `The encoding of the database is ${encoding}`)
            assert.include(error.message, "the drive needs UTF8")
          })).pipe(Effect.provide(server))
        }
      }),
    60_000
  )

  it.live(
    "DB-5 our tables keep to the schema the host names, whatever its client makes of names",
    () =>
      Effect.gen(function*() {
        const schema = `Host's drive ${process.pid}`
        const url = yield* Effect.promise(postgresUrl)
        const client = PgClient.layer({
          url: Redacted.make(url),
          transformQueryNames: String.camelToSnake,
          transformResultNames: String.snakeToCamel
        })
        const drive = AccountTransaction.layer.pipe(
          Layer.provideMerge(Database.layer),
          Layer.provide(Layer.succeed(DatabaseSchema, schema)),
          Layer.provideMerge(Layer.merge(client, SecureRandom.layerWebCrypto))
        )
        yield* Effect.gen(function*() {
          const { sql } = yield* Database
          const outside = sql<{ readonly n: number }>`
          SELECT count(*)::int AS n FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
          WHERE nspname <> ${schema} AND nspname NOT LIKE 'test%' AND nspname NOT LIKE 'pg%' AND relkind = 'r'
        `
          const before = yield* outside
          yield* Effect.addFinalizer(() => Effect.orDie(sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`))
          assert.isAbove((yield* migrate).length, 0)
          assert.deepStrictEqual(yield* migrate, [])
          const transaction = yield* AccountTransaction
          const quota = yield* Quota
          const account = Ids.AccountId.make(yield* SecureRandom.SecureRandom.use((random) => random.uuidV7()))
          yield* transaction.run(account, () => quota.add(account, { usedBytes: 7 }))
          assert.deepStrictEqual(yield* quota.balance(account), { usedBytes: 7, heldBytes: 0 })
          assert.deepStrictEqual(yield* outside, before)
        }).pipe(Effect.scoped, Effect.provide(drive))
      }),
    60_000
  )
})
