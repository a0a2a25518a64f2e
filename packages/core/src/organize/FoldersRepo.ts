/** Folders in SQL. The only module that writes `folders`, but for their counts. Every query names its owner. */
import { Context, Effect, Layer, Option } from "effect"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import * as StoredFile from "../files/StoredFile.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"

export interface Folder {
  readonly id: FolderId
  /** In the spelling its names were first given. */
  readonly path: string
}

/** Where a folder is among the others. */
export interface Place {
  readonly parentId: FolderId | null
  readonly name: string
  readonly foldedName: string
  readonly path: string
  readonly foldedPath: string
  /** 1 at the top of the drive. */
  readonly depth: number
}

export interface StoredFolder extends Folder, Place {
  readonly accountId: AccountId
  /** Files in it, not inside other folders of it, that are in view. */
  readonly fileCount: number
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const columns = sql.literal(`
    d.id, d.account_id AS "accountId", d.parent_id AS "parentId", d.name, d.folded_name AS "foldedName", d.path,
    d.folded_path AS "foldedPath", d.depth::int AS depth, d.file_count AS "fileCount"
  `)

  const find = (accountId: AccountId, id: FolderId) =>
    sql<StoredFolder>`
      SELECT ${columns} FROM ${t.folders} d WHERE d.account_id = ${accountId} AND d.id = ${id}
    `.pipe(Effect.map((rows) => Option.fromUndefinedOr(rows[0])), Effect.orDie)

  /** The folders among these folded paths that exist, by folded path. */
  const findByPath = (accountId: AccountId, foldedPaths: ReadonlyArray<string>) =>
    sql<StoredFolder>`
      SELECT ${columns} FROM ${t.folders} d
      WHERE d.account_id = ${accountId} AND d.folded_path = ANY(${foldedPaths}::text[])
        -- The index holds only the beginning.
        AND left(d.folded_path, 400) = ANY(ARRAY(SELECT left(p, 400) FROM unnest(${foldedPaths}::text[]) p))
    `.pipe(
      Effect.map((rows): ReadonlyMap<string, StoredFolder> => new Map(rows.map((row) => [row.foldedPath, row]))),
      Effect.orDie
    )

  /** The folder of this name in another, or at the top. */
  const child = (accountId: AccountId, parentId: FolderId | null, foldedName: string) =>
    sql<StoredFolder>`
      SELECT ${columns} FROM ${t.folders} d
      WHERE d.account_id = ${accountId} AND d.folded_name = ${foldedName}
        AND ${parentId === null ? sql`d.parent_id IS NULL` : sql`d.parent_id = ${parentId}`}
    `.pipe(Effect.map((rows) => Option.fromUndefinedOr(rows[0])), Effect.orDie)

  const insert = (accountId: AccountId, folders: ReadonlyArray<StoredFolder>, insertTime: Date) =>
    sql`
      INSERT INTO ${t.folders} (account_id, insert_time, id, parent_id, name, folded_name, path, folded_path, depth)
      SELECT ${accountId}::uuid, ${insertTime}::timestamptz, d.* FROM unnest(
        ${Column.of(folders.map(({ id }) => id))}::text::uuid[],
        ${Column.of(folders.map(({ parentId }) => parentId))}::text::uuid[],
        ${Column.of(folders.map(({ name }) => name))}::text::text[],
        ${Column.of(folders.map(({ foldedName }) => foldedName))}::text::text[],
        ${Column.of(folders.map(({ path }) => path))}::text::text[],
        ${Column.of(folders.map(({ foldedPath }) => foldedPath))}::text::text[],
        ${Column.of(folders.map(({ depth }) => depth))}::text::smallint[]
      ) d
    `.pipe(Effect.asVoid, Effect.orDie)

  /** How deep the deepest folder is, of this one and those inside it. */
  const deepest = ({ accountId, id }: StoredFolder) =>
    sql<{ readonly depth: number }>`
      SELECT max(d.depth)::int AS depth FROM ${t.folders} o
      JOIN ${t.folders} d ON d.account_id = o.account_id AND ${StoredFile.isInside(database, "d", "o")}
      WHERE o.id = ${id} AND o.account_id = ${accountId}
    `.pipe(Effect.map((rows) => rows[0]!.depth), Effect.orDie)

  /** Puts a folder in another place, and with it all that is inside. */
  const relocate = ({ accountId, depth, foldedPath, id, path }: StoredFolder, to: Place) =>
    sql`
      UPDATE ${t.folders} AS d SET
        parent_id = CASE WHEN d.id = o.id THEN ${to.parentId}::uuid ELSE d.parent_id END,
        name = CASE WHEN d.id = o.id THEN ${to.name}::text ELSE d.name END,
        folded_name = CASE WHEN d.id = o.id THEN ${to.foldedName}::text ELSE d.folded_name END,
        path = ${to.path}::text || substr(d.path, length(${path}::text) + 1),
        folded_path = ${to.foldedPath}::text || substr(d.folded_path, length(${foldedPath}::text) + 1),
        depth = d.depth + ${to.depth - depth}::int
      FROM ${t.folders} o
      WHERE o.id = ${id} AND o.account_id = ${accountId} AND d.account_id = o.account_id
        AND ${StoredFile.isInside(database, "d", "o")}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** The folder itself and those inside it, each with how often files have come to it. */
  const subtree = ({ accountId, id }: StoredFolder) =>
    sql<{ readonly id: FolderId; readonly arrivals: number }>`
      SELECT d.id, d.arrivals::float8 AS arrivals FROM ${t.folders} o
      JOIN ${t.folders} d ON d.account_id = o.account_id AND ${StoredFile.isInside(database, "d", "o")}
      WHERE o.id = ${id} AND o.account_id = ${accountId}
    `.pipe(Effect.orDie)

  /**
   * Some files of a folder, in trash or not, derivatives too; locked in the one order in which everybody locks
   * several. In the order of their ids, after `after`.
   */
  const filesIn = (accountId: AccountId, folderId: FolderId, after: FileId | null, limit: number) =>
    sql<{ readonly id: FileId }>`
      SELECT id FROM ${t.files}
      WHERE id IN (
        SELECT f.id FROM ${t.files} f
        WHERE f.account_id = ${accountId} AND f.folder_id = ${folderId}
          AND ${after === null ? sql`TRUE` : sql`f.id > ${after}`}
        ORDER BY f.id LIMIT ${limit}::int
      )
      ORDER BY id FOR NO KEY UPDATE
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /**
   * Deletes folders that hold no file, as only the account's lock makes sure, and with them the tokens and sessions that see nothing else. The tokens' rows
   * first: an exchange that is under way has its token's before it looks at the folder.
   */
  const remove = Effect.fnUntraced(function*(accountId: AccountId, ids: ReadonlyArray<FolderId>) {
    yield* sql`
      SELECT 1 FROM ${t.api_tokens} WHERE account_id = ${accountId} AND folder_id = ANY(${ids}::uuid[])
      ORDER BY id FOR UPDATE
    `
    yield* sql`DELETE FROM ${t.folders} WHERE account_id = ${accountId} AND id = ANY(${ids}::uuid[])`
  }, Effect.orDie)

  return { find, findByPath, child, insert, deepest, relocate, subtree, filesIn, remove }
})

export class FoldersRepo extends Context.Service<FoldersRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/organize/FoldersRepo"
) {
  static readonly layer = Layer.effect(FoldersRepo, make)
}
