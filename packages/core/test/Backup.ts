/** Backups of a test's database and storage, to be put back later: as an operator restores one of them and not the other. */
import { Effect, Stream } from "effect"
import { Database } from "../src/database/Database.ts"
import { type Bucket, ObjectStore } from "../src/ports/ObjectStore.ts"

let count = 0

const prefixOf = (schema: string) => `${schema}_backup_`

/** All rows of all tables as they are. `restore` puts them back, any number of times. */
export const backUpDatabase = Effect.gen(function*() {
  const { schema, sql } = yield* Database
  const copies = `${prefixOf(schema)}${++count}`
  const tables = (yield* sql<{ readonly name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${schema} AND table_type = 'BASE TABLE'
  `).map(({ name }) => name)
  yield* sql`CREATE SCHEMA ${sql(copies)}`
  for (const table of tables) {
    yield* sql`CREATE TABLE ${sql(`${copies}.${table}`)} AS TABLE ${sql(`${schema}.${table}`)}`
  }

  const restore = sql.withTransaction(Effect.gen(function*() {
    // Without triggers and foreign keys, as pg_restore does it.
    yield* sql`SET LOCAL session_replication_role = replica`
    for (const table of tables) {
      const columns = yield* sql<{ readonly name: string }>`
        SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = ${schema} AND table_name = ${table} AND is_generated = 'NEVER'
      `
      const names = sql.literal(columns.map(({ name }) => `"${name}"`).join(", "))
      yield* sql`DELETE FROM ${sql(`${schema}.${table}`)}`
      yield* sql`
        INSERT INTO ${sql(`${schema}.${table}`)} (${names}) OVERRIDING SYSTEM VALUE
        SELECT ${names} FROM ${sql(`${copies}.${table}`)}
      `
    }
  }))
  return { restore: Effect.orDie(restore) }
}).pipe(Effect.orDie)

export const dropBackups = Effect.gen(function*() {
  const { schema, sql } = yield* Database
  const schemas = yield* sql<{ readonly name: string }>`
    SELECT schema_name AS name FROM information_schema.schemata WHERE starts_with(schema_name, ${prefixOf(schema)})
  `
  for (const { name } of schemas) yield* sql`DROP SCHEMA ${sql(name)} CASCADE`
})

const buckets: ReadonlyArray<Bucket> = ["private", "public"]
const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-store" }

/** All objects of both buckets by `<bucket> <key>`, with their bytes as text. */
export const storedObjects = Effect.gen(function*() {
  const store = yield* ObjectStore
  const objects = new Map<string, string>()
  for (const bucket of buckets) {
    for (const { key } of yield* Stream.runCollect(store.list(bucket, ""))) {
      objects.set(`${bucket} ${key}`, yield* Stream.mkString(Stream.decodeText(store.get({ bucket, key }))))
    }
  }
  return objects as ReadonlyMap<string, string>
})

const addressOf = (name: string) => {
  const [bucket, key] = name.split(" ") as [Bucket, string]
  return { bucket, key }
}

/** Makes storage as it was. */
export const restoreStorage = Effect.fnUntraced(function*(objects: ReadonlyMap<string, string>) {
  const store = yield* ObjectStore
  yield* store.remove([...(yield* storedObjects).keys()].map(addressOf))
  for (const [name, text] of objects) {
    const body = new TextEncoder().encode(text)
    yield* store.put({ at: addressOf(name), headers, sizeBytes: body.length, body: Stream.make(body) })
  }
})
