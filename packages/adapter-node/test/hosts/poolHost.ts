/** A host with a pool of its own, for tests of drives on it. */
import { assert, vi } from "@effect/vitest"
import type { Drive, DriveOptions } from "@filedrive/adapter-node"
import { Pool, type PoolClient, type PoolConfig } from "pg"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { temporaryDrive } from "./hosts.ts"

let schemas = 0

export interface Host {
  readonly drive: Drive
  readonly pool: Pool
  readonly me: ReturnType<Drive["as"]>
  readonly userId: string
  readonly schema: string
}

/** A host with a table of its own, and a drive on its pool. */
export const hosting = async (options: PoolConfig, more: DriveOptions, use: (host: Host) => Promise<void>) => {
  const pool = new Pool({ connectionString: await postgresUrl(), ...options })
  pool.on("error", () => undefined)
  const schema = `pool_${process.pid}_${++schemas}`
  const { close, drive } = await temporaryDrive({ database: { pool, schema }, ...more })
  try {
    await pool.query(`CREATE SCHEMA host_${schema}`)
    await pool.query(`CREATE TABLE host_${schema}.orders (id int PRIMARY KEY, folder text)`)
    const { userId } = (await drive.accounts.create({ handle: "ada" }))!
    await use({ drive, pool, schema, userId, me: drive.as(userId) })
    await drive.close()
    // A connection that the pool was opening when nobody needed it any longer is open a moment later.
    await vi.waitFor(
      () => assert.strictEqual(pool.idleCount, pool.totalCount, "every connection was given back"),
      30_000
    )
  } finally {
    await close()
    // The pool is the host's, and still works.
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await pool.query(`DROP SCHEMA IF EXISTS host_${schema} CASCADE`)
    await pool.end()
  }
}

/** Runs `work` in a transaction of the host's, which ends by `end`. */
export const inTransaction = async <A>(
  { pool }: Pick<Host, "pool">,
  end: "COMMIT" | "ROLLBACK",
  work: (client: PoolClient) => Promise<A>
): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const result = await work(client)
    await client.query(end)
    return result
  } finally {
    client.release()
  }
}
