/** Tags of files that are just recorded, many at a time, in SQL. With {@link "./TagsRepo.ts"} the only module that writes them. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId, TagId } from "../shared/Ids.ts"
import type { TagText } from "./Tag.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /** The account's tags of these texts, made where they are missing; ids by folded text. */
  const ensure = (
    accountId: AccountId,
    tags: ReadonlyArray<TagText & { readonly id: TagId }>,
    now: DateTime.Utc
  ) =>
    sql<{ readonly id: TagId; readonly folded: string }>`
      WITH made AS (
        INSERT INTO ${t.tags} (id, account_id, text, folded, insert_time)
        SELECT g.id, ${accountId}::uuid, g.text, g.folded, ${DateTime.toDateUtc(now)}::timestamptz
        FROM unnest(${tags.map(({ id }) => id)}::uuid[], ${tags.map(({ text }) => text)}::text[],
          ${tags.map(({ folded }) => folded)}::text[]) AS g (id, text, folded)
        ON CONFLICT (account_id, folded) DO NOTHING
        RETURNING id, folded
      )
      SELECT id, folded FROM made
      UNION ALL
      SELECT id, folded FROM ${t.tags}
      WHERE account_id = ${accountId} AND folded = ANY(${tags.map(({ folded }) => folded)}::text[])
    `.pipe(
      Effect.map((rows): ReadonlyMap<string, TagId> => new Map(rows.map(({ folded, id }) => [folded, id]))),
      Effect.orDie
    )

  /** Puts each tag on the file beside it, which carries none of them yet and is in view, and counts it. */
  const attach = (accountId: AccountId, fileIds: ReadonlyArray<FileId>, tagIds: ReadonlyArray<TagId>) =>
    sql`
      WITH attached AS (
        INSERT INTO ${t.file_tags} (file_id, tag_id) SELECT * FROM unnest(${fileIds}::uuid[], ${tagIds}::uuid[])
        RETURNING tag_id
      )
      UPDATE ${t.tags} AS g SET file_count = g.file_count + c.files
      FROM (SELECT tag_id, count(*)::int AS files FROM attached GROUP BY tag_id) c
      WHERE g.id = c.tag_id AND g.account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  return { ensure, attach }
})

export class TagBatchesRepo extends Context.Service<TagBatchesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/organize/TagBatchesRepo"
) {
  static readonly layer = Layer.effect(TagBatchesRepo, make)
}
