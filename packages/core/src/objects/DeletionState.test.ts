/** The life of a pending deletion, and that the statements on its row are the same. */
import { assert, describe, it, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect, Option } from "effect"
import * as fc from "fast-check"
import { layer, newAccount } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import { type AccountId, FileId } from "../shared/Ids.ts"
import { DeletionEvent, DeletionState, isBeingRemoved, next } from "./DeletionState.ts"
import { PendingDeletionsRepo } from "./PendingDeletionsRepo.ts"

const start = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const at = (minutes: number) => DateTime.add(start, { minutes })
const fileId = FileId.make("019845e1-682f-7b02-a707-000000000001")

const pending = { dueTime: at(10), isReused: false, againTime: null, fileId: null }
const states = {
  absent: DeletionState.Absent(),
  listed: DeletionState.Listed(pending),
  taken: DeletionState.Taken({ ...pending, takenUntil: null }),
  reusedListed: DeletionState.Listed({ ...pending, isReused: true, againTime: at(70), fileId }),
  reusedTaken: DeletionState.Taken({ ...pending, isReused: true, againTime: at(70), fileId, takenUntil: at(11) }),
  // By a process whose clock was hours ahead.
  reusedTakenAhead: DeletionState.Taken({ ...pending, isReused: true, againTime: at(70), fileId, takenUntil: at(130) })
}
const { absent, listed, reusedListed, reusedTaken, reusedTakenAhead, taken } = states

const events = {
  scheduled: DeletionEvent.Scheduled({ dueTime: at(5), isReused: false, fileId: null }),
  reserved: DeletionEvent.Reserved({ dueTime: at(60), isReused: false }),
  cancelled: DeletionEvent.Cancelled(),
  expedited: DeletionEvent.Expedited({ dueTime: at(1) }),
  takenEarly: DeletionEvent.Taken({ now: at(9) }),
  takenDue: DeletionEvent.Taken({ now: at(10) }),
  takenLater: DeletionEvent.Taken({ now: at(11) }),
  confirmed: DeletionEvent.Confirmed(),
  released: DeletionEvent.Released()
}

const refused = null
const table: Record<keyof typeof states, Record<keyof typeof events, DeletionState | typeof refused>> = {
  absent: {
    scheduled: DeletionState.Listed({ ...pending, dueTime: at(5) }),
    reserved: DeletionState.Listed({ ...pending, dueTime: at(60) }),
    cancelled: refused,
    expedited: absent,
    takenEarly: refused,
    takenDue: refused,
    takenLater: refused,
    confirmed: absent,
    released: absent
  },
  listed: {
    scheduled: { ...listed, dueTime: at(5) },
    reserved: { ...listed, dueTime: at(60) },
    cancelled: absent,
    expedited: listed,
    takenEarly: refused,
    takenDue: taken,
    takenLater: taken,
    confirmed: absent,
    released: listed
  },
  taken: {
    scheduled: { ...taken, dueTime: at(5) },
    reserved: refused,
    cancelled: refused,
    expedited: taken,
    takenEarly: refused,
    takenDue: taken,
    takenLater: taken,
    confirmed: absent,
    released: taken
  },
  reusedListed: {
    scheduled: { ...reusedListed, dueTime: at(5) },
    reserved: { ...reusedListed, dueTime: at(60) },
    cancelled: absent,
    expedited: { ...reusedListed, dueTime: at(1) },
    takenEarly: refused,
    takenDue: reusedTaken,
    takenLater: { ...reusedTaken, takenUntil: at(12) },
    confirmed: DeletionState.Listed({ ...pending, isReused: true, dueTime: at(70) }),
    released: reusedListed
  },
  reusedTaken: {
    scheduled: { ...reusedTaken, dueTime: at(5) },
    reserved: refused,
    cancelled: refused,
    expedited: { ...reusedTaken, dueTime: at(1) },
    takenEarly: refused,
    takenDue: refused,
    takenLater: { ...reusedTaken, takenUntil: at(12) },
    confirmed: DeletionState.Listed({ ...pending, isReused: true, dueTime: at(70) }),
    released: { ...reusedTaken, takenUntil: null }
  },
  reusedTakenAhead: {
    scheduled: { ...reusedTakenAhead, dueTime: at(5) },
    reserved: refused,
    cancelled: refused,
    expedited: { ...reusedTakenAhead, dueTime: at(1) },
    takenEarly: refused,
    takenDue: reusedTaken,
    takenLater: { ...reusedTaken, takenUntil: at(12) },
    confirmed: DeletionState.Listed({ ...pending, isReused: true, dueTime: at(70) }),
    released: { ...reusedTaken, takenUntil: null }
  }
}

const cells = (Object.keys(states) as Array<keyof typeof states>).flatMap((from) =>
  (Object.keys(events) as Array<keyof typeof events>).map((by) => ({ from, by, to: table[from][by] }))
)

describe("DeletionState", () => {
  it.each(cells)("TR-13 $from × $by", ({ by, from, to }) => {
    assert.deepStrictEqual(Option.getOrNull(next(states[from], events[by])), to)
  })

  it("TR-13 scheduled again, a reused key is removed once more after the later time, and one that was not becomes one", () => {
    const again = DeletionEvent.Scheduled({ dueTime: at(20), isReused: true, fileId: null })
    assert.deepInclude(Option.getOrNull(next(reusedTaken, again)), { dueTime: at(10), againTime: at(80), fileId })
    assert.deepInclude(Option.getOrNull(next(listed, again)), { isReused: true, againTime: at(80) })
  })
})

interface Row {
  readonly dueTime: Date
  readonly isReused: boolean
  readonly againTime: Date | null
  readonly fileId: FileId | null
  readonly taken: boolean
  readonly takenUntil: Date | null
}

const utc = (date: Date | null) => date === null ? null : DateTime.fromDateUnsafe(date)

const minutes = fc.integer({ min: 0, max: 200 }).map(at)
const anyEvent: fc.Arbitrary<DeletionEvent> = fc.oneof(
  fc.record({ dueTime: minutes, isReused: fc.boolean(), fileId: fc.constantFrom(null, fileId) }).map(
    DeletionEvent.Scheduled
  ),
  fc.record({ dueTime: minutes, isReused: fc.boolean() }).map(DeletionEvent.Reserved),
  fc.constant(DeletionEvent.Cancelled()),
  fc.record({ dueTime: minutes }).map(DeletionEvent.Expedited),
  fc.record({ now: minutes }).map(DeletionEvent.Taken),
  fc.record({ now: minutes }).map(DeletionEvent.Taken),
  fc.constant(DeletionEvent.Confirmed()),
  fc.constant(DeletionEvent.Released())
)

const key = { bucket: "private" as const, storeKey: "files/x", storageId: "" }

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Rows of pending deletions", (it) => {
  const stateOf = Effect.fnUntraced(function*(account: AccountId) {
    const { sql, tables: t } = yield* Database
    const [row] = yield* sql<Row>`
      SELECT due_time AS "dueTime", is_reused AS "isReused", again_time AS "againTime", file_id AS "fileId", taken,
        taken_until AS "takenUntil"
      FROM ${t.pending_deletions} WHERE account_id = ${account}
    `
    if (row === undefined) return absent
    const { againTime, dueTime, fileId, isReused } = row
    const common = { dueTime: utc(dueTime)!, isReused, againTime: utc(againTime), fileId }
    return row.taken
      ? DeletionState.Taken({ ...common, takenUntil: utc(row.takenUntil) })
      : DeletionState.Listed(common)
  })

  /** Whether the statement of an event took effect. `isOdd` chooses among statements of the same event. */
  const runSql = Effect.fnUntraced(function*(account: AccountId, event: DeletionEvent, isOdd: boolean) {
    const repo = yield* PendingDeletionsRepo
    switch (event._tag) {
      case "Scheduled": {
        const { fileId, isReused } = event
        yield* repo.insert(account, [{ ...key, isReused, ...(fileId === null ? {} : { fileId }) }], event.dueTime)
        return true
      }
      case "Reserved":
        return yield* repo.reserve(account, { ...key, isReused: event.isReused }, event.dueTime)
      case "Cancelled": {
        if (isOdd) return (yield* repo.remove(account, [key])).length > 0
        const before = yield* stateOf(account)
        const kept = yield* repo.adopt(account, [key])
        assert.strictEqual(kept.length, before._tag === "Taken" ? 1 : 0)
        return before._tag === "Listed"
      }
      case "Expedited":
        yield* repo.expedite(account, [fileId], event.dueTime)
        return true
      case "Taken": {
        const first = { bucket: "private" as const, storeKey: "", storageId: "" }
        const rows = isOdd
          ? yield* repo.take(account, [key], event.now)
          : yield* repo.takeNext(account, first, event.now, 10)
        return rows.length === 1
      }
      case "Confirmed":
        yield* repo.forget(account, [key])
        return true
      case "Released":
        yield* repo.release(account, [key])
        return true
    }
  })

  it.effect("TR-13 the statements make of a row what the states' table says", () =>
    Effect.gen(function*() {
      const repo = yield* PendingDeletionsRepo
      for (const sequence of fc.sample(fc.array(anyEvent, { minLength: 5, maxLength: 25 }), { numRuns: 60, seed: 7 })) {
        const account = yield* newAccount
        let state: DeletionState = absent
        for (const [i, event] of sequence.entries()) {
          const expected = next(state, event)
          const where = `${i}: ${JSON.stringify(sequence)}`
          assert.strictEqual(yield* runSql(account, event, i % 2 === 1), Option.isSome(expected), where)
          state = Option.getOrElse(expected, () => state)
          assert.deepStrictEqual(yield* stateOf(account), state, where)
          const now = at(100)
          assert.strictEqual(yield* repo.isTaken(account, [key], now), isBeingRemoved(state, now), where)
        }
        // One key is one account's, and the next sequence begins without it.
        const { sql, tables: t } = yield* Database
        yield* sql`DELETE FROM ${t.pending_deletions} WHERE account_id = ${account}`
      }
    }).pipe(Effect.provide(PendingDeletionsRepo.layer)))
})
