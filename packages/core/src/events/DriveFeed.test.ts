import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Duration, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { addFile, asTimePasses, layer, newAccount } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import { migrate } from "../Drive.ts"
import * as DriveCursor from "./DriveCursor.ts"
import { DriveEventsRepo } from "./DriveEventsRepo.ts"
import { type DriveFeedEvent, settlingPause } from "./DriveFeed.ts"
import { Events } from "./Events.ts"

/** The name of the file that an event is about; all events here are about one. */
const fileNameOf = (event: object | undefined) =>
  event !== undefined && "file" in event ? (event.file as { readonly fileName: string }).fileName : ""

const name = ({ event }: DriveFeedEvent) => fileNameOf(event)

const moment = Effect.promise(() => new Promise((done) => setImmediate(done)))

/** The first events after a cursor. The clock continues meanwhile: other tests' transactions on the same server may be running. */
const read = Effect.fnUntraced(function*(count: number, after: string | undefined) {
  const pages = yield* (yield* Events).followDrive(after)
  return yield* asTimePasses(
    pages.pipe(Stream.flatMap((page) => Stream.fromIterable(page)), Stream.take(count), Stream.runCollect),
    "1 second"
  )
})

/** Cursor of an event that comes before everything a test does from now on. */
const mark = Effect.gen(function*() {
  const me = yield* newAccount
  yield* addFile(me, { fileName: "mark" })
  let events = yield* read(1, undefined)
  for (;;) {
    const { accountId, cursor } = events.at(-1)!
    if (accountId === me) return cursor
    events = yield* read(1, cursor)
  }
})

testLayer(layer(TestDatabase.layerNew), { timeout: "120 seconds" })("The feed of the whole drive", (it) => {
  it.effect("FEED-21 it has every account's events, each with its account, and any of them is a place to continue from", () =>
    Effect.gen(function*() {
      const start = yield* mark
      const [ada, ben] = [yield* newAccount, yield* newAccount]
      yield* addFile(ada, { fileName: "a" })
      yield* addFile(ben, { fileName: "b" })
      yield* addFile(ada, { fileName: "c" })
      yield* addFile(ben, { fileName: "d" })
      const all = yield* read(4, start)
      assert.deepStrictEqual(all.map((event) => [event.accountId, name(event)]), [
        [ada, "a"],
        [ben, "b"],
        [ada, "c"],
        [ben, "d"]
      ])
      for (const [index, { cursor }] of all.slice(0, 3).entries()) {
        assert.deepStrictEqual(yield* read(3 - index, cursor), all.slice(index + 1))
      }
    }))

  it.effect("FEED-22 \"now\" passes over what is there, and without a cursor it begins with the first event", () =>
    Effect.gen(function*() {
      const [ada, ben] = [yield* newAccount, yield* newAccount]
      yield* addFile(ada, { fileName: "before" })
      // Settled for certain, as its cursor was answered.
      yield* mark
      const pages = yield* (yield* Events).followDrive("now")
      yield* addFile(ben, { fileName: "after" })
      const [first] = yield* pages.pipe(
        Stream.flatMap((page) => Stream.fromIterable(page)),
        Stream.filter(({ accountId }) => accountId === ada || accountId === ben),
        Stream.take(1),
        Stream.runCollect,
        (pages) => asTimePasses(pages, "1 second")
      )
      assert.strictEqual(name(first!), "after")
      const { sql, tables: t } = yield* Database
      const [oldest] = yield* sql<{ readonly id: string }>`
        SELECT id FROM ${t.events} ORDER BY order_no, account_id, seq LIMIT 1
      `
      assert.strictEqual((yield* read(1, undefined))[0]!.event.id, oldest!.id)
    }))

  it.effect.each([
    "d1_00000000-0000-0000-0000-000000000001_1",
    "",
    "e1",
    "d1",
    "2026-09-28T12:00:00.000Z",
    "later",
    `d01_${DriveCursor.beginning.accountId}_1`
  ])(
    "FEED-22 %s as after is refused",
    (after) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip((yield* Events).followDrive(after))
        assert.deepInclude(error, { _tag: "InvalidField", code: "invalid_field", field: "after" })
      })
  )

  it.effect("FEED-22 a cursor of a drive that is further on is refused", () =>
    Effect.gen(function*() {
      const { accountId } = DriveCursor.beginning
      const after = DriveCursor.format({ orderNo: 900_000_000_000_000, accountId, seq: 1 })
      const error = yield* Effect.flip((yield* Events).followDrive(after))
      assert.deepInclude(error, { _tag: "InvalidField", field: "after" })
    }))

  it.effect("FEED-24 a commit wakes its readers, who look once for all of them", () =>
    Effect.gen(function*() {
      const start = yield* mark
      const events = yield* Events
      const me = yield* newAccount
      const readers = yield* Effect.forEach(
        Array.from({ length: 5 }),
        () =>
          events.followDrive(start).pipe(
            Effect.flatMap((pages) => Stream.runCollect(Stream.take(pages, 1))),
            Effect.forkChild
          )
      )
      for (let n = 0; n < 20; n++) yield* moment
      yield* addFile(me, { fileName: "woken" })
      // The clock stands, but for what waits for another test's transaction: five seconds of polling never pass.
      let waited = 0
      while (readers.some((reader) => reader.pollUnsafe() === undefined)) {
        yield* moment
        if (++waited % 100 === 0) yield* TestClock.adjust("10 millis")
        assert.isBelow(waited, 40_000)
      }
      for (const [page] of yield* Fiber.joinAll(readers)) assert.deepStrictEqual(page!.map(name), ["woken"])
    }))

  it("FEED-24 a reader that waits for an earlier transaction looks at most a hundred times a second, soon once", () => {
    const pauses = Array.from({ length: 12 }, (_, looks) => Duration.toMillis(settlingPause(looks)))
    assert.deepStrictEqual(pauses, [10, 20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000, 1_000, 1_000])
    assert.strictEqual(Duration.toMillis(settlingPause(5_000)), 1_000)
  })

  it.effect("FEED-13 it ends with the others when a drive ends its streams", () =>
    Effect.gen(function*() {
      const events = yield* Events
      const pages = yield* events.followDrive("now")
      const reader = yield* Effect.forkChild(Stream.runDrain(pages))
      for (let n = 0; n < 20; n++) yield* moment
      while (reader.pollUnsafe() === undefined) {
        yield* events.hangUp
        yield* moment
      }
      yield* Fiber.join(reader)
    }))

  it.effect("FEED-9 reading it scans no table", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      yield* sql`
        INSERT INTO ${t.events} (account_id, seq, id, kind, time, payload)
        SELECT ${me}, n, gen_random_uuid(), 'file', now(), '{}' FROM generate_series(1, 20000) n
      `
      yield* sql`ANALYZE ${t.events}`
      const repo = yield* DriveEventsRepo
      const rows = yield* sql`EXPLAIN ${repo.pageStatement(DriveCursor.beginning, 200)}`
      const plan = rows.map((row) => Object.values(row)[0]).join("\n")
      assert.match(plan, /events_order/)
      assert.notMatch(plan, /Seq Scan on events|Sort/, plan)
      yield* sql`DELETE FROM ${t.events} WHERE account_id = ${me}`
    }).pipe(Effect.provide(DriveEventsRepo.layer)))

  it.effect("FEED-25 restored into a server that numbers from the start, it continues after a cursor of before", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const start = yield* mark
      yield* addFile(me, { fileName: "before" })
      const [shift] = yield* sql<{ readonly by: number }>`SELECT 5000000000::float8 AS by`
      // As the dump of a server that had come further would have them.
      yield* sql`UPDATE ${t.events} SET order_no = order_no + ${shift!.by}::bigint`
      const from = DriveCursor.parse(start)!
      const before = DriveCursor.format({ ...from, orderNo: from.orderNo + shift!.by })
      yield* migrate
      yield* addFile(me, { fileName: "restored" })
      yield* migrate
      yield* addFile(me, { fileName: "later" })
      const events = yield* read(3, before)
      assert.deepStrictEqual(events.map(name), ["before", "restored", "later"])
      assert.deepStrictEqual((yield* read(1, events[1]!.cursor)).map(name), ["later"])
      const [numbering] = yield* sql<
        { readonly added: number }
      >`SELECT added::float8 AS added FROM ${t.event_numbering}`
      assert.isAbove(numbering!.added, 5_000_000_000 - 1)
    }))
})
