/** A host with a pool of its own, for tests of drives on it. */
import { assert } from "@effect/vitest"
import { createDrive, type Drive, DriveError, type DriveOptions } from "@filedrive/adapter-node"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Pool, type PoolConfig } from "pg"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"

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
  const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-pool-"))
  const drive = createDrive({ dataDirectory, database: { pool, schema }, log: "off", ...more })
  try {
    await pool.query(`CREATE SCHEMA host_${schema}`)
    await pool.query(`CREATE TABLE host_${schema}.orders (id int PRIMARY KEY, folder text)`)
    const { userId } = (await drive.accounts.create({ handle: "ada" }))!
    await use({ drive, pool, schema, userId, me: drive.as(userId) })
    await drive.close()
    assert.strictEqual(pool.idleCount, pool.totalCount, "every connection was given back")
  } finally {
    await drive.close()
    // The pool is the host's, and still works.
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await pool.query(`DROP SCHEMA IF EXISTS host_${schema} CASCADE`)
    await pool.end()
    await rm(dataDirectory, { recursive: true, force: true })
  }
}

export const failure = (act: () => unknown): Promise<DriveError> =>
  Promise.resolve().then(act).then(
    () => assert.fail("it was not refused"),
    (error: unknown) => {
      assert.instanceOf(error, DriveError, String(error))
      return error as DriveError
    }
  )
