/** A feed under many writers, on a real server: PGlite has one session and hides every race. */
import { assert, layer } from "@effect/vitest"
import * as Postgres from "@filedrive/adapter-node/postgres"
import {
  Accounts,
  AccountTransaction,
  CurrentAccount,
  Database,
  DatabaseSchema,
  EventQuery,
  Events,
  Ids,
  PollInterval
} from "@filedrive/core"
import { TestDatabase } from "@filedrive/testing"
import { Duration, Effect, Fiber, Layer, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { ordinaryUser } from "../../../core/test/ordinaryUser.ts"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"

/** The name of the file that an event is about; all events here are about one. */
const fileNameOf = (event: object | undefined) =>
  event !== undefined && "file" in event ? (event.file as { readonly fileName: string }).fileName : ""

const { CurrentAccount: Caller, unlimited } = CurrentAccount

const writers = 24
const writesEach = 20
const pools = 3

const randomUuid = SecureRandom.SecureRandom.use((random) => random.uuidV7())

const everybody = Layer.succeed(
  Accounts.Accounts,
  Accounts.Accounts.of({
    find: (id) => Effect.succeedSome(ordinaryUser(id))
  })
)

/** The feed as another process has it: connections, signals and all of its own. */
const process = (schema: string, url: string) =>
  Layer.merge(Events.layer, AccountTransaction.layer).pipe(
    Layer.provide(everybody),
    Layer.provide(Database.layer),
    Layer.provide(Layer.succeed(DatabaseSchema, schema)),
    Layer.provide(Postgres.layer({ url, maxConnections: 8 })),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.fresh
  )

const file = (id: string, fileName: string) => ({ id: Ids.FileId.make(id), type: "Text" as const, fileName })

/** One event of a writer's, in a transaction of its own. */
const write = Effect.fnUntraced(function*(me: Ids.AccountId, fileName: string) {
  const [transaction, events] = [yield* AccountTransaction, yield* Events]
  const id = yield* randomUuid
  yield* transaction.run(me, () =>
    events.append(me, [
      { kind: "file", folderId: null, fileId: Ids.FileId.make(id), payload: { file: file(id, fileName) } }
    ]))
})

const Base = AccountTransaction.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(TestDatabase.layerPostgres, SecureRandom.layerWebCrypto))
)

layer(Base, { timeout: "120 seconds", excludeTestServices: true })("The feed under many writers", (it) => {
  it.effect(
    "FEED-15 twenty-four writers in three processes: a reader loses nothing, repeats nothing, in order of time",
    () =>
      Effect.gen(function*() {
        const { schema } = yield* Database
        const me = Ids.AccountId.make(yield* randomUuid)
        yield* (yield* AccountTransaction).open(me)
        const url = yield* Effect.promise(postgresUrl)
        const all = writers * writesEach

        const writing = Effect.forEach(
          Array.from({ length: pools }, (_, pool) => pool),
          (pool) =>
            Effect.forEach(
              Array.from({ length: writers / pools }, (_, n) => `${pool}-${n}`),
              (writer) =>
                Effect.forEach(Array.from({ length: writesEach }, (_, n) => n), (n) => write(me, `${writer}-${n}`)),
              { concurrency: "unbounded" }
            ).pipe(Effect.provide(process(schema, url))),
          { concurrency: "unbounded" }
        )

        const reading = Effect.gen(function*() {
          const events = yield* Events
          const polled: Array<{ readonly name: string; readonly time: string }> = []
          let since = "e0"
          while (polled.length < all) {
            const page = yield* events.select(yield* Schema.decodeEffect(EventQuery)({ since, limit: 7 }))
            for (const { event } of page.events) polled.push({ name: fileNameOf(event), time: event.time })
            since = page.nextCursor
          }
          return polled
        })

        const following = Effect.gen(function*() {
          const events = yield* Events
          const pages = yield* events.follow({ since: "e0" })
          return yield* pages.pipe(
            Stream.flatMap((page) => Stream.fromIterable(page.events)),
            Stream.map(({ event }) => ({ name: fileNameOf(event), time: event.time })),
            Stream.take(all),
            Stream.runCollect
          )
        })

        const [polled, followed] = yield* Effect.gen(function*() {
          const readers = yield* Effect.forkChild(Effect.all([reading, following], { concurrency: "unbounded" }))
          yield* writing
          return yield* Fiber.join(readers)
        }).pipe(
          Effect.provideService(Caller, { id: me, tokenId: null, limits: unlimited }),
          Effect.provide(process(schema, url))
        )
        for (const read of [polled, followed]) {
          assert.strictEqual(new Set(read.map(({ name }) => name)).size, all)
          assert.strictEqual(read.length, all)
          const times = read.map(({ time }) => time)
          assert.deepStrictEqual(times, times.toSorted())
        }
        assert.deepStrictEqual(followed, polled)
      }),
    120_000
  )

  it.effect(
    "FEED-16 a commit of another process wakes a follower that would not look for an hour",
    () =>
      Effect.gen(function*() {
        const { schema } = yield* Database
        const me = Ids.AccountId.make(yield* randomUuid)
        yield* (yield* AccountTransaction).open(me)
        const url = yield* Effect.promise(postgresUrl)
        const patient = process(schema, url).pipe(Layer.provide(Layer.succeed(PollInterval, Duration.hours(1))))
        const followed = yield* Effect.gen(function*() {
          const pages = yield* (yield* Events).follow({}, Duration.hours(1))
          const reader = yield* Effect.forkChild(Stream.runCollect(Stream.take(pages, 1)))
          // Until it is heard: the first may be committed before anybody listens.
          yield* Effect.gen(function*() {
            while (reader.pollUnsafe() === undefined) yield* write(me, "told")
          }).pipe(Effect.provide(process(schema, url)))
          return yield* Fiber.join(reader)
        }).pipe(Effect.provideService(Caller, { id: me, tokenId: null, limits: unlimited }), Effect.provide(patient))
        assert.strictEqual(fileNameOf(followed[0]!.events[0]!.event), "told")
      }),
    120_000
  )
})
