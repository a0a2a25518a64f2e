/**
 * A server for small files, written by hand: Fastify, one file with one sync, one INSERT. It does not authenticate callers,
 * count, search or delete files, or sync their directory.
 */
import fastify from "fastify"
import { randomUUID } from "node:crypto"
import { mkdir, open } from "node:fs/promises"
import { join } from "node:path"
import { Pool } from "pg"
import { openOnDisk } from "../../packages/adapter-node/src/database/PgliteDisk.ts"
import type { HandOptions } from "../SmallFiles.ts"
import { options, ready } from "./parent.ts"

type Query = (text: string, values?: ReadonlyArray<unknown>) => Promise<unknown>

const { database, directory } = options<HandOptions>()

const connect = async (): Promise<Query> => {
  if (database.kind === "postgres") {
    const pool = new Pool({ connectionString: database.url, max: 10 })
    return (text, values) => pool.query(values === undefined ? text : { name: "insert", text, values: [...values] })
  }
  const place = join(directory, "database")
  if (database.kind === "unsynced") {
    const { PGlite } = await import("@electric-sql/pglite")
    const pglite = await PGlite.create(place)
    return (text, values) => pglite.query(text, values && [...values])
  }
  const fail = (cause: unknown) => {
    throw cause
  }
  const onDisk = { directory: place, onDiskFull: () => fail("full"), onFail: fail, onReserveGiven: () => {} }
  const { pglite } = await openOnDisk(onDisk)
  return (text, values) => pglite.query(text, values && [...values])
}

const files = join(directory, "files")
await mkdir(files, { recursive: true })
const query = await connect()
await query(`
  CREATE TABLE small_files (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    file_name text NOT NULL,
    size bigint NOT NULL,
    insert_time timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account_id, file_name)
  )`)
const insert = "INSERT INTO small_files (id, account_id, file_name, size) VALUES ($1, $2, $3, $4)"

const write = async (id: string, bytes: Buffer) => {
  const file = await open(join(files, id), "wx", 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

const app = fastify()
app.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, (_, body, done) => done(null, body))
app.post<{ Body: Buffer; Querystring: { readonly account: string; readonly name: string } }>(
  "/files",
  async ({ body, query: { account, name } }) => {
    const id = randomUUID()
    await write(id, body)
    await query(insert, [id, account, name, body.length])
    return { id }
  }
)
ready({ origin: await app.listen({ port: 0, host: "127.0.0.1" }) })
