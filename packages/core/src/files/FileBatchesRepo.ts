/** Many files at a time in SQL. One of the four modules that write `files`; see {@link "./FilesRepo.ts"}. */
import { Context, Effect, Layer } from "effect"
import type { SearchableFile } from "../catalog/SearchableFile.ts"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import type { FoundMedia } from "./FileMedia.ts"
import type { NewFile } from "./FilesRepo.ts"
import * as MetadataJob from "./MetadataJob.ts"

/** A file that comes with all that is known of it. */
export interface KnownFile extends Omit<NewFile, "accountId"> {
  readonly description: string | null
  readonly insertTime: Date
  readonly media: FoundMedia | null
  /** Whether more of it is to be found by looking into it, if there is something to find in its kind. */
  readonly extractDue: boolean
  /** Its tags, as it is found by them. */
  readonly tags: SearchableFile["tags"]
}

/** Whether such a file is to be looked into. */
export const statusAtFirst = (
  { extractDue, type }: Pick<KnownFile, "extractDue" | "type">
): MetadataJob.MetadataStatus => extractDue ? MetadataJob.statusAtFirst(type) : "done"

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

  const insert = (accountId: AccountId, files: ReadonlyArray<KnownFile & { readonly id: FileId }>) =>
    sql`
      WITH folder AS (
        UPDATE ${t.folders} SET arrivals = arrivals + 1
        WHERE id = ANY(${Column.of([...new Set(files.map(({ folderId }) => folderId))])}::text::uuid[])
          AND account_id = ${accountId}
      )
      INSERT INTO ${t.files} (account_id, id, folder_id, type, file_name, description, mime_type, size, object_key,
        store_key, etag, metadata_status, insert_time)
      SELECT ${accountId}::uuid, f.* FROM unnest(
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
        ${Column.of(files.map(({ insertTime }) => insertTime))}::text::timestamptz[]
      ) f
    `.pipe(Effect.asVoid, Effect.orDie)

  const insertMedia = (accountId: AccountId, media: ReadonlyArray<FoundMedia & { readonly file_id: FileId }>) =>
    sql`
      INSERT INTO ${t.file_media} (account_id, file_id, title, artists, album, genre, duration, tempo, tagged_tempo, key,
        width, height, taken_time, latitude, longitude, camera)
      SELECT ${accountId}::uuid, m.file_id, m.title, m.artists::text[], m.album, m.genre, m.duration, m.tempo,
        m.tagged_tempo, m.key, m.width, m.height, m.taken_time, m.latitude, m.longitude, m.camera
      FROM unnest(
        ${Column.of(media.map(({ file_id }) => file_id))}::text::uuid[],
        ${Column.of(media.map(({ title }) => title))}::text::text[],
        ${Column.of(media.map(({ artists }) => Column.of(artists)))}::text::text[],
        ${Column.of(media.map(({ album }) => album))}::text::text[],
        ${Column.of(media.map(({ genre }) => genre))}::text::text[],
        ${Column.of(media.map(({ duration }) => duration))}::text::float8[],
        ${Column.of(media.map(({ tempo }) => tempo))}::text::float8[],
        ${Column.of(media.map(({ tagged_tempo }) => tagged_tempo))}::text::float8[],
        ${Column.of(media.map(({ key }) => key))}::text::smallint[],
        ${Column.of(media.map(({ width }) => width))}::text::int[],
        ${Column.of(media.map(({ height }) => height))}::text::int[],
        ${Column.of(media.map(({ taken_time }) => taken_time))}::text::timestamptz[],
        ${Column.of(media.map(({ latitude }) => latitude))}::text::float8[],
        ${Column.of(media.map(({ longitude }) => longitude))}::text::float8[],
        ${Column.of(media.map(({ camera }) => camera))}::text::text[]
      ) AS m (file_id, title, artists, album, genre, duration, tempo, tagged_tempo, key, width, height, taken_time,
        latitude, longitude, camera)
    `.pipe(Effect.asVoid, Effect.orDie)

  return { holders, insert, insertMedia }
})

export class FileBatchesRepo extends Context.Service<FileBatchesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/files/FileBatchesRepo"
) {
  static readonly layer = Layer.effect(FileBatchesRepo, make)
}
