/**
 * Makes the databases that new drives and tests begin with, `PreparedDatabase.br` and `PreparedSchemas.br`:
 * `node_modules/.bin/node --conditions=@filedrive/source scripts/prepareDatabase.ts`
 *
 * Run it when a migration or PGlite's version has changed.
 */
import { PGlite } from "@electric-sql/pglite"
import { NodeFS } from "@electric-sql/pglite/nodefs"
import * as Pglite from "@filedrive/adapter-node/pglite"
import { Database, DatabaseSchema, migrate } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import { brotliCompressSync, constants } from "node:zlib"
import { makeDatabase } from "../packages/adapter-node/src/database/PgliteMaking.ts"
import {
  type PreparedEntry,
  preparedFile,
  type PreparedIndex,
  preparedSchema
} from "../packages/adapter-node/src/database/PreparedDatabase.ts"
import { preparedSchemas, schemaNames } from "../packages/testing/src/PreparedSchemas.ts"

const { version } = JSON.parse(
  readFileSync(resolve(createRequire(import.meta.url).resolve("@electric-sql/pglite"), "../../package.json"), "utf8")
) as { readonly version: string }

/**
 * Makes the database small: without databases that nobody opens and without the dead rows that the statement of `vacuum` removes; its
 * log begins with a new segment.
 * Returns the segment that the next start reads, and how many of its bytes are used.
 */
const tidy = async (data: string, vacuum: (db: PGlite) => Promise<string>) => {
  const db = await PGlite.create({ fs: new NodeFS(data) })
  // They are templates for new databases, which nobody makes here, and nothing would ever freeze their rows.
  await db.exec("UPDATE pg_database SET datistemplate = false, datallowconn = true WHERE datname LIKE 'template%'")
  for (const statement of ["DROP DATABASE template0", "DROP DATABASE template1", await vacuum(db)]) {
    await db.query(statement)
  }
  await db.query("SELECT pg_switch_wal()")
  await db.query("CHECKPOINT")
  const { rows: [log] } = await db.query<{ readonly segment: string }>(
    "SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS segment"
  )
  await db.close()
  return log!.segment
}

/** VACUUM of PostgreSQL's own tables. */
const vacuumOfCatalogs = async (db: PGlite) => {
  const { rows } = await db.query<{ readonly name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND oid < 16384"
  )
  return `VACUUM (FREEZE, ANALYZE) ${rows.map(({ name }) => name).join(", ")}`
}

/** Files that every start makes again. */
const isLeftOut = (path: string, segment: string): boolean =>
  path === "postmaster.pid" || (/^pg_wal\/[0-9A-F]{24}$/.test(path) && path !== `pg_wal/${segment}`)

const withoutZerosAtEnd = (bytes: Buffer): Buffer => {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return bytes.subarray(0, end)
}

const pack = (data: string, segment: string): Buffer => {
  const names = readdirSync(data, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: relative(data, join(entry.parentPath, entry.name)) }))
    .sort((one, other) => one.path < other.path ? -1 : 1)
  const found = new Map<string, number>()
  const parts: Array<Buffer> = []
  let length = 0
  const files: Array<PreparedEntry> = []
  for (const { entry, path } of names) {
    if (!entry.isFile() || isLeftOut(path, segment)) continue
    const whole = readFileSync(join(data, path))
    const bytes = withoutZerosAtEnd(whole)
    const key = bytes.toString("latin1")
    const offset = found.get(key) ?? length
    if (!found.has(key)) {
      found.set(key, offset)
      parts.push(bytes)
      length += bytes.length
    }
    files.push({ path, offset, length: bytes.length, size: whole.length })
  }
  const directories = names.flatMap(({ entry, path }) => entry.isDirectory() ? [path] : [])
  const index = Buffer.from(JSON.stringify({ pglite: version, directories, files } satisfies PreparedIndex))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(index.length)
  const all = Buffer.concat([head, index, ...parts])
  const packed = brotliCompressSync(all, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: all.length
    }
  })
  console.log(`${files.length} files, ${all.length} bytes, packed ${packed.length}`)
  return packed
}

/** Makes a database in a directory that is removed afterwards, and packs it into `file`. */
const prepare = async (file: URL, make: (directory: string, data: string) => Promise<string>) => {
  const directory = mkdtempSync(join(tmpdir(), "filedrive-prepared-"))
  try {
    const data = join(directory, "data")
    const segment = await make(directory, data)
    writeFileSync(file, pack(data, segment))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A database made by initdb, not from one that was prepared before, with a migrated drive in each of the schemas. */
const migrated = async (directory: string, data: string, schemas: ReadonlyArray<string>) => {
  await makeDatabase(directory, data, { prepared: () => undefined })
  await Effect.runPromise(
    Effect.forEach(
      schemas,
      (schema) => Effect.provide(migrate, Layer.provide(Database.layer, Layer.succeed(DatabaseSchema, schema)))
    ).pipe(
      Effect.provide(Pglite.layer({ directory }))
    )
  )
}

/**
 * A drive with nothing in it. Its own tables are not analysed: PostgreSQL plans for ten pages of a table that never was, and for
 * none of one that was while it was empty.
 */
const withDrive = async (directory: string, data: string) => {
  await migrated(directory, data, [preparedSchema])
  return tidy(data, vacuumOfCatalogs)
}

/** Drives for tests in each of the schemas. */
const withSchemas = async (directory: string, data: string) => {
  await migrated(directory, data, schemaNames)
  return tidy(data, () => Promise.resolve("VACUUM (FREEZE, ANALYZE)"))
}

const only = process.argv[2]
if (only !== "schemas") await prepare(preparedFile, withDrive)
if (only !== "database") await prepare(preparedSchemas, withSchemas)
