/** Derivatives in SQL. One of the four modules that write `files`; see {@link "./FilesRepo.ts"}. */
import { Context, Effect, Layer, Option } from "effect"
import { Database } from "../database/Database.ts"
import type { PendingDeletion } from "../objects/PendingDeletion.ts"
import { ofMimeType } from "../shared/FileType.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import type { Derivative, DerivativeKind } from "./Derivative.ts"
import type { StoredFile } from "./StoredFile.ts"
import * as StoredFileSql from "./StoredFileSql.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const columns = sql.literal(`
    f.id, f.account_id AS "accountId", f.is_public AS "isPublic", f.public_key AS "publicKey",
    f.store_key AS "storeKey", f.etag, f.file_name AS "fileName", f.mime_type AS "mimeType",
    f.size::float8 AS "sizeBytes", f.derivative_of AS "of"
  `)
  const first = <A>(rows: ReadonlyArray<A>) => Option.fromUndefinedOr(rows[0])

  /** Condition on derivatives `f`. A picture has no kind: there were no others when the first were made. */
  const isOf = (kind: DerivativeKind) =>
    kind === "picture" ? sql`f.derivative_kind IS NULL` : sql`f.derivative_kind = ${kind}`

  /** What is made of a file of the account's: by default the picture it is shown by. */
  const findOf = (accountId: AccountId, fileId: FileId, kind: DerivativeKind = "picture") =>
    sql<Derivative>`
      SELECT ${columns} FROM ${t.files} f
      WHERE f.derivative_of = ${fileId} AND f.account_id = ${accountId} AND ${isOf(kind)}
    `.pipe(Effect.map(first), Effect.orDie)

  /** A picture by its own id, of any account. Its file decides what may be done with it. */
  const find = (id: FileId) =>
    sql<StoredFile & Pick<Derivative, "of">>`
      SELECT ${StoredFileSql.columns(database)}, f.derivative_of AS "of" FROM ${StoredFileSql.from(database)}
      WHERE f.id = ${id} AND f.derivative_of IS NOT NULL AND ${isOf("picture")}
    `.pipe(Effect.map(first), Effect.orDie)

  /** No caller can choose its key: callers' keys begin with `users/`. */
  const insert = (made: Derivative, insertTime: Date, kind: DerivativeKind = "picture") =>
    sql`
      INSERT INTO ${t.files} (id, account_id, derivative_of, derivative_kind, type, file_name, mime_type, size, object_key, is_public,
        store_key, etag, insert_time)
      VALUES (${made.id}, ${made.accountId}, ${made.of}, ${kind === "picture" ? null : kind}::text,
        ${ofMimeType(made.mimeType)}, ${made.fileName}, ${made.mimeType}, ${made.sizeBytes}::bigint,
        ${`derivatives/${made.of}/${made.id}`}, ${made.isPublic}, ${made.storeKey}, ${made.etag}, ${insertTime})
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Deletes the row of what is made of a file, by default its picture. Returns the objects that are then unused. */
  const removeOf = (accountId: AccountId, fileId: FileId, kind: DerivativeKind = "picture") =>
    sql<Pick<Derivative, "isPublic" | "storeKey">>`
      DELETE FROM ${t.files} f WHERE f.derivative_of = ${fileId} AND f.account_id = ${accountId} AND ${isOf(kind)}
      RETURNING f.is_public AS "isPublic", f.store_key AS "storeKey"
    `.pipe(
      Effect.map((rows) =>
        rows.map(({ isPublic, storeKey }): PendingDeletion => ({
          bucket: isPublic ? "public" : "private",
          storeKey,
          fileId
        }))
      ),
      Effect.orDie
    )

  return { findOf, find, insert, removeOf }
})

export class DerivativesRepo extends Context.Service<DerivativesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/DerivativesRepo"
) {
  static readonly layer = Layer.effect(DerivativesRepo, make)
}
