/** A PostgreSQL server: the one of `TEST_DATABASE_URL`, else one of our own, with an empty database for each use. */
import { Client } from "pg"
import { startPostgres } from "../packages/testing/src/PostgresServer.ts"
import { treeCpuSeconds } from "./ServerProcess.ts"

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

const withDatabase = async <A>(serverUrl: string, work: (url: string) => Promise<A>): Promise<A> => {
  const name = `filedrive_bench_${process.pid}_${++databases}`
  try {
    await onServer(serverUrl, `CREATE DATABASE ${name}`)
    const url = new URL(serverUrl)
    url.pathname = name
    return await work(url.href)
  } finally {
    await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
}

/** Hands the URL of an empty database to `work`. */
export const withPostgres = async <A>(work: (url: string) => Promise<A>): Promise<A> => {
  const given = process.env["TEST_DATABASE_URL"]
  const own = given === undefined || given === "" ? await startPostgres() : undefined
  try {
    return await withDatabase(own?.url ?? given!, work)
  } finally {
    await own?.stop()
  }
}

export interface DurablePostgres {
  /** Hands the URL of an empty database to `work`. */
  readonly withDatabase: <A>(work: (url: string) => Promise<A>) => Promise<A>
  /** Processor seconds of all its processes so far, those that have ended included. */
  readonly cpuSeconds: () => number
}

/** Hands to `work` a server of our own that syncs what it commits (`fsync` and `synchronous_commit` on, as by default). */
export const withDurablePostgres = async <A>(work: (server: DurablePostgres) => Promise<A>): Promise<A> => {
  const own = await startPostgres({ settings: [] })
  try {
    return await work({
      withDatabase: (work) => withDatabase(own.url, work),
      cpuSeconds: () => treeCpuSeconds(own.pid)
    })
  } finally {
    await own.stop()
  }
}
