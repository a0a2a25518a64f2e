/** Many files at a time in SQL. One of the four modules that write `files`; see {@link "./FilesRepo.ts"}. */
import { Context, Effect, Layer } from "effect"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import { type KeyHolder, type KnownFile, statusAtFirst } from "./NewFile.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /** The account's files that have one of these object keys or one of these store keys. */
  const holders = (accountId: AccountId, objectKeys: ReadonlyArray<string>, storeKeys: ReadonlyArray<string>) =>
    sql<KeyHolder>`
      SELECT object_key AS "objectKey", store_key AS "storeKey", size::float8 AS "sizeBytes" FROM ${t.files}
      WHERE account_id = ${accountId} AND object_key = ANY(${objectKeys}::text[])
      UNION
      SELECT object_key, store_key, size::float8 FROM ${t.files}
      WHERE store_key = ANY(${storeKeys}::text[]) AND account_id = ${accountId}
    `.pipe(Effect.orDie)

  const insert = (accountId: AccountId, files: ReadonlyArray<KnownFile & { readonly id: FileId }>) =>
    sql`
      WITH folder AS (
        UPDATE ${t.folders} SET arrivals = arrivals + 1
        WHERE id = ANY(${Column.of([...new Set(files.map(({ folderId }) => folderId))])}::text::uuid[])
          AND account_id = ${accountId}
      )
      INSERT INTO ${t.files} (account_id, id, folder_id, type, file_name, description, mime_type, size, object_key,
        store_key, etag, metadata_status, insert_time, added_permissions)
      SELECT ${accountId}::uuid, f.id, f.folder_id, f.type, f.file_name, f.description, f.mime_type, f.size, f.object_key,
        f.store_key, f.etag, f.metadata_status, f.insert_time, f.added_permissions::text[]
      FROM unnest(
        ${Column.of(files.map(({ id }) => id))}::text::uuid[],
        ${Column.of(files.map(({ folderId }) => folderId))}::text::uuid[],
        ${Column.of(files.map(({ type }) => type))}::text::text[],
        ${Column.of(files.map(({ fileName }) => fileName))}::text::text[],
        ${Column.of(files.map(({ description }) => description))}::text::text[],
        ${Column.of(files.map(({ mimeType }) => mimeType))}::text::text[],
        ${Column.of(files.map(({ sizeBytes }) => sizeBytes))}::text::bigint[],
        ${Column.of(files.map(({ objectKey }) => objectKey))}::text::text[],
        ${Column.of(files.map(({ storeKey }) => storeKey))}::text::text[],
        ${Column.of(files.map(({ etag }) => etag))}::text::text[],
        ${Column.of(files.map(statusAtFirst))}::text::text[],
        ${Column.of(files.map(({ insertTime }) => insertTime))}::text::timestamptz[],
        ${
      Column.of(files.map(({ addedPermissions = null }) => addedPermissions && Column.of(addedPermissions)))
    }::text::text[]
      ) f (id, folder_id, type, file_name, description, mime_type, size, object_key, store_key, etag, metadata_status,
        insert_time, added_permissions)
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Which of the folders exist. They stay while the account is locked. */
  const folders = (accountId: AccountId, ids: ReadonlyArray<FolderId>) =>
    sql<{ readonly id: FolderId }>`
      SELECT id FROM ${t.folders} WHERE account_id = ${accountId} AND id = ANY(${ids}::uuid[])
    `.pipe(Effect.map((rows): ReadonlySet<FolderId> => new Set(rows.map(({ id }) => id))), Effect.orDie)

  return { holders, insert, folders }
})

export class FileBatchesRepo extends Context.Service<FileBatchesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/FileBatchesRepo"
) {
  static readonly layer = Layer.effect(FileBatchesRepo, make)
}
