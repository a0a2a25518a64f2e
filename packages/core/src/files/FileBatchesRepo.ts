/** Many files at a time in SQL. With {@link "./FilesRepo.ts"} and {@link "./DisposalRepo.ts"} the only module that writes `files`. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import type { FoundMedia } from "./FileMedia.ts"
import type { NewFile } from "./FilesRepo.ts"

/** A file that comes with all that is known of it. */
export interface KnownFile extends Omit<NewFile, "accountId"> {
  readonly description: string | null
  readonly insertTime: Date
  readonly media: FoundMedia | null
}

/** A file that has a key already. */
export interface KeyHolder {
  readonly objectKey: string
  readonly storeKey: string
  readonly sizeBytes: number
}

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

  // Rows are sent as one JSON text: a list of lists would be a parameter for each column, and the driver sends no list of
  // nulls alone. As json and not jsonb, which would be sorted into a tree first.

  const insert = (accountId: AccountId, files: ReadonlyArray<KnownFile & { readonly id: FileId }>) =>
    sql`
      INSERT INTO ${t.files} (id, account_id, folder_id, type, file_name, description, mime_type, size, object_key,
        store_key, etag, insert_time)
      SELECT f.id, ${accountId}::uuid, f."folderId", f.type, f."fileName", f.description, f."mimeType", f."sizeBytes",
        f."objectKey", f."storeKey", f.etag, f."insertTime"
      FROM json_to_recordset(${JSON.stringify(files, withoutMedia)}::json) AS f (id uuid, "folderId" uuid, type text,
        "fileName" text, description text, "mimeType" text, "sizeBytes" bigint, "objectKey" text, "storeKey" text,
        etag text, "insertTime" timestamptz)
    `.pipe(Effect.asVoid, Effect.orDie)

  const insertMedia = (
    accountId: AccountId,
    media: ReadonlyArray<FoundMedia & { readonly file_id: FileId }>
  ) =>
    sql`
      INSERT INTO ${t.file_media} (file_id, account_id, title, artists, album, genre, duration, tempo, tagged_tempo, key,
        width, height, taken_time, latitude, longitude, camera)
      SELECT m.file_id, ${accountId}::uuid, m.title, m.artists, m.album, m.genre, m.duration, m.tempo, m.tagged_tempo,
        m.key, m.width, m.height, m.taken_time, m.latitude, m.longitude, m.camera
      FROM json_to_recordset(${JSON.stringify(media)}::json) AS m (file_id uuid, title text, artists text[], album text,
        genre text, duration float8, tempo float8, tagged_tempo float8, key smallint, width int, height int,
        taken_time timestamptz, latitude float8, longitude float8, camera text)
    `.pipe(Effect.asVoid, Effect.orDie)

  return { holders, insert, insertMedia }
})

const withoutMedia = (key: string, value: unknown) => key === "media" ? undefined : value

export class FileBatchesRepo extends Context.Service<FileBatchesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/FileBatchesRepo"
) {
  static readonly layer = Layer.effect(FileBatchesRepo, make)
}
