/** Folders in SQL. The only module that writes `folders`. Every query names its owner. */
import { Context, Effect, Layer, Option } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId, FolderId } from "../shared/Ids.ts"

export interface Folder {
  readonly id: FolderId
  /** In the spelling its names were first given. */
  readonly path: string
}

export interface NewFolder extends Folder {
  readonly accountId: AccountId
  readonly parentId: FolderId | null
  readonly name: string
  readonly foldedName: string
  readonly foldedPath: string
  readonly depth: number
  readonly insertTime: Date
}

export class FoldersRepo extends Context.Service<FoldersRepo, {
  readonly find: (accountId: AccountId, id: FolderId) => Effect.Effect<Option.Option<Folder>>
  /** The folders among these folded paths that exist, by folded path. */
  readonly findByPath: (
    accountId: AccountId,
    foldedPaths: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, Folder>>
  readonly insert: (folder: NewFolder) => Effect.Effect<void>
}>()("@filedrive/core/organize/FoldersRepo") {
  static readonly layer = Layer.effect(
    FoldersRepo,
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database

      const find = Effect.fnUntraced(function*(accountId: AccountId, id: FolderId) {
        const rows = yield* sql<Folder>`
          SELECT id, path FROM ${t.folders} WHERE account_id = ${accountId} AND id = ${id}
        `
        return Option.fromNullishOr(rows[0])
      }, Effect.orDie)

      const findByPath = Effect.fnUntraced(function*(accountId: AccountId, foldedPaths: ReadonlyArray<string>) {
        const rows = yield* sql<Folder & { readonly folded: string }>`
          SELECT id, path, folded_path AS folded FROM ${t.folders}
          WHERE account_id = ${accountId} AND folded_path = ANY(${foldedPaths}::text[])
            -- The index holds only the beginning.
            AND left(folded_path, 400) = ANY(ARRAY(SELECT left(p, 400) FROM unnest(${foldedPaths}::text[]) p))
        `
        return new Map(rows.map(({ folded, id, path }) => [folded, { id, path }]))
      }, Effect.orDie)

      const insert = Effect.fnUntraced(function*(folder: NewFolder) {
        yield* sql`
          INSERT INTO ${t.folders} (id, account_id, parent_id, name, folded_name, path, folded_path, depth,
            insert_time)
          VALUES (${folder.id}, ${folder.accountId}, ${folder.parentId}, ${folder.name}, ${folder.foldedName},
            ${folder.path}, ${folder.foldedPath}, ${folder.depth}::smallint, ${folder.insertTime})
        `
      }, Effect.orDie)

      return FoldersRepo.of({ find, findByPath, insert })
    })
  )
}
