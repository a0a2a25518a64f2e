/** The images that lists are shown by, in SQL. */
import { Context, Effect, Layer } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId, ListId } from "../shared/Ids.ts"
import type { CoverFile } from "./CoverFile.ts"

const shownByBrowsers = [
  "image/jpeg",
  "image/png",
  "image/apng",
  "image/webp",
  "image/gif",
  "image/avif",
  "image/svg+xml"
]

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const columns = sql.literal(`
    l.id AS "listId", f.id, COALESCE(p.file_name, f.file_name) AS "fileName",
    COALESCE(p.mime_type, f.mime_type) AS "mimeType", f.is_public AS "isPublic",
    COALESCE(p.store_key, f.store_key) AS "storeKey", f.trash_time AS "trashTime"
  `)
  // An image of a kind that browsers don't show is shown by its thumbnail, which is as public as the image.
  const from = sql`
    ${t.lists} l JOIN ${t.files} f ON f.id = l.cover_id AND f.account_id = l.account_id
    LEFT JOIN ${t.files} p ON p.derivative_of = f.id AND p.derivative_kind IS NULL AND p.account_id = f.account_id
      AND NOT ${sql.in("f.mime_type", shownByBrowsers)}
  `

  /** Those of some of an account's lists that a call with these limits sees. */
  const own = (accountId: AccountId, limits: Limits, listIds: ReadonlyArray<ListId>) =>
    sql<CoverFile>`
      SELECT ${columns} FROM ${from}
      WHERE l.account_id = ${accountId} AND l.id = ANY(${listIds}::uuid[])
        AND f.trash_time IS NULL AND ${StoredFileSql.within(database, limits)}
    `.pipe(Effect.orDie)

  /** That of a list of any account, if anyone may see it. */
  const open = (listId: ListId) =>
    sql<CoverFile>`
      SELECT ${columns} FROM ${from} WHERE l.id = ${listId} AND f.trash_time IS NULL AND f.is_public
    `.pipe(Effect.orDie)

  return { own, open }
})

export class ListCoversRepo extends Context.Service<ListCoversRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/organize/ListCoversRepo"
) {
  static readonly layer = Layer.effect(ListCoversRepo, make)
}
