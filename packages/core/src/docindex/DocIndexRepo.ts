/** Docs and segments in SQL. The only module that writes `search_indexes`, `search_docs` and `search_segments`. */
import { Context, Effect, Layer } from "effect"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { LruCache } from "../shared/LruCache.ts"
import type { DocChange } from "./Doc.ts"
import type { IndexUpdate } from "./IndexState.ts"
import { changingParts, fixedParts, type Part, type Parts, read, type SegmentHeader, write } from "./Segment.ts"
import type { NewSegment } from "./SegmentColumns.ts"

/** How many of its own segments a process remembers; many more than it makes in one transaction. */
const uncommittedMaxCount = 10_000

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const accountNo = (accountId: AccountId) => sql`(SELECT no FROM ${t.accounts} WHERE id = ${accountId})`

  const headerOf = sql.literal(
    `json_build_object('accountNo', s.account_no, 'no', s.no, 'docCount', s.doc_count, 'deadCount', s.dead_count,
    'deadVersion', s.dead_version, 'foldersVersion', s.folders_version, 'extents', s.extents)`
  )

  /** One statement, so that all of it is of one moment. Undefined when the account has no index yet. */
  const updateSince = (accountId: AccountId, generation: number, seq: number) =>
    sql<IndexUpdate>`
      SELECT coalesce(i.generation, 0)::float8 AS generation, coalesce(i.seq, 0)::float8 AS seq,
        a.revision::float8 AS revision,
        (
          SELECT coalesce(json_agg(json_build_object('id', c.file_id, 'time', c.time, 'doc', c.doc)), '[]')
          FROM ${t.search_docs} c
          WHERE c.account_no = a.no
            AND c.seq > CASE WHEN i.generation = ${generation}::bigint THEN ${seq}::bigint ELSE -1 END
        ) AS changes,
        CASE WHEN i.generation = ${generation}::bigint THEN NULL ELSE (
          SELECT coalesce(json_agg(${headerOf} ORDER BY s.no), '[]') FROM ${t.search_segments} s WHERE s.account_no = a.no
        ) END AS headers
      FROM ${t.accounts} a LEFT JOIN ${t.search_indexes} i ON i.account_no = a.no
      WHERE a.id = ${accountId}
    `.pipe(Effect.map((rows) => rows[0]), Effect.orDie)

  /** Records changes. Returns how many changes are in no segment yet. */
  const note = (accountId: AccountId, changes: ReadonlyArray<DocChange>) =>
    sql<{ readonly open: number }>`
      WITH i AS (
        INSERT INTO ${t.search_indexes} (account_no, seq) VALUES (${accountNo(accountId)}, ${changes.length}::bigint)
        ON CONFLICT (account_no) DO UPDATE SET seq = ${t.search_indexes}.seq + excluded.seq
        RETURNING account_no, seq, seq - settled_seq AS open
      ), noted AS (
        INSERT INTO ${t.search_docs} (account_no, file_id, seq, time, doc)
        SELECT i.account_no, c.file_id, i.seq, c.time, c.doc::json FROM i, unnest(
          ${Column.of(changes.map(({ id }) => id))}::text::uuid[],
          ${Column.of(changes.map(({ time }) => time))}::text::float8[],
          ${Column.of(changes.map(({ doc }) => doc === null ? null : JSON.stringify(doc)))}::text::text[]
        ) AS c (file_id, time, doc)
        ON CONFLICT (account_no, file_id) DO UPDATE SET seq = excluded.seq, time = excluded.time, doc = excluded.doc
      )
      SELECT open::float8 AS open FROM i
    `.pipe(Effect.map((rows) => rows[0]!.open), Effect.orDie)

  /** Deletes changes of files that are in a segment now, or no longer needed. */
  const forget = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) =>
    sql`
      DELETE FROM ${t.search_docs} AS c USING unnest(${Column.of(fileIds)}::text::uuid[]) AS g (id)
      WHERE c.account_no = ${accountNo(accountId)} AND c.file_id = g.id
    `.pipe(Effect.asVoid, Effect.orDie)

  /** The first changes to be made a segment of. */
  const changes = (accountId: AccountId, limit: number) =>
    sql<DocChange>`
      SELECT file_id AS id, time, doc FROM ${t.search_docs} WHERE account_no = ${accountNo(accountId)}
      ORDER BY seq LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Invalidates what other processes remember of the account's segments; the changes recorded now are all that no segment has. */
  const bumpGeneration = (accountId: AccountId) =>
    sql`
      INSERT INTO ${t.search_indexes} (account_no, generation) VALUES (${accountNo(accountId)}, 1)
      ON CONFLICT (account_no) DO UPDATE SET generation = ${t.search_indexes}.generation + 1,
        settled_seq = ${t.search_indexes}.seq - (
          SELECT count(*) FROM ${t.search_docs} c WHERE c.account_no = excluded.account_no
        )
    `.pipe(Effect.asVoid, Effect.orDie)

  const headers = (accountId: AccountId) =>
    sql<{ readonly header: SegmentHeader }>`
      SELECT ${headerOf} AS header FROM ${t.search_segments} s WHERE s.account_no = ${
      accountNo(accountId)
    } ORDER BY s.no
    `.pipe(Effect.map((rows) => rows.map(({ header }) => header)), Effect.orDie)

  /** Parts of a segment; undefined when the segment was deleted, or when a part has changed since this header was read. */
  const parts = ({ accountNo, deadVersion, docCount, foldersVersion, no }: SegmentHeader, names: ReadonlyArray<Part>) =>
    sql<{ readonly [P in Part]?: Uint8Array }>`
      SELECT ${sql.literal(names.join(", "))} FROM ${t.search_segments}
      WHERE account_no = ${accountNo}::int AND no = ${no}::bigint
        AND (dead_version = ${deadVersion}::int OR NOT ${names.includes("dead")}::boolean)
        AND (folders_version = ${foldersVersion}::int OR NOT ${names.includes("folders")}::boolean)
    `.pipe(
      Effect.map(([row]) =>
        row && (Object.fromEntries(names.map((name) => [name, read[name](row[name]!, docCount)])) as Partial<Parts>)
      ),
      Effect.orDie
    )

  const allParts = [...fixedParts, ...changingParts]

  /** Numbers of segments that this process made and that are not known to be committed. */
  const uncommitted = new LruCache<number, true>(uncommittedMaxCount)

  /** Whether a segment may be of a transaction that is given up: then its number may become another one's. */
  const mayGo = ({ no }: SegmentHeader): boolean => uncommitted.get(no) === true

  const insert = (accountId: AccountId, { docCount, extents, parts }: NewSegment, deadCount: number) =>
    sql<{ readonly no: number }>`
      INSERT INTO ${t.search_segments} (account_no, doc_count, dead_count, extents, ${sql.literal(allParts.join(", "))})
      VALUES (${accountNo(accountId)}, ${docCount}::int, ${deadCount}::int, ${JSON.stringify(extents)}::json,
        ${sql.csv(allParts.map((part) => sql`${writePart(parts, part)}::bytea`))})
      RETURNING no::float8 AS no
    `.pipe(
      Effect.flatMap(([row]) => {
        const { no } = row!
        uncommitted.set(no, true, 1)
        return sql.afterCommit(Effect.sync(() => uncommitted.delete(no)))
      }),
      Effect.orDie
    )

  const markDeleted = ({ accountNo, no }: SegmentHeader, dead: Parts["dead"], deadCount: number) =>
    sql`
      UPDATE ${t.search_segments}
      SET dead = ${write.dead(dead)}::bytea, dead_count = ${deadCount}::int, dead_version = dead_version + 1
      WHERE account_no = ${accountNo}::int AND no = ${no}::bigint
    `.pipe(Effect.asVoid, Effect.orDie)

  const moveFolders = ({ accountNo, no }: SegmentHeader, folders: Parts["folders"]) =>
    sql`
      UPDATE ${t.search_segments} SET folders = ${write.folders(folders)}::bytea, folders_version = folders_version + 1
      WHERE account_no = ${accountNo}::int AND no = ${no}::bigint
    `.pipe(Effect.asVoid, Effect.orDie)

  /** The same of files no segment has yet. */
  const moveChanges = (
    accountId: AccountId,
    files: ReadonlyArray<{ readonly id: FileId; readonly folderNo: number | null }>
  ) =>
    sql`
      UPDATE ${t.search_docs} AS c
      SET doc = jsonb_set(c.doc::jsonb, '{folderNo}', coalesce(to_jsonb(f.no), 'null'))::json
      FROM unnest(
        ${Column.of(files.map(({ id }) => id))}::text::uuid[],
        ${Column.of(files.map(({ folderNo }) => folderNo))}::text::float8[]
      ) AS f (id, no)
      WHERE c.account_no = ${accountNo(accountId)} AND c.file_id = f.id AND c.doc IS NOT NULL
    `.pipe(Effect.asVoid, Effect.orDie)

  const remove = (accountId: AccountId, nos: ReadonlyArray<number>) =>
    sql`
      DELETE FROM ${t.search_segments}
      WHERE account_no = ${accountNo(accountId)} AND no = ANY(${Column.of(nos)}::text::bigint[])
    `.pipe(Effect.asVoid, Effect.orDie)

  return {
    updateSince,
    note,
    forget,
    changes,
    bumpGeneration,
    headers,
    parts,
    mayGo,
    insert,
    markDeleted,
    moveFolders,
    moveChanges,
    remove
  }
})

const writePart = <P extends Part>(parts: Parts, part: P): Uint8Array => write[part](parts[part])

export class DocIndexRepo extends Context.Service<DocIndexRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/docindex/DocIndexRepo"
) {
  static readonly layer = Layer.effect(DocIndexRepo, make)
}
