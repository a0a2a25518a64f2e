/** Tags of files that are just recorded, many at a time, in SQL. With {@link "./TagsRepo.ts"} the only module that writes them. */
import { Context, DateTime, Effect, Layer } from "effect"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId, TagId } from "../shared/Ids.ts"
import type { NumberedTag, Spelling } from "./Tag.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /** The account's tags of these texts, made where they are missing; by folded text. */
  const ensure = (
    accountId: AccountId,
    tags: ReadonlyArray<Spelling & { readonly id: TagId }>,
    now: DateTime.Utc
  ) =>
    sql<NumberedTag & { readonly folded: string }>`
      WITH made AS (
        INSERT INTO ${t.tags} (id, account_id, text, folded, insert_time)
        SELECT g.id, ${accountId}::uuid, g.text, g.folded, ${DateTime.toDateUtc(now)}::timestamptz
        FROM unnest(${tags.map(({ id }) => id)}::uuid[], ${tags.map(({ text }) => text)}::text[],
          ${tags.map(({ folded }) => folded)}::text[]) AS g (id, text, folded)
        ON CONFLICT (account_id, folded) DO NOTHING
        RETURNING id, no::text AS no, text, folded
      )
      SELECT id, no, text, folded FROM made
      UNION ALL
      SELECT id, no::text, text, folded FROM ${t.tags}
      WHERE account_id = ${accountId} AND folded = ANY(${tags.map(({ folded }) => folded)}::text[])
    `.pipe(
      Effect.map((rows): ReadonlyMap<string, NumberedTag> => new Map(rows.map((row) => [row.folded, row]))),
      Effect.orDie
    )

  /** Puts each tag on the file beside it, which carries none of them yet and is in view, and counts it. */
  const attach = (accountId: AccountId, fileIds: ReadonlyArray<FileId>, tagIds: ReadonlyArray<TagId>) => {
    const counts = new Map<TagId, number>()
    for (const id of tagIds) counts.set(id, (counts.get(id) ?? 0) + 1)
    return sql`
      WITH attached AS (
        INSERT INTO ${t.file_tags} (file_id, tag_id)
        SELECT * FROM unnest(${Column.of(fileIds)}::text::uuid[], ${Column.of(tagIds)}::text::uuid[])
      )
      UPDATE ${t.tags} AS g SET file_count = g.file_count + c.files
      FROM unnest(${Column.of([...counts.keys()])}::text::uuid[], ${Column.of([...counts.values()])}::text::int[])
        AS c (id, files)
      WHERE g.id = c.id AND g.account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)
  }

  return { ensure, attach }
})

export class TagBatchesRepo extends Context.Service<TagBatchesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/organize/TagBatchesRepo"
) {
  static readonly layer = Layer.effect(TagBatchesRepo, make)
}
