import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { addFile, addFolder, as, layer, newAccount } from "../../test/FilesTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import { Files } from "../files/Files.ts"
import { type AccountId, type FileId, FileId as FileIdSchema, type FolderId } from "../shared/Ids.ts"
import type { EventQuery } from "./EventQuery.ts"
import { Events } from "./Events.ts"
import { EventsRepo } from "./EventsRepo.ts"

/** The name of the file that an event is about; all events here are about one. */
const fileNameOf = (event: object | undefined) =>
  event !== undefined && "file" in event ? (event.file as { readonly fileName: string }).fileName : ""

const select = (me: AccountId, query: EventQuery = {}, limits = {}) =>
  Events.use((events) => events.select(query)).pipe(as(me, limits))

const names = ({ events }: Effect.Success<ReturnType<typeof select>>) => events.map(({ event }) => fileNameOf(event))

/** Follows `nextCursor` to the end: what was told, and how many calls it took. */
const readAll = Effect.fnUntraced(function*(me: AccountId, query: EventQuery, limits = {}) {
  const found: Array<string> = []
  let calls = 0
  let since = query.since ?? "e0"
  for (;;) {
    const page = yield* select(me, { ...query, since }, limits)
    calls++
    found.push(...names(page))
    since = page.nextCursor
    if (!page.more) return { found, calls, since }
  }
})

/** Events by SQL alone: of kind `file` in no folder, but for one `view` of `viewed` at each place named. */
const addEvents = Effect.fnUntraced(
  function*(me: AccountId, count: number, viewed: FileId, views: ReadonlyArray<number>) {
    const { sql, tables: t } = yield* Database
    const now = DateTime.toDateUtc(yield* DateTime.now)
    yield* sql`
    INSERT INTO ${t.events} (account_id, seq, id, kind, time, file_id, payload)
    SELECT ${me}, n, gen_random_uuid(), CASE WHEN n = ANY(${views}::int[]) THEN 'view' ELSE 'file' END, ${now},
      ${viewed}, jsonb_build_object('file', jsonb_build_object('fileName', 'n' || n))
    FROM generate_series(1, ${count}::int) n
  `
    yield* sql`UPDATE ${t.accounts} SET event_seq = ${count}::int, event_time = ${now} WHERE id = ${me}`
    yield* sql`ANALYZE ${t.events}`
  }
)

const aFile = FileIdSchema.make("019845e1-682f-7b02-a706-3b2422d13a01")

const view = (me: AccountId, fileId: FileId, fileName: string, folderId: FolderId | null) =>
  Effect.all([AccountTransaction, Events]).pipe(
    Effect.flatMap(([transaction, events]) =>
      transaction.run(me, () =>
        events.append(me, [
          { kind: "view", folderId, fileId, payload: { viewer: null, file: { id: fileId, type: "Text", fileName } } }
        ]))
    )
  )

testLayer(layer(TestDatabase.layer), { timeout: "120 seconds" })("Events", (it) => {
  it.effect("FEED-1 events come oldest first, and following nextCursor meets each once", () =>
    Effect.gen(function*() {
      const [me, other] = [yield* newAccount, yield* newAccount]
      for (const fileName of ["a", "b", "c", "d", "e"]) yield* addFile(me, { fileName })
      yield* addFile(other, { fileName: "theirs" })
      const first = yield* select(me, Checked.events({ limit: 2 }))
      assert.deepStrictEqual([names(first), first.more], [["a", "b"], true])
      const second = yield* select(me, Checked.events({ limit: 3, since: first.nextCursor }))
      assert.deepStrictEqual([names(second), second.more], [["c", "d", "e"], false])
      assert.deepStrictEqual(yield* select(me, { since: second.nextCursor }), {
        events: [],
        nextCursor: second.nextCursor,
        more: false
      })
      // Each event's own cursor leads to the next.
      const from = first.events[0]!.cursor
      assert.deepStrictEqual(names(yield* select(me, { since: from })), ["b", "c", "d", "e"])
    }))

  it.effect("FEED-2 since a time means from that moment on, and by default the last 24 hours", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      yield* addFile(me, { fileName: "old" })
      yield* TestClock.adjust("25 hours")
      const between = yield* DateTime.now
      yield* addFile(me, { fileName: "a" })
      yield* addFile(me, { fileName: "b" })
      assert.deepStrictEqual(names(yield* select(me)), ["a", "b"])
      const since = DateTime.formatIso(between)
      assert.deepStrictEqual(names(yield* select(me, { since })), ["a", "b"])
      const day = { days: 2 }
      const earlier = DateTime.formatIso(DateTime.subtract(between, day))
      assert.deepStrictEqual(names(yield* select(me, { since: earlier })), ["old", "a", "b"])
      const later = yield* select(me, { since: DateTime.formatIso(DateTime.add(between, { milliseconds: 1 })) })
      assert.deepStrictEqual([names(later), later.more], [[], false])
      yield* addFile(me, { fileName: "c" })
      assert.deepStrictEqual(names(yield* select(me, { since: later.nextCursor })), ["c"])
    }))

  it.effect.each(["yesterday", "2026-09-28", "e-1", "e", "e01", "e99", "12", ""])(
    "FEED-3 %s is 400 naming since",
    (since) =>
      Effect.gen(function*() {
        const me = yield* newAccount
        yield* addFile(me)
        const error = yield* Effect.flip(select(me, { since }))
        assert.deepInclude(error, { _tag: "InvalidField", code: "invalid_field", field: "since" })
      })
  )

  it.effect("FEED-4 an account's time never runs backwards, whatever a server's clock says", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      yield* TestClock.adjust("1 hour")
      yield* addFile(me, { fileName: "a" })
      const { sql, tables: t } = yield* Database
      // Another server, whose clock is ahead, has told of something.
      yield* sql`UPDATE ${t.accounts} SET event_time = event_time + interval '10 seconds' WHERE id = ${me}`
      yield* addFile(me, { fileName: "b" })
      yield* addFile(me, { fileName: "c" })
      const { events } = yield* select(me)
      const times = events.map(({ event }) => event.time)
      assert.deepStrictEqual(times, times.toSorted())
      assert.strictEqual(times[1], times[2])
      assert.deepStrictEqual(names(yield* select(me, { since: times[1]! })), ["b", "c"])
    }))

  it.effect("FEED-5 kinds, file and folder narrow it, also together; what is about something else is not there", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const top = yield* addFolder(me, "/A")
      const inner = yield* addFolder(me, "/A/B")
      const beside = yield* addFolder(me, "/Ab")
      const a = yield* addFile(me, { fileName: "a", folderId: top })
      const b = yield* addFile(me, { fileName: "b", folderId: inner })
      yield* addFile(me, { fileName: "c", folderId: beside })
      yield* addFile(me, { fileName: "d" })
      yield* view(me, a, "view a", top)
      yield* view(me, b, "view b", inner)
      const asked = Effect.fnUntraced(function*(query: EventQuery) {
        const page = yield* select(me, query)
        assert.isFalse(page.more)
        return names(page)
      })
      assert.deepStrictEqual(yield* asked({ kinds: ["view"] }), ["view a", "view b"])
      assert.deepStrictEqual(yield* asked({ kinds: ["drop", "note", "generation"] }), [])
      assert.deepStrictEqual(yield* asked({ fileId: a }), ["view a"])
      assert.deepStrictEqual(yield* asked({ fileId: a, kinds: ["file"] }), [])
      assert.deepStrictEqual(yield* asked({ folder: Checked.path("/a") }), ["a", "b", "view a", "view b"])
      assert.deepStrictEqual(yield* asked({ folder: Checked.path("/A/b/"), kinds: ["file", "view"] }), ["b", "view b"])
      assert.deepStrictEqual(yield* asked({ folder: Checked.path("/A/B"), fileId: a }), [])
      assert.deepStrictEqual(yield* asked({ folder: Checked.path("/nowhere") }), [])
      assert.deepStrictEqual((yield* asked({ folder: Checked.path("/") })).length, 6)
      assert.throws(() => Checked.events({ folder: "A" }))
    }))

  it.effect("FEED-6 where a file is now makes no difference, so that a cursor passes the same events always", () =>
    Effect.gen(function*() {
      const [files, transaction] = [yield* Files, yield* AccountTransaction]
      const me = yield* newAccount
      const [from, to] = [yield* addFolder(me, "/From"), yield* addFolder(me, "/To")]
      const id = yield* addFile(me, { fileName: "a", folderId: from })
      yield* transaction.run(me, () => files.move(me, [id], to))
      assert.deepStrictEqual(names(yield* select(me, { folder: Checked.path("/From") })), ["a"])
      assert.deepStrictEqual(names(yield* select(me, { folder: Checked.path("/To") })), [])
    }))

  it.effect("FEED-7 a token limited to a folder is told what happened in it; one that may not read nothing", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const top = yield* addFolder(me, "/A")
      const inner = yield* addFolder(me, "/A/B")
      yield* addFile(me, { fileName: "a", folderId: top })
      const b = yield* addFile(me, { fileName: "b", folderId: inner })
      yield* addFile(me, { fileName: "c" })
      yield* view(me, b, "view b", inner)
      assert.deepStrictEqual(names(yield* select(me, {}, { folderId: top })), ["a", "b", "view b"])
      assert.deepStrictEqual(names(yield* select(me, {}, { folderId: inner })), ["b", "view b"])
      assert.deepStrictEqual(names(yield* select(me, { fileId: b }, { folderId: inner })), ["view b"])
      assert.deepStrictEqual(names(yield* select(me, { folder: Checked.path("/") }, { folderId: inner })), [
        "b",
        "view b"
      ])
      const refused = yield* Effect.flip(select(me, {}, { permissions: ["add"] }))
      assert.deepInclude(refused, { _tag: "Refused", code: "token_limit" })
    }))

  it.effect("FEED-8 a narrow filter over many events moves its cursor although it finds none", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      yield* addEvents(me, 50_000, aFile, [30_000, 45_000])
      const first = yield* select(me, { since: "e0", kinds: ["view"] })
      assert.deepStrictEqual([names(first), first.nextCursor, first.more], [[], "e20000", true])
      assert.deepStrictEqual(yield* readAll(me, { kinds: ["view"] }), {
        found: ["n30000", "n45000"],
        calls: 3,
        since: "e50000"
      })
      assert.deepStrictEqual(yield* readAll(me, Checked.events({ kinds: ["view"], limit: 1 })), {
        found: ["n30000", "n45000"],
        calls: 3,
        since: "e50000"
      })
      // With an index for it, one look is enough.
      assert.deepStrictEqual(yield* readAll(me, { fileId: aFile }), {
        found: ["n30000", "n45000"],
        calls: 1,
        since: "e50000"
      })
      assert.deepStrictEqual(yield* readAll(me, { folder: Checked.path("/nowhere") }), {
        found: [],
        calls: 3,
        since: "e50000"
      })
    }))

  it.effect("FEED-11 a stream reads what is there, then what happens at once, and says so when nothing does", () =>
    Effect.gen(function*() {
      const events = yield* Events
      const me = yield* newAccount
      yield* addFile(me, { fileName: "a" })
      const pages = yield* events.follow({ kinds: ["file"] }).pipe(as(me))
      const seen: Array<string> = []
      const fiber = yield* Effect.forkChild(
        Stream.runForEach(
          pages,
          (page) => Effect.sync(() => void seen.push(page.events.length === 0 ? "-" : names(page).join()))
        )
      )
      const settle = Effect.repeat(Effect.yieldNow, { times: 200 })
      yield* addFile(me, { fileName: "b" })
      while (!seen.join().endsWith("b")) yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
      yield* settle
      while (!seen.includes("-")) {
        yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(seen.join(",").split(",").filter((name) => name !== "-"), ["a", "b"])
      yield* events.hangUp
      yield* Fiber.join(fiber)
    }))

  it.effect("FEED-12 a slow reader holds nothing back, and a stream begun after the others were ended lives", () =>
    Effect.gen(function*() {
      const events = yield* Events
      const me = yield* newAccount
      for (let n = 0; n < 5; n++) yield* addFile(me, { fileName: `f${n}` })
      yield* events.hangUp
      const pages = yield* events.follow({}).pipe(as(me))
      // Nobody reads yet; the feed grows meanwhile.
      for (let n = 5; n < 8; n++) yield* addFile(me, { fileName: `f${n}` })
      const [page] = yield* Stream.runCollect(Stream.take(pages, 1))
      assert.deepStrictEqual(names(page!), ["f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"])
    }))
})

testLayer(layer(TestDatabase.layerNew), { timeout: "120 seconds" })("Plans of the events' statements", (it) => {
  it.effect("FEED-9 no way of reading a feed scans the table", () =>
    Effect.gen(function*() {
      const { sql } = yield* Database
      const me = yield* newAccount
      // Many more than one call may read: of a few, an index may read all.
      yield* addEvents(me, 150_000, aFile, [30_000, 45_000])
      const repo = yield* EventsRepo
      const range = { after: 1_000, until: 50_000 }
      const everything = { foldedPath: null, withinFolder: null }
      const explained = {
        plain: repo.pageStatement(me, everything, range, 51),
        kinds: repo.pageStatement(me, { ...everything, kinds: ["drop", "note"] }, { after: 1_000, until: 21_000 }, 51),
        file: repo.pageStatement(me, { ...everything, fileId: aFile }, range, 51),
        time: repo.beginStatement(me, { time: DateTime.toDateUtc(yield* DateTime.now) })
      }
      const plans = yield* Effect.all(Object.fromEntries(
        Object.entries(explained).map(([name, statement]) => [
          name,
          Effect.map(sql`EXPLAIN ${statement}`, (rows) => rows.map((row) => Object.values(row)[0]).join("\n"))
        ])
      ))
      for (const [name, plan] of Object.entries(plans)) {
        assert.notMatch(plan, /Seq Scan on events/, `${name}\n${plan}`)
      }
      const indexes = { plain: /events_pkey/, kinds: /events_pkey/, file: /events_file_id/, time: /events_time/ }
      for (const [name, index] of Object.entries(indexes)) {
        assert.match(plans[name]!, index, `${name}\n${plans[name]}`)
      }
    }).pipe(Effect.provide(EventsRepo.layer)))
})
