/** Folders in SQL. The only module that writes `folders`, but for their counts. Every query names its owner. */
import { Context, Effect, Layer, Option } from "effect"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import type { FolderLocation, MovingFolder, ResolvedFolder, StoredFolder } from "./Folder.ts"

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

  const former = sql.literal(`d.former_path AS "formerPath", d.former_folded_path AS "formerFoldedPath"`)

  /** The account's folder that is being moved, if there is one. */
  const moving = (accountId: AccountId) =>
    sql<MovingFolder>`
      SELECT ${columns}, ${former} FROM ${t.folders} d WHERE d.account_id = ${accountId} AND d.former_path IS NOT NULL
    `.pipe(Effect.map((rows) => Option.fromUndefinedOr(rows[0])), Effect.orDie)

  const atPaths = (accountId: AccountId, foldedPaths: ReadonlyArray<string>) =>
    sql`
      SELECT ${columns}, NULL AS "formerPath", NULL AS "formerFoldedPath" FROM ${t.folders} d
      WHERE d.account_id = ${accountId} AND d.folded_path = ANY(${foldedPaths}::text[])
        -- The index holds only the beginning.
        AND left(d.folded_path, 400) = ANY(ARRAY(SELECT left(p, 400) FROM unnest(${foldedPaths}::text[]) p))
    `

  /**
   * The folders among these folded paths that exist, by folded path. While a folder is being moved, those inside it are
   * found by their former and their new paths, whether they have followed already or not.
   */
  const findByPath = Effect.fnUntraced(function*(accountId: AccountId, foldedPaths: ReadonlyArray<string>) {
    const rows = yield* sql<ResolvedFolder & MovingFolder>`
      ${atPaths(accountId, foldedPaths)}
      UNION ALL
      SELECT ${columns}, ${former} FROM ${t.folders} d WHERE d.account_id = ${accountId} AND d.former_path IS NOT NULL
    `
    const found = new Map<string, ResolvedFolder>()
    for (const row of rows) if (row.formerPath === null) found.set(row.foldedPath, row)
    const folder = rows.find(({ formerPath }) => formerPath !== null)
    if (folder === undefined) return found as ReadonlyMap<string, ResolvedFolder>
    const others = new Map(foldedPaths.flatMap((path) => {
      const other = found.has(path) ? undefined : FolderPath.otherPath(path, folder)
      return other === undefined ? [] : [[path, other]]
    }))
    const elsewhere = new Map(
      (yield* sql<ResolvedFolder>`${atPaths(accountId, [...others.values()])}`).map((row) => [row.foldedPath, row])
    )
    for (const [path, other] of others) {
      const row = elsewhere.get(other)
      if (row !== undefined) found.set(path, row)
    }
    const lag = folder.depth - FolderPath.depthOf(folder.formerPath)
    const isBehind = ({ path }: StoredFolder) => path.startsWith(`${folder.formerPath}/`)
    return new Map([...found].map(([path, row]) => [path, isBehind(row) ? { ...row, lag } : row]))
  }, Effect.orDie)

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
      JOIN ${t.folders} d ON d.account_id = o.account_id AND ${StoredFileSql.isInside(database, "d", "o")}
      WHERE o.id = ${id} AND o.account_id = ${accountId}
    `.pipe(Effect.map((rows) => rows[0]!.depth), Effect.orDie)

  /** Moves a folder. Those inside it {@link follow} later. */
  const move = ({ accountId, foldedPath, id, path }: StoredFolder, to: FolderLocation) =>
    sql`
      UPDATE ${t.folders} SET parent_id = ${to.parentId}::uuid, name = ${to.name}, folded_name = ${to.foldedName},
        path = ${to.path}, folded_path = ${to.foldedPath}, depth = ${to.depth}::int,
        former_path = ${path}, former_folded_path = ${foldedPath}
      WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /**
   * Gives some folders inside a folder that is being moved their new paths, in the order of their former paths after
   * `after`. Where two spellings share a path, those that have followed are found too, and skipped.
   */
  const follow = (folder: MovingFolder, after: string | null, limit: number) =>
    sql<{ readonly passed: number; readonly last: string | null }>`
      WITH page AS MATERIALIZED (
        SELECT d.id, d.folded_path FROM ${t.folders} d
        WHERE d.account_id = ${folder.accountId} AND ${StoredFileSql.isInsidePath(database, folder.formerFoldedPath)}
          AND d.id <> ${folder.id} AND ${
      after === null ? sql`TRUE` : sql`(
            left(d.folded_path, 400) >= left(${after}::text, 400) AND d.folded_path > ${after}::text
          )`
    }
        ORDER BY left(d.folded_path, 400), d.folded_path LIMIT ${limit}::int
      ), followed AS (
        UPDATE ${t.folders} AS d SET path = ${folder.path}::text || substr(d.path, length(${folder.formerPath}::text) + 1),
          folded_path = ${folder.foldedPath}::text || substr(d.folded_path, length(${folder.formerFoldedPath}::text) + 1),
          depth = d.depth + ${folder.depth - FolderPath.depthOf(folder.formerPath)}::int
        FROM page WHERE d.id = page.id AND d.account_id = ${folder.accountId}
          AND starts_with(d.path, ${folder.formerPath}::text || '/')
      )
      SELECT count(*)::int AS passed, max(folded_path) AS last FROM page
    `.pipe(Effect.map((rows) => rows[0]!), Effect.orDie)

  /** Ends the move of a folder, when all folders inside it have followed. */
  const settle = ({ accountId, id }: StoredFolder) =>
    sql`
      UPDATE ${t.folders} SET former_path = NULL, former_folded_path = NULL WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Of the folder and those inside it the last by path, from the last on: each after all that is inside it. */
  const last = ({ accountId, foldedPath }: StoredFolder, limit: number) =>
    sql<{ readonly id: FolderId; readonly arrivals: number }>`
      SELECT d.id, d.arrivals::float8 AS arrivals FROM ${t.folders} d
      WHERE d.account_id = ${accountId} AND ${StoredFileSql.isInsidePath(database, foldedPath)}
      ORDER BY left(d.folded_path, 400) DESC, d.folded_path DESC LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Those of the folders that hold files, in trash or not. */
  const holding = (accountId: AccountId, ids: ReadonlyArray<FolderId>) =>
    sql<{ readonly id: FolderId }>`
      SELECT asked.id FROM unnest(${ids}::uuid[]) asked (id)
      CROSS JOIN LATERAL (
        SELECT 1 FROM ${t.files} f WHERE f.folder_id = asked.id AND f.account_id = ${accountId} LIMIT 1
      ) one
    `.pipe(Effect.map((rows): ReadonlySet<FolderId> => new Set(rows.map(({ id }) => id))), Effect.orDie)

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
   * Deletes folders that contain no file and no other folder (only the account's lock ensures it), and with them the sessions that see nothing else. The tokens
   * that see nothing else have ended before.
   */
  const remove = (accountId: AccountId, ids: ReadonlyArray<FolderId>) =>
    sql`DELETE FROM ${t.folders} WHERE account_id = ${accountId} AND id = ANY(${ids}::uuid[])`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  return { find, moving, findByPath, child, insert, deepest, move, follow, settle, last, holding, filesIn, remove }
})

export class FoldersRepo extends Context.Service<FoldersRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/organize/FoldersRepo"
) {
  static readonly layer = Layer.effect(FoldersRepo, make)
}
