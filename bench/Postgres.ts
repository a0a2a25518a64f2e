/** A PostgreSQL server: the one of `TEST_DATABASE_URL`, else one of our own, with an empty database for each use. */
import { Client } from "pg"
import { startPostgres } from "../packages/testing/src/PostgresServer.ts"

const onServer = async (url: string, statement: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

let databases = 0

/** Hands the URL of an empty database to `work`. */
export const withPostgres = async <A>(work: (url: string) => Promise<A>): Promise<A> => {
  const given = process.env["TEST_DATABASE_URL"]
  const own = given === undefined || given === "" ? await startPostgres() : undefined
  const serverUrl = own?.url ?? given!
  const name = `filedrive_bench_${process.pid}_${++databases}`
  try {
    await onServer(serverUrl, `CREATE DATABASE ${name}`)
    const url = new URL(serverUrl)
    url.pathname = name
    return await work(url.href)
  } finally {
    await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await own?.stop()
  }
}
