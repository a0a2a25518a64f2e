/**
 * A server with accounts of many files: `node ManyListsHost.ts <directory> <files> <accounts> [database url] [schema]`. Prints its origin, and
 * for each account a session of its user; the last account has no files.
 */
import { createDrive, serve } from "@filedrive/adapter-node"
import { Database, DatabaseSchema, migrate } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as Pglite from "../../src/database/Pglite.ts"
import * as Postgres from "../../src/database/Postgres.ts"
import { printLine } from "../printLine.ts"

const [dataDirectory, files, accounts, url, schema = "filedrive"] = process.argv.slice(2) as [
  string,
  string,
  string,
  string?,
  string?
]

const userIds = Array.from({ length: Number(accounts) + 1 }, () => randomUUID())

/** Records without bytes. */
const fill = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  for (const userId of userIds.slice(0, -1)) {
    yield* sql`INSERT INTO ${t.accounts} (id, used_bytes) VALUES (${userId}, ${Number(files)}::bigint * 1000000)`
    yield* sql`
      INSERT INTO ${t.files} (id, account_id, type, file_name, mime_type, size, object_key, store_key, etag, insert_time)
      SELECT gen_random_uuid(), ${userId}, 'Image', 'IMG_' || n || '.jpg', 'image/jpeg', 1000000,
        'users/' || ${userId} || '/holiday/IMG_' || n || '.jpg', 'files/' || ${userId} || '/' || gen_random_uuid(),
        md5(n::text), timestamptz '2026-01-01' + n * interval '1 second'
      FROM generate_series(1, ${Number(files)}::int) n
    `
  }
  // A server that looked for their bytes would log each file as lost.
  yield* sql`
    INSERT INTO ${t.jobs} (kind, key, run_time, insert_time)
    VALUES ('storage.scrub', '', now() + interval '6 days', now())
  `
  yield* sql`ANALYZE ${t.files}`
})

const client = url === undefined
  ? Pglite.layer({ directory: join(dataDirectory, "database") })
  : Postgres.layer({ url })
await Effect.runPromise(fill.pipe(
  Effect.provide(
    Layer.effectDiscard(migrate).pipe(
      Layer.provideMerge(Database.layer),
      Layer.provide(client),
      Layer.provide(Layer.succeed(DatabaseSchema, schema))
    )
  ),
  Effect.orDie
))

const drive = createDrive({
  dataDirectory,
  log: "off",
  media: false,
  rateLimits: false,
  ...(url !== undefined && { database: { url, schema } })
})
const { origin } = await serve(drive, { port: 0 })
printLine(origin)
for (const userId of userIds) {
  await drive.accounts.create({ userId })
  printLine((await drive.sessions.open(userId)).token)
}
