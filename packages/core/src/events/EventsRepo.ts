/** The feed in SQL. The only module that reads or writes `events`. Every query names its owner. */
import { Context, Effect, Layer } from "effect"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import { jobsChannel } from "../jobs/JobSignals.ts"
import type { AccountId, EventId } from "../shared/Ids.ts"
import type { NewEvent } from "./DriveEvent.ts"
import type { EventStart } from "./EventCursor.ts"
import type { EventFilter, EventRange } from "./EventQuery.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** Rows that one call reads at most when it must also read rows that its filter drops: some 5 ms. */
const scanMaxCount = 20_000

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /**
   * Appends in the order given. The account's row is locked by the caller, so
   * the numbers it hands out become visible in their order; a clock that is
   * behind another server's does not take the feed back in time.
   *
   * Its place in the whole drive's feed is its transaction's number, but not before the account's last event: a transaction
   * has its number before it has the lock, so numbers alone would not be in the order of the account's feed.
   */
  const append = (
    accountId: AccountId,
    events: ReadonlyArray<NewEvent & { readonly id: EventId }>,
    now: Date
  ) =>
    sql`
      WITH taken AS (
        UPDATE ${t.accounts}
        SET event_seq = event_seq + ${events.length}::int, event_time = GREATEST(event_time, ${now}::timestamptz),
          event_order_no = GREATEST(event_order_no, coalesce((SELECT n.added FROM ${t.event_numbering} n), 0) + pg_current_xact_id()::text::bigint)
        WHERE id = ${accountId}
        RETURNING event_seq - ${events.length}::int AS before, event_time, event_order_no
      )
      INSERT INTO ${t.events}
        (account_id, seq, order_no, id, kind, time, folder_id, file_id, request_id, review_id, generation_id, payload)
      SELECT ${accountId}::uuid, taken.before + e.no, taken.event_order_no, e.id, e.kind, taken.event_time, e.folder_id, e.file_id,
        e.request_id, e.review_id, e.generation_id, e.payload
      FROM taken, unnest(
        ${Column.of(events.map(({ id }) => id))}::text::uuid[],
        ${Column.of(events.map(({ kind }) => kind))}::text::text[],
        ${Column.of(events.map(({ folderId }) => folderId ?? null))}::text::uuid[],
        ${Column.of(events.map(({ fileId }) => fileId ?? null))}::text::uuid[],
        ${Column.of(events.map(({ requestId }) => requestId ?? null))}::text::uuid[],
        ${Column.of(events.map(({ reviewId }) => reviewId ?? null))}::text::uuid[],
        ${Column.of(events.map(({ generationId }) => generationId ?? null))}::text::uuid[],
        ${Column.of(events.map(({ payload }) => JSON.stringify(payload)))}::text::jsonb[]
      ) WITH ORDINALITY AS e (id, kind, folder_id, file_id, request_id, review_id, generation_id, payload, no)
    `.pipe(Effect.asVoid, Effect.orDie)

  /**
   * Where a reading begins, and the last event there is. Both of one moment: whatever is committed later has a higher
   * number. A time is found by one lookup in the index `(account_id, time, seq)`; the smallest number of the times past it would
   * be searched along the numbers.
   */
  const beginStatement = (accountId: AccountId, start: EventStart) =>
    sql<EventRange>`
      SELECT a.event_seq::float8 AS "until",
        ${
      "after" in start
        ? sql`${start.after}::float8`
        : sql`coalesce((
            SELECT e.seq - 1 FROM ${t.events} e
            WHERE e.account_id = a.id AND e.time >= ${start.time}::timestamptz ORDER BY e.time, e.seq LIMIT 1
          ), a.event_seq)::float8`
    } AS "after"
      FROM ${t.accounts} a WHERE a.id = ${accountId}
    `

  const begin = (accountId: AccountId, start: EventStart) =>
    Effect.map(
      Effect.orDie(beginStatement(accountId, start)),
      ([range]) => range ?? { after: "after" in start ? start.after : 0, until: 0 }
    )

  /** The condition of a filter on an event's kind and one column, for which there is an index. */
  const about = ({ fileId, generationId, requestId, reviewId }: EventFilter) => [
    ...(fileId === undefined ? [] : [sql`e.kind = 'view' AND e.file_id = ${fileId}`]),
    ...(requestId === undefined ? [] : [sql`e.kind = 'drop' AND e.request_id = ${requestId}`]),
    ...(reviewId === undefined ? [] : [sql`e.kind = 'note' AND e.review_id = ${reviewId}`]),
    ...(generationId === undefined ? [] : [sql`e.kind = 'generation' AND e.generation_id = ${generationId}`])
  ]

  /** The filter's other conditions. The folders are found first and then looked up by their ids. */
  const besides = (accountId: AccountId, { foldedPath, kinds, withinFolder }: EventFilter) => [
    ...(kinds === undefined ? [] : [sql`e.kind = ANY(${kinds}::text[])`]),
    ...(foldedPath === null ? [] : [sql`e.folder_id IN (
      SELECT d.id FROM ${t.folders} d
      WHERE d.account_id = ${accountId}
        AND left(d.folded_path, 400) BETWEEN left(${foldedPath}, 400) AND left(${foldedPath} || '0', 400)
        AND (d.folded_path = ${foldedPath} OR starts_with(d.folded_path, ${foldedPath} || '/'))
    )`]),
    ...(withinFolder === null ? [] : [sql`e.folder_id IN (
      SELECT d.id FROM ${t.folders} top JOIN ${t.folders} d ON d.account_id = top.account_id
        AND left(d.folded_path, 400) BETWEEN left(top.folded_path, 400) AND left(top.folded_path || '0', 400)
        AND (d.id = top.id OR starts_with(d.folded_path, top.folded_path || '/'))
      WHERE top.id = ${withinFolder} AND top.account_id = ${accountId}
    )`])
  ]

  const inRange = (accountId: AccountId, { after, until }: EventRange) =>
    sql`e.account_id = ${accountId} AND e.seq > ${after}::bigint AND e.seq <= ${until}::bigint`

  /**
   * How much of a range one call may read. The numbers of an account have no gaps, so where every event is read
   * its end is computed; where an index finds the few whose folder or kind must be checked, its end is read there.
   */
  const reach = (accountId: AccountId, filter: EventFilter, range: EventRange) => {
    if (besides(accountId, filter).length === 0) return Effect.succeed(range)
    const indexed = about(filter)
    if (indexed.length === 0) {
      return Effect.succeed({ ...range, until: Math.min(range.until, range.after + scanMaxCount) })
    }
    return sql<{ readonly seq: number }>`
      SELECT e.seq::float8 AS seq FROM ${t.events} e
      WHERE ${sql.and([inRange(accountId, range), ...indexed])}
      ORDER BY e.seq OFFSET ${scanMaxCount - 1}::int LIMIT 1
    `.pipe(Effect.map(([last]) => ({ ...range, until: last?.seq ?? range.until })), Effect.orDie)
  }

  /** The first events of a range that pass the filter, oldest first: a walk along the primary key, or the index of what they are about. */
  const pageStatement = (accountId: AccountId, filter: EventFilter, range: EventRange, limit: number) =>
    sql<StoredEvent>`
      SELECT e.seq::float8 AS seq, e.id, e.kind, e.time, e.payload FROM ${t.events} e
      WHERE ${sql.and([inRange(accountId, range), ...about(filter), ...besides(accountId, filter)])}
      ORDER BY e.seq LIMIT ${limit}::int
    `

  const page = (...asked: Parameters<typeof pageStatement>) => Effect.orDie(pageStatement(...asked))

  /** Tells other processes, on the channel of jobs. */
  const notify = (payload: string) => sql`SELECT pg_notify(${jobsChannel}, ${payload})::text`

  return { append, begin, beginStatement, reach, page, pageStatement, notify }
})

export class EventsRepo extends Context.Service<EventsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/events/EventsRepo"
) {
  static readonly layer = Layer.effect(EventsRepo, make)
}
