/** How a drive notices that its database and its storage are of different times. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../src/database/Database.ts"
import { StorageMarks } from "../src/objects/StorageMarks.ts"
import * as StoreKey from "../src/objects/StoreKey.ts"
import { backUpDatabase, restoreStorage, storedObjects } from "./Backup.ts"
import {
  accept,
  add,
  formsCleared,
  mark,
  me,
  nothingRemoved,
  onDatabases,
  pass,
  reason,
  started,
  withoutMark
} from "./RestoreTest.ts"

onDatabases("The marks of storage and database", (onBoth) => {
  it.effect(
    "STO-143 a database that was restored to a time after its last mark keeps objects that it can't know",
    () =>
      onBoth(Effect.gen(function*() {
        const { database, marked } = yield* started(Effect.gen(function*() {
          yield* add("before")
          yield* pass(26)
          yield* TestClock.adjust("20 minutes")
          yield* add("known")
          yield* formsCleared
          yield* TestClock.adjust("10 seconds")
          const database = yield* backUpDatabase
          const marked = (yield* storedObjects).get(mark)!
          for (let n = 0; n < 6; n++) yield* add(`new ${n}`)
          yield* formsCleared
          return { database, marked }
        }))
        // The process was killed: it left no other mark.
        const before = new Map([...yield* storedObjects, [mark, marked]])
        yield* restoreStorage(before)
        yield* database.restore
        yield* TestClock.adjust("5 days")
        yield* started(Effect.gen(function*() {
          yield* pass(72)
          assert.isUndefined(yield* reason)
          yield* nothingRemoved(before)
          yield* accept
          yield* pass(48)
          assert.sameMembers([...withoutMark(yield* storedObjects).values()], ["before", "known"])
        }))
      })),
    120_000
  )

  it.effect(
    "STO-148 a start notices a storage that is older by a moment",
    () =>
      onBoth(Effect.gen(function*() {
        yield* started(Effect.andThen(add("kept"), formsCleared))
        const before = yield* storedObjects
        yield* TestClock.adjust("1 second")
        yield* started(Effect.andThen(add("lost"), formsCleared))
        yield* restoreStorage(before)
        yield* TestClock.adjust("1 second")
        yield* started(Effect.gen(function*() {
          assert.include(yield* reason, "storage is older")
          yield* pass(72)
          yield* nothingRemoved(before)
        }))
      })),
    120_000
  )

  it.effect(
    "STO-144 a drive removes nothing from another drive's storage, nor with a new database from its own",
    () =>
      onBoth(Effect.gen(function*() {
        const empty = yield* started(backUpDatabase)
        yield* restoreStorage(new Map())
        yield* empty.restore
        yield* Effect.flatMap(Database, ({ sql, tables: t }) => sql`DELETE FROM ${t.storage_marks}`).pipe(Effect.orDie)
        const fresh = yield* backUpDatabase
        yield* started(Effect.gen(function*() {
          yield* add("of the first")
          yield* formsCleared
          yield* pass(30)
        }))
        const first = yield* backUpDatabase
        const before = yield* storedObjects
        const left = Effect.gen(function*() {
          yield* pass(72)
          assert.include(yield* reason, "do not belong together")
          yield* nothingRemoved(before)
        })
        // A new database beside a storage with a mark, twice; then beside one of an earlier release, without.
        yield* fresh.restore
        yield* started(left)
        yield* started(left)
        yield* fresh.restore
        yield* restoreStorage(withoutMark(before))
        yield* started(left)
        yield* started(left)
        // The drive whose storage it is goes on.
        yield* restoreStorage(before)
        yield* first.restore
        yield* started(Effect.gen(function*() {
          yield* pass(2)
          assert.isUndefined(yield* reason)
        }))
      })),
    120_000
  )

  it.effect(
    "STO-145 a drive of an earlier release goes on, and so do many starts at once and starts after the clock was set back",
    () =>
      onBoth(Effect.gen(function*() {
        yield* started(Effect.gen(function*() {
          yield* add("of before")
          yield* formsCleared
          yield* pass(26)
        }))
        // As an earlier release left it.
        yield* Effect.flatMap(Database, ({ sql, tables: t }) => sql`DELETE FROM ${t.storage_marks}`).pipe(Effect.orDie)
        const objects = new Map(withoutMark(yield* storedObjects))
        objects.set(`private ${StoreKey.make("files", me, "00000000-0001-7b02-a706-3b2422d13aff")}`, "an orphan")
        yield* restoreStorage(objects)
        yield* Effect.all(
          Array.from({ length: 8 }, () =>
            started(Effect.gen(function*() {
              assert.isUndefined(yield* reason)
              assert.isNull(yield* StorageMarks.use(({ compare }) => compare))
            }))),
          { concurrency: "unbounded" }
        )
        const time = yield* DateTime.now
        yield* started(Effect.gen(function*() {
          yield* pass(72)
          assert.isUndefined(yield* reason)
          assert.sameMembers([...withoutMark(yield* storedObjects).values()], ["of before"])
        }))
        yield* TestClock.setTime(time.epochMilliseconds)
        for (let n = 0; n < 3; n++) {
          yield* started(Effect.gen(function*() {
            yield* pass(2)
            assert.isUndefined(yield* reason)
          }))
        }
      })),
    120_000
  )
})
