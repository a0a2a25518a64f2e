/** Files without bytes, as many as it takes. */
import { DateTime, Effect } from "effect"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { Database } from "../src/database/Database.ts"
import type { FileType } from "../src/shared/FileType.ts"
import type { AccountId, FileId, FolderId } from "../src/shared/Ids.ts"

/** Records `count` empty files that the search is not told of; their ids, in order. */
export const addManyFiles = Effect.fnUntraced(
  function*(accountId: AccountId, count: number, { folderId = null, type = "Text" }: {
    readonly folderId?: FolderId | null
    readonly type?: FileType
  } = {}) {
    const { sql, tables: t } = yield* Database
    const transaction = yield* AccountTransaction
    const now = DateTime.toDateUtc(yield* DateTime.now)
    const rows = yield* transaction.run(accountId, () =>
      Effect.gen(function*() {
        if (folderId !== null) {
          yield* sql`UPDATE ${t.folders} SET file_count = file_count + ${count}::int WHERE id = ${folderId}`
        }
        return yield* sql<{ readonly id: FileId }>`
          INSERT INTO ${t.files} (id, account_id, folder_id, type, file_name, mime_type, size, object_key, store_key,
            etag, insert_time)
          SELECT id, ${accountId}, ${folderId}, ${type}, 'many', 'text/plain', 0, id::text, id::text, '', ${now}
          FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, ${count}::int)) fresh RETURNING id
        `
      }))
    return rows.map(({ id }) => id).sort()
  }
)
