/** The mark of storage in the database, in SQL. The only module that reads or writes `storage_marks` and `storage_gaps`. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"
import { PendingDeletionsRepo } from "./PendingDeletionsRepo.ts"
import type { DatabaseMark, Gap, StorageMark } from "./StorageMark.ts"

interface MarkRow {
  readonly epoch: string
  readonly time: Date
  readonly storedTime: Date | null
  readonly heldTime: Date | null
}

const utc = (date: Date | null) => date === null ? null : DateTime.fromDateUnsafe(date)

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const deletions = yield* PendingDeletionsRepo

  const find = sql<MarkRow>`
    SELECT epoch, time, stored_time AS "storedTime", held_time AS "heldTime" FROM ${t.storage_marks}
  `.pipe(
    Effect.map(([row]): DatabaseMark | null =>
      row === undefined ? null : {
        epoch: row.epoch,
        time: DateTime.fromDateUnsafe(row.time),
        storedTime: utc(row.storedTime),
        heldTime: utc(row.heldTime)
      }
    ),
    Effect.orDie
  )

  /** Whether the database has had no user yet. */
  const isNew = sql`SELECT 1 FROM ${t.accounts} LIMIT 1`.pipe(Effect.map((rows) => rows.length === 0), Effect.orDie)

  const marked = (rows: ReadonlyArray<Pick<MarkRow, "epoch" | "time">>): StorageMark | null =>
    rows[0] === undefined ? null : { epoch: rows[0].epoch, time: DateTime.fromDateUnsafe(rows[0].time) }

  /**
   * Sets a later time, whatever the clock says. `epoch` is for a database without a mark. Null while removals are held, unless
   * `isAccepted`.
   */
  const advance = (epoch: string, now: DateTime.Utc, isAccepted: boolean) =>
    sql<Pick<MarkRow, "epoch" | "time">>`
      INSERT INTO ${t.storage_marks} AS m (id, epoch, time) VALUES (1, ${epoch}::uuid, ${DateTime.toDateUtc(now)})
      ON CONFLICT (id) DO UPDATE SET time = GREATEST(m.time + interval '1 millisecond', EXCLUDED.time)
      WHERE m.held_time IS NULL OR ${isAccepted}::boolean
      RETURNING epoch, time
    `.pipe(Effect.map(marked), Effect.orDie)

  /** Storage was given this mark. Returns the last time that it was given, by any server. */
  const confirm = ({ time }: StorageMark) =>
    sql<{ readonly storedTime: Date }>`
      UPDATE ${t.storage_marks} SET stored_time = GREATEST(stored_time, ${DateTime.toDateUtc(time)})
      RETURNING stored_time AS "storedTime"
    `.pipe(
      Effect.map(([row]) => row === undefined ? time : DateTime.fromDateUnsafe(row.storedTime)),
      Effect.orDie
    )

  /** Holds removals from `now` on, and all that are pending, unless they are held already. Returns since when. */
  const hold = (epoch: string, now: DateTime.Utc) =>
    Effect.gen(function*() {
      const time = DateTime.toDateUtc(now)
      yield* deletions.holdAfter(sql`
        INSERT INTO ${t.storage_marks} AS m (id, epoch, time, stored_time, held_time)
        VALUES (1, ${epoch}::uuid, ${time}, ${time}, ${time})
        ON CONFLICT (id) DO UPDATE SET held_time = EXCLUDED.held_time WHERE m.held_time IS NULL
        RETURNING 1
      `)
      return (yield* find)?.heldTime ?? now
    })

  /** Lets removals go on. Returns the accounts that have some which were held. */
  const release: Effect.Effect<ReadonlyArray<AccountId>> = deletions.releaseAfter(
    sql`UPDATE ${t.storage_marks} SET held_time = NULL WHERE held_time IS NOT NULL RETURNING 1`
  )

  const gaps = sql<{ readonly from: Date; readonly to: Date }>`
    SELECT from_time AS "from", to_time AS "to" FROM ${t.storage_gaps}
  `.pipe(
    Effect.map((rows) =>
      rows.map(({ from, to }): Gap => ({ from: DateTime.fromDateUnsafe(from), to: DateTime.fromDateUnsafe(to) }))
    ),
    Effect.orDie
  )

  /** Adds a gap, as one with those that it touches. */
  const addGap = (gap: Gap) => {
    const [from, to] = [DateTime.toDateUtc(gap.from), DateTime.toDateUtc(gap.to)]
    return sql`
      WITH touched AS (
        DELETE FROM ${t.storage_gaps} WHERE to_time >= ${from} AND from_time <= ${to} RETURNING from_time, to_time
      )
      INSERT INTO ${t.storage_gaps} (from_time, to_time)
      SELECT LEAST(${from}::timestamptz, min(from_time)), GREATEST(${to}::timestamptz, max(to_time)) FROM touched
    `.pipe(Effect.asVoid, Effect.orDie)
  }

  const forgetGaps = sql`DELETE FROM ${t.storage_gaps}`.pipe(Effect.asVoid, Effect.orDie)

  return { find, isNew, advance, confirm, hold, release, gaps, addGap, forgetGaps }
})

export class StorageMarksRepo extends Context.Service<StorageMarksRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/objects/StorageMarksRepo"
) {
  static readonly layerNoDeps = Layer.effect(StorageMarksRepo, make)
}
