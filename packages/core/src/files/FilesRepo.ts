/** Single files in SQL. With {@link "./DisposalRepo.ts"} the only module that writes `files`. */
import { Context, Effect, Layer, Option } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import type { NewFile } from "./Files.ts"
import * as StoredFile from "./StoredFile.ts"

type File = StoredFile.StoredFile

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const columns = StoredFile.columns(database)
  const files = StoredFile.from(database)
  const first = <A>(rows: ReadonlyArray<A>) => Option.fromUndefinedOr(rows[0])

  const insert = (file: NewFile & { readonly id: FileId; readonly insertTime: Date }) =>
    sql`
      INSERT INTO ${t.files} (id, account_id, folder_id, type, file_name, mime_type, size, object_key, store_key, etag,
        insert_time)
      VALUES (${file.id}, ${file.accountId}, ${file.folderId}, ${file.type}, ${file.fileName}, ${file.mimeType},
        ${file.sizeBytes}::bigint, ${file.objectKey}, ${file.storeKey}, ${file.etag}, ${file.insertTime})
    `.pipe(Effect.asVoid, Effect.orDie)

  const findByObjectKey = (accountId: AccountId, objectKey: string) =>
    sql<File>`
      SELECT ${columns} FROM ${files} WHERE f.account_id = ${accountId} AND f.object_key = ${objectKey}
    `.pipe(Effect.map(first), Effect.orDie)

  /** One of the account's own files (no derivative) that a call with `limits` sees. */
  const find = (accountId: AccountId, limits: Limits, id: FileId) =>
    sql<File>`
      SELECT ${columns} FROM ${files}
      WHERE f.id = ${id} AND f.account_id = ${accountId} AND f.derivative_of IS NULL AND ${
      StoredFile.within(database, limits)
    }
    `.pipe(Effect.map(first), Effect.orDie)

  return { insert, findByObjectKey, find }
})

export class FilesRepo extends Context.Service<FilesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/FilesRepo"
) {
  static readonly layer = Layer.effect(FilesRepo, make)
}
