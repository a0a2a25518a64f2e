/** Media facts of files in SQL. The only module that writes `file_media`. */
import { Context, Effect, Layer } from "effect"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import * as MediaColumns from "../facts/MediaColumns.ts"
import type { FactValues } from "../facts/MediaFact.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { FileFacts } from "./FileFacts.ts"

type Value = FactValues[keyof FactValues]

const written = (value: Value) =>
  value !== null && typeof value === "object" && !(value instanceof Date) ? Column.of(value) : value

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const columns = sql.literal(MediaColumns.list)
  const columnsOfRows = sql.literal(MediaColumns.ofElements("m"))
  const replaced = sql.literal(MediaColumns.columns.map(({ column }) => `${column} = excluded.${column}`).join(", "))

  /** These facts as rows `m`, their columns by name. Lists are texts until they are read by {@link columnsOfRows}. */
  const rows = (facts: ReadonlyArray<FileFacts>) => {
    const values = MediaColumns.columns.map((column) =>
      sql`${Column.of(facts.map((one) => written(one[column.name])))}::text::${
        sql.literal(MediaColumns.elementType(column))
      }[]`
    )
    return sql`unnest(${Column.of(facts.map(({ fileId }) => fileId))}::text::uuid[], ${sql.csv(values)})
      AS m (file_id, ${columns})`
  }

  /** Of new files of the account. */
  const insert = (accountId: AccountId, facts: ReadonlyArray<FileFacts>) =>
    sql`
      INSERT INTO ${t.file_media} (account_id, file_id, ${columns})
      SELECT ${accountId}::uuid, m.file_id, ${columnsOfRows} FROM ${rows(facts)}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** In place of what was known before. Other accounts' files are left alone. */
  const replace = (accountId: AccountId, facts: ReadonlyArray<FileFacts>) =>
    sql`
      INSERT INTO ${t.file_media} (account_id, file_id, ${columns})
      SELECT f.account_id, f.id, ${columnsOfRows}
      FROM ${rows(facts)} JOIN ${t.files} f ON f.id = m.file_id AND f.account_id = ${accountId}
      ON CONFLICT (file_id) DO UPDATE SET ${replaced}
    `.pipe(Effect.asVoid, Effect.orDie)

  return { insert, replace }
})

export class MediaFactsRepo extends Context.Service<MediaFactsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/MediaFactsRepo"
) {
  static readonly layer = Layer.effect(MediaFactsRepo, make)
}
