/** The whole drive's feed in SQL: the only statements that read events of all accounts. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { DrivePosition } from "./DriveCursor.ts"
import type { DriveStoredEvent } from "./StoredEvent.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /**
   * Of the statement's own snapshot: every transaction with a lower number has ended, and the statement sees what it
   * appended. An event has at least the number of its transaction, so none will come below. From this number on
   * transactions may be running whose events nobody sees yet.
   */
  const horizon =
    sql`(SELECT coalesce((SELECT n.added FROM ${t.event_numbering} n), 0) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`

  /** A number below which no event will come. It never decreases. */
  const settled = sql<{ readonly no: number }>`SELECT ${horizon}::float8 AS no`.pipe(
    Effect.map(([row]) => row?.no ?? 0),
    Effect.orDie
  )

  const isPast = ({ accountId, seq, orderNo }: DrivePosition) =>
    sql`(e.order_no, e.account_id, e.seq) > (${orderNo}::bigint, ${accountId}::uuid, ${seq}::bigint)`

  const pageStatement = (after: DrivePosition, limit: number) =>
    sql<DriveStoredEvent>`
      SELECT e.order_no::float8 AS "orderNo", e.account_id AS "accountId", e.seq::float8 AS seq, e.id, e.kind,
        e.time, e.payload
      FROM ${t.events} e
      WHERE ${isPast(after)} AND e.order_no < ${horizon}
      ORDER BY e.order_no, e.account_id, e.seq LIMIT ${limit}::int
    `

  /** The first events after a position, of transactions before which none is still running. */
  const page = (...asked: Parameters<typeof pageStatement>) => Effect.orDie(pageStatement(...asked))

  /** Whether there are committed events after a position, also those that must wait for an earlier transaction. */
  const hasMore = (after: DrivePosition) =>
    sql<{ readonly found: boolean }>`
      SELECT EXISTS (SELECT 1 FROM ${t.events} e WHERE ${isPast(after)}) AS found
    `.pipe(Effect.map(([row]) => row?.found ?? false), Effect.orDie)

  return { settled, page, pageStatement, hasMore }
})

export class DriveEventsRepo extends Context.Service<DriveEventsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/events/DriveEventsRepo"
) {
  static readonly layer = Layer.effect(DriveEventsRepo, make)
}
