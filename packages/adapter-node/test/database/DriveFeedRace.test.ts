/** The feed of the whole drive under many writers, on a real server: PGlite has one session and hides every race. */
import { assert, layer } from "@effect/vitest"
import * as Postgres from "@filedrive/adapter-node/postgres"
import { Accounts, AccountTransaction, Database, DatabaseSchema, Events, Ids, PollInterval } from "@filedrive/core"
import { TestDatabase } from "@filedrive/testing"
import { Deferred, Duration, Effect, Fiber, Layer, Random, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { ordinaryUser } from "../../../core/test/ordinaryUser.ts"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"

/** The name of the file that an event is about; all events here are about one. */
const fileNameOf = (event: object | undefined) =>
  event !== undefined && "file" in event ? (event.file as { readonly fileName: string }).fileName : ""

const writers = 24
const writesEach = 20
const pools = 3
const accounts = 6

const randomUuid = SecureRandom.SecureRandom.use((random) => random.uuidV7())

const everybody = Layer.succeed(
  Accounts.Accounts,
  Accounts.Accounts.of({ find: (id) => Effect.succeedSome(ordinaryUser(id)) })
)

/** The feed as another process has it: connections, signals and all of its own. */
const process = (schema: string, url: string, pollInterval = Duration.seconds(5)) =>
  Layer.mergeAll(Events.layer, AccountTransaction.layer).pipe(
    Layer.provide(everybody),
    Layer.provideMerge(Database.layer),
    Layer.provide(Layer.succeed(DatabaseSchema, schema)),
    Layer.provide(Postgres.layer({ url, maxConnections: 8 })),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provide(Layer.succeed(PollInterval, pollInterval)),
    Layer.fresh
  )

/** An event in a transaction of its own, which does other things before and after it appends. */
const write = (
  me: Ids.AccountId,
  fileName: string,
  before: Effect.Effect<unknown, never, Database> = Effect.void,
  after: Effect.Effect<unknown, never, Database> = Effect.void
) =>
  Effect.gen(function*() {
    const [transaction, events] = [yield* AccountTransaction, yield* Events]
    const id = Ids.FileId.make(yield* randomUuid)
    const file = { id, type: "Text" as const, fileName }
    yield* transaction.run(me, () =>
      before.pipe(
        Effect.andThen(events.append(me, [{ kind: "file", folderId: null, fileId: id, payload: { file } }])),
        Effect.andThen(after)
      ))
  })

/** Takes the server a while that differs from transaction to transaction. */
const work = Effect.gen(function*() {
  const { sql } = yield* Database
  const steps = yield* Random.nextIntBetween(0, 40_000)
  yield* sql`SELECT count(*)::int AS n FROM generate_series(1, ${steps}::int)`
}).pipe(Effect.orDie)

/** The names of the next events, at most `count`, and where to continue. */
const readOn = Effect.fnUntraced(function*(count: number, after: string | undefined) {
  const pages = yield* (yield* Events).followDrive(after)
  return yield* pages.pipe(
    Stream.flatMap((page) => Stream.fromIterable(page)),
    Stream.take(count),
    Stream.map(({ accountId, cursor, event }) => ({ accountId, cursor, name: fileNameOf(event) })),
    Stream.runCollect
  )
})

const Base = AccountTransaction.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(TestDatabase.layerPostgres, SecureRandom.layerWebCrypto))
)

const newAccount = Effect.gen(function*() {
  const id = Ids.AccountId.make(yield* randomUuid)
  yield* (yield* AccountTransaction).open(id)
  return id
})

layer(Base, { timeout: "120 seconds", excludeTestServices: true })("The drive's feed under many writers", (it) => {
  it.effect(
    "FEED-23 what is committed before an earlier transaction has ended waits for it, and no reader passes it",
    () =>
      Effect.gen(function*() {
        const { schema } = yield* Database
        const [slow, fast] = [yield* newAccount, yield* newAccount]
        const url = yield* Effect.promise(postgresUrl)
        yield* Effect.gen(function*() {
          yield* write(slow, "first")
          const [start] = yield* readOn(1, undefined)
          const [began, mayAppend, appended, mayEnd] = yield* Effect.all([
            Deferred.make<void>(),
            Deferred.make<void>(),
            Deferred.make<void>(),
            Deferred.make<void>()
          ])
          const writing = yield* Effect.forkChild(
            write(
              slow,
              "slow",
              Effect.andThen(Deferred.succeed(began, undefined), Deferred.await(mayAppend)),
              Effect.andThen(Deferred.succeed(appended, undefined), Deferred.await(mayEnd))
            )
          )
          yield* Deferred.await(began)
          yield* write(fast, "before it appends")
          const reader = yield* Effect.forkChild(readOn(3, start!.cursor))
          yield* Deferred.succeed(mayAppend, undefined)
          yield* Deferred.await(appended)
          yield* write(fast, "before it commits")
          // What is read from now on, as long as the transaction runs, has none of them.
          const { sql, tables: t } = yield* Database
          const [pending] = yield* sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM ${t.events}`
          assert.strictEqual(pending!.count, 3)
          assert.isUndefined(reader.pollUnsafe())
          yield* Deferred.succeed(mayEnd, undefined)
          yield* Fiber.join(writing)
          assert.deepStrictEqual((yield* Fiber.join(reader)).map(({ name }) => name), [
            "slow",
            "before it appends",
            "before it commits"
          ])
        }).pipe(Effect.provide(process(schema, url)))
      }),
    120_000
  )

  it.effect(
    "FEED-23 twenty-four writers in three processes: a reader that restarts at random loses and repeats nothing",
    () =>
      Effect.gen(function*() {
        const { schema } = yield* Database
        const url = yield* Effect.promise(postgresUrl)
        const owners = yield* Effect.forEach(Array.from({ length: accounts }), () => newAccount)
        const all = writers * writesEach
        const start = yield* Effect.gen(function*() {
          yield* write(owners[0]!, "start")
          // The last that is there: this test's own.
          let last = yield* readOn(1, undefined)
          while (last[0]!.name !== "start") last = yield* readOn(1, last[0]!.cursor)
          return last[0]!.cursor
        }).pipe(Effect.provide(process(schema, url)))

        const writing = Effect.forEach(
          Array.from({ length: pools }, (_, pool) => pool),
          (pool) =>
            Effect.forEach(
              Array.from({ length: writers / pools }, (_, n) => pool * (writers / pools) + n),
              (writer) =>
                Effect.forEach(
                  Array.from({ length: writesEach }, (_, n) => n),
                  (n) => write(owners[(writer + n) % accounts]!, `${writer}-${n}`, work, work)
                ),
              { concurrency: "unbounded" }
            ).pipe(Effect.provide(process(schema, url))),
          { concurrency: "unbounded" }
        )

        const restarting = Effect.gen(function*() {
          const read: Array<Effect.Success<ReturnType<typeof readOn>>[number]> = []
          let restarts = 0
          while (read.length < all) {
            // Each of these is a process that is new to the drive, and takes some events before it ends.
            yield* Effect.gen(function*() {
              for (let n = 0; n < 4 && read.length < all; n++) {
                const count = yield* Random.nextIntBetween(1, 15)
                const after = read.at(-1)?.cursor ?? start
                read.push(...yield* readOn(Math.min(count, all - read.length), after))
                restarts++
              }
            }).pipe(Effect.provide(process(schema, url)))
          }
          return { read, restarts }
        })

        const [{ read, restarts }, followed] = yield* Effect.gen(function*() {
          const readers = yield* Effect.forkChild(
            Effect.all([restarting, readOn(all, start).pipe(Effect.provide(process(schema, url)))], {
              concurrency: "unbounded"
            })
          )
          yield* writing
          return yield* Fiber.join(readers)
        })
        assert.isAbove(restarts, 20)
        assert.strictEqual(new Set(read.map(({ name }) => name)).size, all)
        assert.strictEqual(read.length, all)
        assert.deepStrictEqual(followed, read)
        // Each account's in the order of its own feed.
        for (const owner of owners) {
          const seqs = read.filter(({ accountId }) => accountId === owner).map(({ cursor }) =>
            Number(cursor.split("_")[2])
          )
          assert.deepStrictEqual(seqs, seqs.toSorted((a, b) => a - b))
        }
        // Read again from the start, it is the same.
        const again = yield* readOn(all, start).pipe(Effect.provide(process(schema, url)))
        assert.deepStrictEqual(again, read)
      }),
    120_000
  )

  it.effect(
    "FEED-24 a commit of another process wakes a reader of the whole drive that would not look for an hour",
    () =>
      Effect.gen(function*() {
        const { schema } = yield* Database
        const url = yield* Effect.promise(postgresUrl)
        const me = yield* newAccount
        const woken = yield* Effect.gen(function*() {
          const reader = yield* Effect.forkChild(readOn(1, "now"))
          // Until it is heard: the first may be committed before anybody listens.
          yield* Effect.gen(function*() {
            while (reader.pollUnsafe() === undefined) yield* write(me, "told")
          }).pipe(Effect.provide(process(schema, url)))
          return yield* Fiber.join(reader)
        }).pipe(Effect.provide(process(schema, url, Duration.hours(1))))
        assert.strictEqual(woken[0]!.name, "told")
      }),
    120_000
  )
})
