/** The feed in SQL. The only module that reads or writes `events`. Every query names its owner. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId, EventId } from "../shared/Ids.ts"
import type { NewEvent } from "./DriveEvent.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /**
   * Appends in the order given. The account's row is locked by the caller, so
   * the numbers it hands out become visible in their order; a clock that is
   * behind another server's does not take the feed back in time.
   */
  const append = (
    accountId: AccountId,
    events: ReadonlyArray<NewEvent & { readonly id: EventId }>,
    now: Date
  ) =>
    sql`
      WITH taken AS (
        UPDATE ${t.accounts}
        SET event_seq = event_seq + ${events.length}::int, event_time = GREATEST(event_time, ${now}::timestamptz)
        WHERE id = ${accountId}
        RETURNING event_seq - ${events.length}::int AS before, event_time
      )
      INSERT INTO ${t.events}
        (account_id, seq, id, kind, time, folder_id, file_id, request_id, review_id, generation_id, payload)
      SELECT ${accountId}::uuid, taken.before + e.no, e.id, e.kind, taken.event_time, e.folder_id, e.file_id,
        e.request_id, e.review_id, e.generation_id, e.payload
      FROM taken, jsonb_to_recordset(${JSON.stringify(rows(events))}::text::jsonb) AS e
        (no int, id uuid, kind text, folder_id uuid, file_id uuid, request_id uuid, review_id uuid, generation_id uuid,
          payload jsonb)
    `.pipe(Effect.asVoid, Effect.orDie)

  return { append }
})

/** As one JSON text: a list of lists would be a parameter for each column, and the driver sends no list of nulls alone. */
const rows = (events: ReadonlyArray<NewEvent & { readonly id: EventId }>) =>
  events.map((event, index) => ({
    no: index + 1,
    id: event.id,
    kind: event.kind,
    folder_id: event.folderId,
    file_id: event.fileId,
    request_id: event.requestId,
    review_id: event.reviewId,
    generation_id: event.generationId,
    payload: event.payload
  }))

export class EventsRepo extends Context.Service<EventsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/events/EventsRepo"
) {
  static readonly layer = Layer.effect(EventsRepo, make)
}
