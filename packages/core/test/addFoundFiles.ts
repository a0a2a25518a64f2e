/** Files without bytes, as a search finds them. */
import { DateTime, Effect } from "effect"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { Catalog } from "../src/catalog/Catalog.ts"
import { Database } from "../src/database/Database.ts"
import type { AccountId, FileId, FolderId } from "../src/shared/Ids.ts"

let made = 0

/** Records `count` files that the search is told of, each a second newer than the one before; their ids, in order. */
export const addFoundFiles = Effect.fnUntraced(
  function*(accountId: AccountId, count: number, folderId: FolderId | null = null) {
    const { sql, tables: t } = yield* Database
    const catalog = yield* Catalog
    const start = DateTime.toDateUtc(yield* DateTime.now)
    const name = `add ${made++} `
    return yield* (yield* AccountTransaction).run(accountId, () =>
      Effect.gen(function*() {
        const rows = yield* sql<{ readonly id: FileId }>`
        INSERT INTO ${t.files} (id, account_id, folder_id, type, file_name, mime_type, size, object_key, store_key, etag,
          insert_time)
        SELECT gen_random_uuid(), ${accountId}, ${folderId}, 'Text', 'all ' || n, 'text/plain', n, ${name}::text || n,
          ${`${accountId} ${name} `}::text || n, '', ${start}::timestamptz + make_interval(secs => n)
        FROM generate_series(1, ${count}::int) n ORDER BY n RETURNING id
      `
        const ids = rows.map(({ id }) => id)
        yield* catalog.onAdded(accountId, ids)
        return ids
      }))
  }
)
