/**
 * A server for small files, written by hand: Fastify, one file with one sync, one INSERT. It does not count, search or delete
 * files, or sync their directory. It takes a file in one request, of anyone; or in the three that the drive has: a signed address
 * for the bytes, the bytes, the record. The first and last of them look up the caller's session.
 */
import fastify from "fastify"
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto"
import { mkdir, open, stat } from "node:fs/promises"
import { join } from "node:path"
import { Pool } from "pg"
import { beginOnDisk } from "../../packages/adapter-node/src/database/PgliteDisk.ts"
import type { HandOptions } from "../SmallFiles.ts"
import { options, ready } from "./parent.ts"

type Query = (text: string, values?: ReadonlyArray<unknown>) => Promise<{ readonly rows: ReadonlyArray<unknown> }>

const { database, directory } = options<HandOptions>()

/** A prepared statement's name has 63 characters at most. */
const names = new Map<string, string>()
const nameOf = (text: string) => names.get(text) ?? names.set(text, `statement ${names.size}`).get(text)!

const connect = async (): Promise<Query> => {
  if (database.kind === "postgres") {
    const pool = new Pool({ connectionString: database.url, max: 10 })
    return (text, values) => pool.query(values === undefined ? text : { name: nameOf(text), text, values: [...values] })
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
  const { pglite } = await beginOnDisk()(onDisk)
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
await query(
  "CREATE TABLE sessions (token text PRIMARY KEY, account_id uuid NOT NULL, expire_time timestamptz NOT NULL)"
)
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

const key = randomBytes(32)
const signatureOf = (id: string, size: number, expires: number) =>
  createHmac("sha256", key).update(`${id}:${size}:${expires}`).digest("hex")

const findSession = "SELECT account_id AS account FROM sessions WHERE token = $1 AND expire_time > now()"
const accountOf = async (authorization: string | undefined): Promise<string> => {
  const { rows: [session] } = await query(findSession, [authorization])
  if (session === undefined) throw Object.assign(new Error("no session"), { statusCode: 401 })
  return (session as { readonly account: string }).account
}

app.post<{ Body: { readonly token: string; readonly account: string } }>("/sessions", async ({ body }) => {
  const open = "INSERT INTO sessions VALUES ($1, $2, now() + interval '1 day') ON CONFLICT DO NOTHING"
  await query(open, [`Bearer ${body.token}`, body.account])
  return {}
})

app.post<{ Body: { readonly fileSize: number } }>("/forms", async ({ body, headers }) => {
  await accountOf(headers.authorization)
  const id = randomUUID()
  const expires = Date.now() + 3_600_000
  const signature = signatureOf(id, body.fileSize, expires)
  return { id, uploadUrl: `/bytes?id=${id}&size=${body.fileSize}&expires=${expires}&signature=${signature}` }
})

app.post<{ Body: Buffer; Querystring: { id: string; size: number; expires: number; signature: string } }>(
  "/bytes",
  async ({ body, query: { expires, id, signature, size } }, reply) => {
    const right = Buffer.from(signatureOf(id, Number(size), Number(expires)))
    const given = Buffer.from(signature)
    const isRight = given.length === right.length && timingSafeEqual(given, right)
    if (!isRight || Number(expires) < Date.now() || body.length !== Number(size)) return reply.code(403).send({})
    await write(id, body)
    return {}
  }
)

app.post<{ Body: { readonly id: string; readonly fileName: string; readonly fileSize: number } }>(
  "/records",
  async ({ body: { fileName, fileSize, id }, headers }, reply) => {
    const account = await accountOf(headers.authorization)
    const { size } = await stat(join(files, id))
    if (size !== fileSize) return reply.code(400).send({})
    await query(insert, [id, account, fileName, size])
    return { id }
  }
)
ready({ origin: await app.listen({ port: 0, host: "127.0.0.1" }) })
