/**
 * What a database must do for the drive. Run it on each layer that gives one:
 *
 * ```ts
 * databaseSuite("PostgreSQL", TestDatabase.layerPostgres)
 * ```
 *
 * The layer is a migrated database with nothing in it.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { AccountTransaction, Database, Ids, Quota } from "@filedrive/core"
import { DateTime, Effect, Exit, Layer, Queue, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient, SqlError } from "effect/sql"
import * as fc from "fast-check"

type Client = Database | SqlClient.SqlClient | PgClient.PgClient

export interface DatabaseSuiteOptions {
  /** Breaks the client's connections; they must come back by themselves. Left out where there are none to break. */
  readonly breakConnections?: Effect.Effect<void, unknown, Client>
}

/** The first and last character of each of Unicode's planes but the surrogates, and of UTF-8's lengths. */
const everyPlane = [
  "\u0001",
  "\u007f",
  "\u0080",
  "\u07ff",
  "\u0800",
  "\ud7ff",
  "\ue000",
  "\uffff",
  "e\u0301",
  "🏳️‍🌈",
  ...Array.from({ length: 16 }, (_, n) => String.fromCodePoint((n + 1) * 0x10000, (n + 1) * 0x10000 + 0xffff))
].join("|")

const time = DateTime.toDateUtc(DateTime.makeUnsafe("2026-02-28T23:59:59.999Z"))

const newAccount = SecureRandom.SecureRandom.use((random) => Effect.map(random.uuidV7(), Ids.AccountId.make))

const accounts = Database.use(({ sql, tables: t }) => sql<{ readonly id: string }>`SELECT id FROM ${t.accounts}`).pipe(
  Effect.map((rows) => rows.length)
)

const add = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`INSERT INTO ${t.accounts} (id) VALUES (${yield* newAccount})`
})

const one = <A extends object>(statement: Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>) =>
  Effect.map(statement, (rows) => rows[0]!)

export const databaseSuite = <E>(
  name: string,
  database: Layer.Layer<Client, E>,
  { breakConnections }: DatabaseSuiteOptions = {}
) => {
  const layer = AccountTransaction.layer.pipe(Layer.provideMerge(Layer.merge(database, SecureRandom.layerWebCrypto)))
  const test = <A, E2>(
    rule: string,
    effect: Effect.Effect<A, E2, Layer.Success<typeof layer> | Scope.Scope>,
    timeout?: number
  ) => it.live(rule, () => Effect.provide(Effect.scoped(effect), layer), timeout)

  describe(`Database (${name})`, () => {
    test(
      "DB-9 a transaction is kept whole or not at all",
      Effect.gen(function*() {
        const { sql } = yield* Database
        yield* sql.withTransaction(Effect.andThen(add, add))
        assert.strictEqual(yield* accounts, 2)
        for (const end of [Effect.fail("no"), Effect.die("no"), Effect.interrupt]) {
          const exit = yield* Effect.exit(sql.withTransaction(Effect.andThen(add, end)))
          assert.isTrue(Exit.isFailure(exit))
        }
        assert.strictEqual(yield* accounts, 2)
      })
    )

    test(
      "DB-9 a transaction within one is undone alone",
      Effect.gen(function*() {
        const { sql } = yield* Database
        const inner = Effect.exit(sql.withTransaction(Effect.andThen(add, Effect.fail("no"))))
        yield* sql.withTransaction(Effect.all([add, inner, sql.withTransaction(add)]))
        assert.strictEqual(yield* accounts, 2)
      })
    )

    test(
      "DB-9 a statement that fails leaves the connection usable",
      Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const id = yield* newAccount
        const insert = sql`INSERT INTO ${t.accounts} (id) VALUES (${id})`
        yield* insert
        for (let n = 0; n < 20; n++) {
          const error = yield* Effect.flip(insert)
          assert.strictEqual(error.reason._tag, "UniqueViolation")
        }
        assert.strictEqual(yield* accounts, 1)
      })
    )

    test(
      "DB-10 counts kept under an account's lock are exact, in whatever order accounts are locked",
      Effect.gen(
        function*() {
          const transaction = yield* AccountTransaction
          const quota = yield* Quota
          const [first, second] = [yield* newAccount, yield* newAccount]
          yield* Effect.forEach([first, second], transaction.open)
          const addTo = (account: Ids.AccountId) =>
            transaction.run(
              account,
              ({ usedBytes }) =>
                usedBytes >= 250 ? Effect.succeed(0) : Effect.as(quota.add(account, { usedBytes: 10 }), 1)
            )
          const work = Array.from({ length: 80 }, (_, n) => addTo(n % 2 === 0 ? first : second))
          const added = yield* Effect.all(work, { concurrency: 40 })
          assert.strictEqual(added.reduce((sum, n) => sum + n, 0), 50)
          assert.strictEqual((yield* quota.balance(first)).usedBytes, 250)
          assert.strictEqual((yield* quota.balance(second)).usedBytes, 250)
        }
      ),
      60_000
    )

    test(
      "DB-11 numbers, lists and times come back as they were given",
      Effect.gen(function*() {
        const { sql } = yield* Database
        const two = 2 * 1024 ** 4
        const ids = [yield* newAccount, yield* newAccount]
        const row = yield* one(sql`
        SELECT ${two}::bigint AS "big", ${two}::bigint::float8 AS "float", ${Number.MAX_SAFE_INTEGER}::bigint::float8 AS "max",
          ${time}::timestamptz AS "time", ${ids}::uuid[] AS "ids", ${["a", "b,\"c\"", ""]}::text[] AS "texts",
          ${[1, 2, 3]}::int[] AS "ints", ${null}::text AS "nothing", ${true} AS "truth",
          ${new Uint8Array([0, 255])}::bytea AS "bytes", current_setting('TimeZone') AS "zone"
      `)
        assert.deepStrictEqual({ ...row }, {
          big: BigInt(two),
          float: two,
          max: Number.MAX_SAFE_INTEGER,
          time,
          ids,
          texts: ["a", "b,\"c\"", ""],
          ints: [1, 2, 3],
          nothing: null,
          truth: true,
          bytes: (row as { readonly bytes: Uint8Array }).bytes,
          zone: "UTC"
        })
        assert.deepStrictEqual(Array.from((row as { readonly bytes: Uint8Array }).bytes), [0, 255])
      })
    )

    test(
      "DB-11 text of every Unicode plane comes back as it was given",
      Effect.gen(function*() {
        const { sql } = yield* Database
        const { text } = yield* one(sql<{ readonly text: string }>`SELECT ${everyPlane}::text AS text`)
        assert.strictEqual(text, everyPlane)
      })
    )

    test(
      "DB-11 any text without NUL comes back as it was given",
      Effect.gen(function*() {
        const { sql } = yield* Database
        const property = fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), (given) => {
          const text = given.toWellFormed().replaceAll("\u0000", "")
          const row = one(sql<{ readonly text: string }>`SELECT ${text}::text AS text`)
          return Effect.runPromise(Effect.map(row, (found) => assert.strictEqual(found.text, text)))
        })
        yield* Effect.promise(() => fc.assert(property, { numRuns: 50 }))
      })
    )

    test(
      "DB-12 a notification is heard after the commit, and never after a rollback",
      Effect.gen(function*() {
        const { sql } = yield* Database
        const client = yield* PgClient.PgClient
        const heard = yield* client.listen("news")
        const tell = (payload: string) => sql`SELECT pg_notify('news', ${payload})::text`
        yield* Effect.exit(sql.withTransaction(Effect.andThen(tell("rolled back"), Effect.fail("no"))))
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* tell("first")
          assert.strictEqual(yield* Queue.size(heard), 0)
        }))
        yield* tell("second")
        assert.strictEqual((yield* Queue.take(heard)).payload, "first")
        assert.strictEqual((yield* Queue.take(heard)).payload, "second")
      })
    )

    test(
      "DB-12 one listener that leaves does not deafen the others",
      Effect.gen(function*() {
        const { sql } = yield* Database
        const client = yield* PgClient.PgClient
        const heard = yield* client.listen("news")
        yield* Effect.scoped(client.listen("news"))
        yield* sql`SELECT pg_notify('news', 'still here')::text`
        assert.strictEqual((yield* Queue.take(heard)).payload, "still here")
      })
    )

    test(
      "DB-6 what a host has begun, our operations are part of",
      Effect.gen(function*() {
        const { sql } = yield* Database
        const transaction = yield* AccountTransaction
        const quota = yield* Quota
        const account = yield* newAccount
        const ours = transaction.run(account, () => quota.add(account, { usedBytes: 1 }))
        yield* Effect.exit(sql.withTransaction(Effect.andThen(ours, Effect.fail("the host has changed its mind"))))
        assert.strictEqual((yield* quota.balance(account)).usedBytes, 0)
      })
    )

    if (breakConnections !== undefined) {
      test(
        "DB-8 a broken connection fails its statement and the next one works",
        Effect.gen(function*() {
          yield* add
          yield* Effect.exit(breakConnections)
          yield* Effect.retry(add, { times: 20 })
          assert.strictEqual(yield* accounts, 2)
        }),
        60_000
      )
    }
  })
}
