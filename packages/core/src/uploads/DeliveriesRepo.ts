/** What senders have open, in SQL: reads the forms and uploads of file requests. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId, DropId, RequestId, UploadId } from "../shared/Ids.ts"
import type { OpenDelivery } from "./Delivery.ts"
import type { StoredForm } from "./Form.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /** What each drop of the requests has open; those that have nothing open are left out. */
  const open = (accountId: AccountId, requestIds: ReadonlyArray<RequestId>) =>
    sql<OpenDelivery>`
      SELECT o.request_id AS "requestId", o.drop_id AS "dropId", sum(o.forms)::int AS forms, sum(o.uploads)::int AS uploads,
        sum(o.held)::float8 AS "heldBytes"
      FROM (
        SELECT f.request_id, f.drop_id, 1 AS forms, 0 AS uploads, f.size AS held FROM ${t.upload_forms} f
        WHERE f.account_id = ${accountId} AND f.request_id = ANY(${requestIds}::uuid[]) AND f.state = 'open'
        UNION ALL
        SELECT u.request_id, u.drop_id, 0, 1, u.held FROM ${t.uploads} u
        WHERE u.account_id = ${accountId} AND u.request_id = ANY(${requestIds}::uuid[])
          AND u.state IN ('open', 'complete') AND u.file_id IS NULL
      ) o GROUP BY o.request_id, o.drop_id
    `.pipe(Effect.orDie)

  /** The open forms of a request, or of one of its drops. */
  const forms = (accountId: AccountId, requestId: RequestId, dropId: DropId | null) =>
    sql<StoredForm>`
      SELECT f.id, f.account_id AS "accountId", f.store_key AS "storeKey", f.size::float8 AS "sizeBytes"
      FROM ${t.upload_forms} f
      WHERE f.account_id = ${accountId} AND f.request_id = ${requestId} AND f.state = 'open'
        AND (${dropId}::uuid IS NULL OR f.drop_id = ${dropId}::uuid)
    `.pipe(Effect.orDie)

  /** The uploads of a request, or of one of its drops, that are not files yet. */
  const uploads = (accountId: AccountId, requestId: RequestId, dropId: DropId | null) =>
    sql<{ readonly id: UploadId }>`
      SELECT u.id FROM ${t.uploads} u
      WHERE u.account_id = ${accountId} AND u.request_id = ${requestId} AND u.state IN ('open', 'complete')
        AND u.file_id IS NULL AND (${dropId}::uuid IS NULL OR u.drop_id = ${dropId}::uuid)
      ORDER BY u.id
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  return { open, forms, uploads }
})

export class DeliveriesRepo extends Context.Service<DeliveriesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/uploads/DeliveriesRepo"
) {
  static readonly layer = Layer.effect(DeliveriesRepo, make)
}
