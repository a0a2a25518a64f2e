/**
 * Single files in SQL. With {@link "./FileBatchesRepo.ts"}, {@link "./DerivativesRepo.ts"} and
 * {@link "./TrashRepo.ts"} the only module that writes `files`.
 */
import { Context, Effect, Layer, Option } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { byIds } from "../database/ByIds.ts"
import { Database } from "../database/Database.ts"
import type { LiveKeysQuery } from "../objects/LiveKeys.ts"
import type { Bucket } from "../ports/ObjectStore.ts"
import { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import * as MetadataJob from "./MetadataJob.ts"
import type { MovedFile, NamedObject } from "./MovedFile.ts"
import type { CheckedKeyHolder } from "./NewFile.ts"
import type { StoredFile } from "./StoredFile.ts"
import * as StoredFileSql from "./StoredFileSql.ts"
import type { VisibleFile } from "./VisibleFile.ts"

type File = StoredFile

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const columns = StoredFileSql.columns(database)
  const files = StoredFileSql.from(database)
  const first = <A>(rows: ReadonlyArray<A>) => Option.fromUndefinedOr(rows[0])

  const findByObjectKey = (accountId: AccountId, objectKey: string) =>
    sql<File>`
      SELECT ${columns} FROM ${files} WHERE f.account_id = ${accountId} AND f.object_key = ${objectKey}
    `.pipe(Effect.map(first), Effect.orDie)

  /**
   * The account's files of these keys. A call may know of files within its folder; one that may not read only of those whose
   * upload was opened by a call without further permissions.
   */
  const findHolders = (accountId: AccountId, limits: Limits, objectKeys: ReadonlyArray<string>) => {
    const told = limits.permissions === null || limits.permissions.includes("read")
      ? sql`TRUE`
      : sql`COALESCE(f.added_permissions <@ ${limits.permissions}::text[], FALSE)`
    return sql<CheckedKeyHolder>`
      SELECT f.id, f.object_key AS "objectKey", f.store_key AS "storeKey", f.size::float8 AS "sizeBytes",
        f.file_name AS "fileName", (${told} AND COALESCE(${
      StoredFileSql.within(database, limits)
    }, FALSE)) AS "isWithin"
      FROM ${t.files} f WHERE f.account_id = ${accountId} AND f.object_key = ANY(${objectKeys}::text[])
    `.pipe(Effect.orDie)
  }

  const findByStoreKey = (accountId: AccountId, storeKey: string) =>
    sql<File>`
      SELECT ${columns} FROM ${files} WHERE f.account_id = ${accountId} AND f.store_key = ${storeKey}
    `.pipe(Effect.map(first), Effect.orDie)

  /** One of the account's own files (no derivative) that a call with `limits` sees. */
  const find = (accountId: AccountId, limits: Limits, id: FileId) =>
    sql<File>`
      SELECT ${columns} FROM ${files}
      WHERE f.id = ${id} AND f.account_id = ${accountId} AND f.derivative_of IS NULL
        AND ${StoredFileSql.within(database, limits)}
    `.pipe(Effect.map(first), Effect.orDie)

  /** Those of the files (no derivatives) that are the account's own and that a call with `limits` sees. */
  const own = (accountId: AccountId, limits: Limits, ids: ReadonlyArray<FileId>) =>
    sql<{ readonly id: FileId }>`
      SELECT f.id FROM ${t.files} f
      WHERE ${byIds(database, "f", accountId, ids)} AND f.derivative_of IS NULL
        AND ${StoredFileSql.within(database, limits)}
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /**
   * A file (no derivative) outside trash that the account can open: its own within `limits`, a public or a shared one.
   * A call limited to a folder opens what is public as anyone does, and nothing that is shared with its account.
   */
  const findVisible = (accountId: AccountId, limits: Limits, id: FileId) => {
    const seen = limits.folderId === null
      ? StoredFileSql.seenByOther(database, sql`${accountId}::uuid`)
      : sql.literal("f.is_public")
    const isOwn = sql`(f.account_id = ${accountId} AND ${StoredFileSql.within(database, limits)})`
    return sql<Omit<VisibleFile, "isPicture">>`
      SELECT ${columns}, ${isOwn} AS "isOwn" FROM ${files}
      WHERE f.id = ${id} AND f.trash_time IS NULL AND f.derivative_of IS NULL AND (${isOwn} OR ${seen})
    `.pipe(Effect.map(first), Effect.orDie)
  }

  /** A file (no derivative) outside trash that anyone can open. */
  const findPublic = (id: FileId) =>
    sql<File>`
      SELECT ${columns} FROM ${files}
      WHERE f.id = ${id} AND f.is_public AND f.trash_time IS NULL AND f.derivative_of IS NULL
    `.pipe(Effect.map(first), Effect.orDie)

  const setName = ({ accountId, id }: File, fileName: string) =>
    sql`
      UPDATE ${t.files} SET file_name = ${fileName} WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  const setDescription = ({ accountId, id }: File, description: string | null) =>
    sql`
      UPDATE ${t.files} SET description = ${description} WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Ends the pending extraction of a file. Returns where the file is then; none when no extraction was pending. */
  const settleMetadata = (
    { accountId, id }: File,
    { mimeType, status, type }: Pick<File, "type" | "mimeType"> & { readonly status: MetadataJob.MetadataStatus }
  ) =>
    sql<Pick<File, "isPublic" | "storeKey">>`
      UPDATE ${t.files} SET metadata_status = ${status}, type = ${type}, mime_type = ${mimeType}
      WHERE id = ${id} AND account_id = ${accountId} AND metadata_status = 'pending'
      RETURNING is_public AS "isPublic", store_key AS "storeKey"
    `.pipe(Effect.map(first), Effect.orDie)

  /** Marks those of the files that may have metadata as pending. */
  const requestMetadata = (accountId: AccountId, ids: ReadonlyArray<FileId>) =>
    sql<{ readonly id: FileId }>`
      WITH asked AS MATERIALIZED (
        SELECT id, type FROM ${t.files}
        WHERE account_id = ${accountId} AND id = ANY(${ids}::uuid[]) AND derivative_of IS NULL
        ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE ${t.files} AS f SET metadata_status = 'pending' FROM asked
      WHERE f.id = asked.id AND asked.type = ANY(${FileType.literals.filter(MetadataJob.isOf)}::text[]) RETURNING f.id
    `.pipe(Effect.map((rows) => rows.map(({ id }) => id)), Effect.orDie)

  /** Locks the files in the one order in which everybody locks several: others do when they put them in a list. */
  const setFolder = (accountId: AccountId, ids: ReadonlyArray<FileId>, folderId: FolderId | null) =>
    sql`
      WITH moving AS MATERIALIZED (
        SELECT id FROM ${t.files} WHERE account_id = ${accountId} AND id = ANY(${ids}::uuid[])
        ORDER BY id FOR NO KEY UPDATE
      ), folder AS (
        UPDATE ${t.folders} SET arrivals = arrivals + 1 WHERE id = ${folderId}::uuid AND account_id = ${accountId}
      )
      UPDATE ${t.files} AS f SET folder_id = ${folderId} FROM moving WHERE f.id = moving.id
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Makes a file whose bytes are in the private bucket a public one, whose lasting link leads to `publicKey`. */
  const keepLink = ({ accountId, id }: File, publicKey: string) =>
    sql`
      UPDATE ${t.files} SET public_key = ${publicKey} WHERE id = ${id} AND account_id = ${accountId} AND NOT is_public
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Ends the lasting link of a file whose bytes are in the private bucket, and its picture's. */
  const dropLink = ({ accountId, id }: File) =>
    sql`
      UPDATE ${t.files} SET public_key = NULL
      WHERE (id = ${id} OR derivative_of = ${id}) AND account_id = ${accountId} AND public_key IS NOT NULL
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Records where a file's bytes are now, unless they are no longer where `file` says. Returns whether it did. */
  const relocate = (
    file: Pick<File, "id" | "accountId" | "isPublic" | "publicKey" | "storeKey" | "etag">,
    to: Pick<File, "isPublic" | "publicKey" | "storeKey" | "etag">,
    when: "in trash" | "not in trash" | "always"
  ) =>
    sql`
      UPDATE ${t.files} SET is_public = ${to.isPublic}, public_key = ${to.publicKey}, store_key = ${to.storeKey},
        etag = ${to.etag}
      WHERE id = ${file.id} AND account_id = ${file.accountId} AND is_public = ${file.isPublic}
        AND store_key = ${file.storeKey} AND etag = ${file.etag} AND public_key IS NOT DISTINCT FROM ${file.publicKey}
        AND ${when === "always" ? sql`TRUE` : sql`(trash_time IS NOT NULL) = ${when === "in trash"}`}
      RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** The keys of these files and of what is made of them. */
  const keysOf = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql<Pick<File, "id" | "storeKey">>`
      SELECT id, store_key AS "storeKey" FROM ${t.files}
      WHERE account_id = ${accountId} AND (id = ANY(${fileIds}::uuid[]) OR derivative_of = ANY(${fileIds}::uuid[]))
    `.pipe(Effect.orDie)

  /** The objects of these files. */
  const liveKeys: LiveKeysQuery = (bucket, storeKeys) =>
    sql`
      SELECT store_key AS key FROM ${t.files}
      WHERE store_key = ANY(${storeKeys}::text[]) AND is_public = ${bucket === "public"}
    `

  /** Files of all accounts that are at another address than an object of `bucket`, whose bytes theirs may be by its name. */
  const elsewhere = (bucket: Bucket, objects: ReadonlyArray<NamedObject>) =>
    sql<MovedFile>`
      SELECT o.key, f.id, f.account_id AS "accountId", f.is_public AS "isPublic", f.public_key AS "publicKey",
        f.store_key AS "storeKey", f.etag, f.size::float8 AS "sizeBytes", f.file_name AS "fileName",
        f.mime_type AS "mimeType"
      FROM unnest(${objects.map(({ key }) => key)}::text[], ${objects.map(({ base }) => base)}::text[],
        ${objects.map(({ fileId }) => fileId ?? "")}::text[]) AS o (key, base, file_id)
      CROSS JOIN LATERAL (
        -- "0" follows "/": the key itself, and those that begin with it.
        (SELECT * FROM ${t.files} WHERE store_key >= o.base AND store_key < o.base || '0')
        UNION ALL
        (SELECT * FROM ${t.files} WHERE id = NULLIF(o.file_id, '')::uuid AND NOT starts_with(store_key, 'files/'))
      ) f
      WHERE f.store_key <> o.key OR f.is_public <> ${bucket === "public"}
    `.pipe(Effect.orDie)

  return {
    elsewhere,
    keysOf,
    liveKeys,
    findByObjectKey,
    findHolders,
    findByStoreKey,
    find,
    own,
    findVisible,
    findPublic,
    setName,
    setDescription,
    settleMetadata,
    requestMetadata,
    setFolder,
    keepLink,
    dropLink,
    relocate
  }
})

export class FilesRepo extends Context.Service<FilesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/FilesRepo"
) {
  static readonly layer = Layer.effect(FilesRepo, make)
}
