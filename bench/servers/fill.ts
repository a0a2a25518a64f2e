/**
 * Makes the database and an account's library, of records without bytes. In a
 * process of its own: the drive that is measured has not done it.
 */
import { Database, migrate } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as Pglite from "../../packages/adapter-node/src/database/Pglite.ts"
import * as Postgres from "../../packages/adapter-node/src/database/Postgres.ts"
import type { Filled, FillingOptions } from "../DriveServerOptions.ts"
import { options, ready } from "./parent.ts"

const { databaseUrl, dataDirectory, files } = options<FillingOptions>()

const insert = Effect.fnUntraced(function*(userId: string, files: number) {
  const { sql, tables: t } = yield* Database
  yield* sql`INSERT INTO ${t.accounts} (id, used_bytes) VALUES (${userId}, ${files}::bigint * 1000000)`
  yield* sql`
    INSERT INTO ${t.files}
      (id, account_id, type, file_name, mime_type, size, object_key, store_key, etag, insert_time)
    SELECT gen_random_uuid(), ${userId}, 'Image', 'IMG_' || n || '.jpg', 'image/jpeg', 1000000,
      'users/' || ${userId} || '/holiday/IMG_' || n || '.jpg', 'files/' || ${userId} || '/' || gen_random_uuid(),
      md5(n::text), timestamptz '2026-01-01' + n * interval '1 second'
    FROM generate_series(1, ${files}::int) n
  `
  // There are no bytes: a server that looked for them now would log each file as lost, while it is measured.
  yield* sql`
    INSERT INTO ${t.jobs} (kind, key, run_time, insert_time)
    VALUES ('storage.scrub', '', now() + interval '6 days', now())
  `
  yield* sql`ANALYZE ${t.files}`
  const rows = yield* sql<{ readonly id: string }>`SELECT id FROM ${t.files} WHERE account_id = ${userId} LIMIT 1`
  return rows[0]?.id ?? null
})

const userId = randomUUID()
const client = databaseUrl === undefined
  ? Pglite.layer({ directory: join(dataDirectory, "database") })
  : Postgres.layer({ url: databaseUrl })
const migrated = Layer.effectDiscard(migrate).pipe(Layer.provideMerge(Database.layer), Layer.provide(client))
const fileId = await Effect.runPromise(insert(userId, files).pipe(Effect.provide(migrated), Effect.orDie))
ready({ userId, fileId } satisfies Filled)
