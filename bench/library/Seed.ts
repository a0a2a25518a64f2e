/**
 * Fills a database with made-up libraries as fast as it goes: rows as an import would write them, into tables without
 * keys and indexes, which are made afterwards.
 */
import { Database } from "@filedrive/core"
import { DateTime, Effect, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import { prepare, type PreparedFile } from "../../packages/core/src/bulk/ImportedFile.ts"
import * as SearchableFile from "../../packages/core/src/catalog/SearchableFile.ts"
import * as StoreKey from "../../packages/core/src/objects/StoreKey.ts"
import type { Doc } from "../../packages/core/src/search/Doc.ts"
import { DocIndexRepo } from "../../packages/core/src/search/DocIndexRepo.ts"
import { runCooperatively } from "../../packages/core/src/search/runCooperatively.ts"
import { docsMaxCount } from "../../packages/core/src/search/Segment.ts"
import { segmentOfDocs } from "../../packages/core/src/search/SegmentOfDocs.ts"
import * as FolderPath from "../../packages/core/src/shared/FolderPath.ts"
import { AccountId, FileId } from "../../packages/core/src/shared/Ids.ts"
import { foldCase } from "../../packages/core/src/shared/Text.ts"
import { folderPaths, library, type LibrarySize, tagTexts } from "./Shape.ts"

/** One library that is to be made. */
export interface SeededLibrary extends LibrarySize {
  readonly userId: string
  readonly seed: number
}

const batchSize = 2_000

/** The id of a thing of a library: the same whenever it is made. */
const idOf = (...parts: ReadonlyArray<string | number>): string => {
  const hex = createHash("sha256").update(parts.join("/")).digest("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A file's id begins with its time, as a real one does. */
const fileIdOf = (userId: string, row: PreparedFile): string => {
  const time = row.insertTime!.getTime().toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}${idOf(userId, row.objectKey).slice(13)}`
}

const written = ["files", "file_media", "file_tags", "events"] as const

/** Runs `fill` while the tables have neither keys nor indexes. */
const withoutIndexes = Effect.fnUntraced(function*<A, E, R>(fill: Effect.Effect<A, E, R>) {
  const { schema, sql } = yield* Database
  const tables = written.map((table) => `'${schema}.${table}'::regclass`).join(", ")
  const constraints = yield* sql<{ readonly at: string; readonly name: string; readonly definition: string }>`
    SELECT conrelid::regclass::text AS at, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint
    WHERE contype IN ('p', 'u', 'f') AND (conrelid IN (${sql.literal(tables)}) OR confrelid IN (${sql.literal(tables)}))
    ORDER BY contype = 'f' DESC
  `
  for (const { at, name } of constraints) yield* sql.unsafe(`ALTER TABLE ${at} DROP CONSTRAINT ${name}`)
  const indexes = yield* sql<{ readonly name: string; readonly definition: string }>`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid IN (${sql.literal(tables)})
  `
  for (const { name } of indexes) yield* sql.unsafe(`DROP INDEX ${name}`)
  const result = yield* fill
  yield* sql.unsafe("SET maintenance_work_mem = '1GB'")
  yield* Effect.forEach(indexes, ({ definition }) => sql.unsafe(definition), { concurrency: 2 })
  for (const { at, definition, name } of constraints.toReversed()) {
    yield* sql.unsafe(`ALTER TABLE ${at} ADD CONSTRAINT ${name} ${definition}`)
  }
  return result
})

/** Writes what a library's files refer to; answers the numbers that its search rows name them by. */
const prepareAccount = Effect.fnUntraced(function*({ folders, tags, userId }: SeededLibrary) {
  const { sql, tables: t } = yield* Database
  const insertTime = "2018-01-01T00:00:00Z"
  const paths = folderPaths(folders)
  const folderRows = paths.map((path) => {
    const above = path.slice(0, path.lastIndexOf("/"))
    const name = path.slice(above.length + 1)
    return {
      id: idOf(userId, "folder", path),
      parent_id: above === "" ? null : idOf(userId, "folder", above),
      name,
      folded_name: foldCase(name),
      path,
      folded_path: foldCase(path),
      depth: path.split("/").length - 1
    }
  })
  const tagRows = tagTexts(tags).map((text) => ({ id: idOf(userId, "tag", text), text, folded: foldCase(text) }))
  yield* sql`INSERT INTO ${t.accounts} (id) VALUES (${userId})`
  yield* sql`
    INSERT INTO ${t.profiles} (user_id, plan, insert_time) VALUES (${userId}, 'pro', ${insertTime}::timestamptz)
  `
  const folderNos = yield* sql<{ readonly path: string; readonly no: number }>`
    INSERT INTO ${t.folders} (id, account_id, parent_id, name, folded_name, path, folded_path, depth, insert_time)
    SELECT f.id, ${userId}::uuid, f.parent_id, f.name, f.folded_name, f.path, f.folded_path, f.depth,
      ${insertTime}::timestamptz
    FROM json_to_recordset(${JSON.stringify(folderRows)}::json) AS f
      (id uuid, parent_id uuid, name text, folded_name text, path text, folded_path text, depth smallint)
    RETURNING folded_path AS path, no::float8 AS no
  `
  const tagNos = yield* sql<{ readonly folded: string; readonly no: string }>`
    INSERT INTO ${t.tags} (id, account_id, text, folded, insert_time)
    SELECT g.id, ${userId}::uuid, g.text, g.folded, ${insertTime}::timestamptz
    FROM json_to_recordset(${JSON.stringify(tagRows)}::json) AS g (id uuid, text text, folded text)
    RETURNING folded, no::text AS no
  `
  return {
    folderNo: new Map(folderNos.map(({ no, path }) => [path, no])),
    tagNo: new Map(tagNos.map(({ folded, no }) => [folded, no]))
  }
})

type Numbers = Effect.Success<ReturnType<typeof prepareAccount>>

/** What the tables are sent of some files. */
const rowsOf = (userId: string, { folderNo, tagNo }: Numbers, files: ReadonlyArray<PreparedFile>) =>
  files.map((file) => {
    const id = fileIdOf(userId, file)
    const path = FolderPath.format(file.folderPath)
    const doc = SearchableFile.docOf({
      id: FileId.make(id),
      insertTime: file.insertTime!,
      type: file.type,
      isPublic: file.index % 13 === 0,
      sizeBytes: file.fileSize,
      fileName: file.fileName,
      description: file.description ?? null,
      folderNo: path === "/" ? null : folderNo.get(FolderPath.fold(file.folderPath))!,
      tags: file.tagTexts.map(({ folded, text }) => ({ no: tagNo.get(folded)!, text })),
      ...SearchableFile.foundIn(file.media)
    })
    return {
      doc,
      tags: file.tagTexts.map(({ text }) => [id, idOf(userId, "tag", text)] as const),
      row: {
        ...file.media,
        id,
        seq: file.index + 1,
        has_media: file.media !== null,
        folder_id: path === "/" ? null : idOf(userId, "folder", path),
        type: file.type,
        file_name: file.fileName,
        description: file.description ?? null,
        mime_type: file.mimeType,
        size: file.fileSize,
        object_key: file.objectKey,
        store_key: StoreKey.make("files", AccountId.make(userId), id),
        is_public: file.index % 13 === 0,
        insert_time: file.insertTime
      }
    }
  })

const write = Effect.fnUntraced(function*(userId: string, files: ReturnType<typeof rowsOf>) {
  const { sql, tables: t } = yield* Database
  const random = yield* SecureRandom.SecureRandom
  const eventIds: Array<string> = []
  for (let at = 0; at < files.length; at++) eventIds.push(yield* random.uuidV7())
  const rows = JSON.stringify(files.map(({ row }, at) => ({ ...row, event_id: eventIds[at] })))
  const tags = files.flatMap((file) => file.tags)
  yield* sql`
    WITH r AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${rows}::json) AS r (id uuid, event_id uuid, seq bigint, has_media boolean,
        folder_id uuid, type text, file_name text, description text, mime_type text, size bigint,
        object_key text, store_key text, is_public boolean, insert_time timestamptz,
        title text, artists text[], album text, genre text, duration float8, tempo float8, tagged_tempo float8,
        key smallint, width int, height int, taken_time timestamptz, latitude float8, longitude float8)
    ), file AS (
      INSERT INTO ${t.files} (id, account_id, folder_id, type, file_name, description, mime_type, size, object_key,
        is_public, store_key, etag, insert_time)
      SELECT id, ${userId}::uuid, folder_id, type, file_name, description, mime_type, size, object_key, is_public,
        store_key, 'none', insert_time FROM r
    ), media AS (
      INSERT INTO ${t.file_media} (file_id, account_id, title, artists, album, genre, duration, tempo, tagged_tempo, key,
        width, height, taken_time, latitude, longitude)
      SELECT id, ${userId}::uuid, title, artists, album, genre, duration, tempo, tagged_tempo, key, width, height,
        taken_time, latitude, longitude FROM r WHERE has_media
    ), event AS (
      INSERT INTO ${t.events} (account_id, seq, id, kind, time, folder_id, file_id, payload)
      SELECT ${userId}::uuid, seq, event_id, 'file', insert_time, folder_id, id,
        jsonb_build_object('file', jsonb_build_object('id', id, 'type', type, 'fileName', file_name)) FROM r
    )
    INSERT INTO ${t.file_tags} (file_id, tag_id)
    SELECT * FROM unnest(${tags.map(([file]) => file)}::uuid[], ${tags.map(([, tag]) => tag)}::uuid[])
  `
})

/** What is counted is counted once, at the end. */
const count = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  yield* sql`
    UPDATE ${t.accounts} a SET used_bytes = f.bytes, event_seq = f.files, event_time = f.last FROM (
      SELECT account_id, sum(size) AS bytes, count(*) AS files, max(insert_time) AS last FROM ${t.files} GROUP BY 1
    ) f WHERE a.id = f.account_id
  `
  yield* sql`
    UPDATE ${t.folders} d SET file_count = f.files
    FROM (SELECT folder_id, count(*)::int AS files FROM ${t.files} GROUP BY 1) f WHERE d.id = f.folder_id
  `
  yield* sql`
    UPDATE ${t.tags} g SET file_count = f.files
    FROM (SELECT tag_id, count(*)::int AS files FROM ${t.file_tags} GROUP BY 1) f WHERE g.id = f.tag_id
  `
})

const fill = Effect.fnUntraced(function*(one: SeededLibrary) {
  const repo = yield* DocIndexRepo
  const numbers = yield* prepareAccount(one)
  const accountId = AccountId.make(one.userId)
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const docs: Array<Doc> = []
  const index = Effect.suspend(() =>
    Effect.flatMap(
      runCooperatively(segmentOfDocs(docs.splice(0, docsMaxCount))),
      (made) => repo.insert(accountId, made, 0)
    )
  )
  yield* Stream.fromIterable(library(one.userId, one, one.seed)).pipe(
    Stream.grouped(batchSize),
    Stream.zipWithIndex,
    Stream.mapEffect(
      ([rows, batch]) =>
        Effect.forEach(rows, (row, at) => Effect.fromResult(prepare(accountId, row, batch * batchSize + at, now))),
      {
        concurrency: 1
      }
    ),
    Stream.map((files) => rowsOf(one.userId, numbers, files)),
    Stream.tap((files) => {
      docs.push(...files.map(({ doc }) => doc))
      return docs.length < docsMaxCount ? Effect.void : index
    }),
    Stream.buffer({ capacity: 1 }),
    Stream.mapEffect((files) => write(one.userId, files), { concurrency: 2 }),
    Stream.runDrain
  )
  if (docs.length > 0) yield* index
  yield* repo.bumpGeneration(accountId)
})

/** Makes all the libraries in an empty, migrated database. */
export const seed = Effect.fnUntraced(function*(libraries: ReadonlyArray<SeededLibrary>) {
  const { sql } = yield* Database
  yield* withoutIndexes(Effect.forEach(libraries, fill, { discard: true })).pipe(Effect.provide(DocIndexRepo.layer))
  yield* count
  yield* sql.unsafe("VACUUM ANALYZE")
})
