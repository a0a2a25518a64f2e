/** Clients and transactions that a host gives and calls can't join, and isolation levels other than READ COMMITTED. */
import { assert, describe, it } from "@effect/vitest"
import { DriveError, type TransactionClient } from "@filedrive/adapter-node"
import { Pool, type PoolClient } from "pg"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { refusal } from "./failures.ts"
import { type Host, hosting } from "./poolHost.ts"

/** Runs `work` in a transaction of the host's that begins by `begin`. */
const inTransaction = async <A>(
  { pool }: Pick<Host, "pool">,
  begin: string,
  work: (client: PoolClient) => Promise<A>,
  end = "COMMIT"
): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query(begin)
    const answer = await work(client)
    await client.query(end)
    return answer
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

const repeatable = "BEGIN ISOLATION LEVEL REPEATABLE READ"
const serializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"

/** What a host recognises a serialization failure by, of the drive's calls and of its own statements. */
const isOvertaken = (error: unknown) =>
  [error, (error as Error).cause].some((at) => (at as { readonly code?: unknown } | undefined)?.code === "40001")

describe("what can't be joined", () => {
  it(
    "HOST-161 a client of another database is refused by name, and changes nothing there",
    () =>
      hosting({}, {}, async ({ drive, pool, schema, userId }) => {
        const name = `other_${schema}`
        await pool.query(`CREATE DATABASE ${name}`)
        const url = new URL(await postgresUrl())
        url.pathname = `/${name}`
        const elsewhere = new Pool({ connectionString: url.href })
        try {
          const client = await elsewhere.connect()
          // Even where it has a drive of the same name.
          await client.query(`CREATE SCHEMA ${schema}`)
          await client.query("BEGIN")
          const tx = drive.transaction(client)
          for (
            const act of [() => tx.as(userId).createFolder({ path: "/a" }), () => tx.accounts.create({ handle: "b" })]
          ) {
            const refused = await refusal(act)
            assert.deepInclude(refused, { code: "invalid_field", field: "client", retryable: false })
            assert.match(refused.message, new RegExp(`connected to another one, "${name}"`))
          }
          // The transaction itself goes on.
          await client.query("SELECT 1")
          await client.query("COMMIT")
          client.release()
        } finally {
          await elsewhere.end()
          await pool.query(`DROP DATABASE ${name}`)
        }
      }),
    120_000
  )

  it(
    "HOST-161 a client of another pool on the drive's database joins as one of the pool's own",
    () =>
      hosting({}, {}, async ({ drive, me, userId }) => {
        const other = new Pool({ connectionString: await postgresUrl() })
        try {
          await inTransaction(
            { pool: other },
            "BEGIN",
            (client) => drive.transaction(client).as(userId).createFolder({ path: "/a" })
          )
          assert.deepStrictEqual((await me.selectCollections()).folders.map(({ path }) => path), ["/a"])
        } finally {
          await other.end()
        }
      }),
    120_000
  )

  it("HOST-161 one whose session has another DateStyle is told so", () =>
    hosting({}, {}, async ({ drive, userId }) => {
      const other = new Pool({ connectionString: await postgresUrl(), options: "-c DateStyle=German" })
      try {
        const refused = await inTransaction({ pool: other }, "BEGIN", (client) =>
          refusal(() =>
            drive.transaction(client).as(userId).createFolder({ path: "/a" })
          ))
        assert.match(refused.message, /^client must have DateStyle ISO/)
      } finally {
        await other.end()
      }
    }), 120_000)

  it(
    "HOST-162 in a read-only transaction calls that read work, and one that changes something names that",
    () =>
      hosting({}, {}, async (host) => {
        await host.me.createFolder({ path: "/a" })
        await inTransaction(host, "BEGIN READ ONLY", async (client) => {
          const tx = host.drive.transaction(client).as(host.userId)
          assert.deepStrictEqual((await tx.selectCollections()).folders.map(({ path }) => path), ["/a"])
          const refused = await refusal(() => tx.createFolder({ path: "/b" }))
          assert.deepInclude(refused, { code: "invalid_field", field: "client", retryable: false })
          assert.match(refused.message, /read-only/)
          assert.deepStrictEqual((await tx.searchFiles({})).files, [])
        })
      }),
    120_000
  )

  it(
    "HOST-161 what only looks like a client is refused, whatever its query does",
    () =>
      hosting({}, {}, async ({ drive, userId }) => {
        const queries: Readonly<Record<string, () => unknown>> = {
          nothing: () => undefined,
          rows: () => Promise.resolve({ rows: [], rowCount: 0 }),
          throws: () => {
            throw new RangeError("no")
          },
          rejects: () => Promise.reject(new RangeError("no"))
        }
        for (const [name, query] of Object.entries(queries)) {
          const fake = { query, release: () => undefined } as TransactionClient
          const refused = await refusal(() => drive.transaction(fake).as(userId).createFolder({ path: "/a" }))
          assert.deepInclude(refused, { code: "invalid_field", field: "client", retryable: false }, name)
          assert.match(refused.message, /its query takes no statements/)
        }
      }),
    120_000
  )

  it("HOST-161 a client that hands on to one of the pool's joins as that one", () =>
    hosting({}, {}, async (host) => {
      await inTransaction(host, "BEGIN", async (client) => {
        const query = async (statement: never) => client.query(statement)
        const wrapped = { query, release: () => undefined } as unknown as TransactionClient
        await host.drive.transaction(wrapped).as(host.userId).createFolder({ path: "/a" })
      })
      assert.deepStrictEqual((await host.me.selectCollections()).folders.map(({ path }) => path), ["/a"])
    }), 120_000)
})

describe("transactions of other isolation levels", () => {
  for (const begin of [repeatable, serializable]) {
    it(
      `HOST-163 calls see what the transaction has changed, and are committed and rolled back with it: ${begin}`,
      () =>
        hosting({}, {}, async (host) => {
          for (const end of ["ROLLBACK", "COMMIT"]) {
            await inTransaction(host, begin, async (client) => {
              const tx = host.drive.transaction(client).as(host.userId)
              const { id } = await tx.createFolder({ path: `/${end}` })
              await tx.renameFolder({ folderId: id, name: `${end}S` })
              await refusal(() => tx.renameFolder({ folderId: host.userId, name: "x" }))
              assert.include((await tx.selectCollections()).folders.map(({ path }) => path), `/${end}S`)
            }, end)
          }
          assert.deepStrictEqual((await host.me.selectCollections()).folders.map(({ path }) => path), ["/COMMITS"])
        }),
      120_000
    )

    it(
      `HOST-163 a change that another has overtaken is told apart from all other errors: ${begin}`,
      () =>
        hosting({}, {}, async (host) => {
          const { drive, me, pool, schema, userId } = host
          const files = await Promise.all(
            ["a", "b"].map((fileName) => me.files.put(new Uint8Array(100), { fileName }))
          )
          await pool.query(`INSERT INTO host_${schema}.orders VALUES (1, 'none')`)
          let attempts = 0
          const attempt = () =>
            inTransaction(host, begin, async (client) => {
              await client.query(`SELECT * FROM host_${schema}.orders`)
              // Another call changes the account after the transaction has begun.
              if (attempts++ === 0) await me.files.put(new Uint8Array(7), { fileName: "c" })
              const tx = drive.transaction(client).as(userId)
              try {
                await tx.deleteFiles(files)
              } catch (error) {
                assert.instanceOf(error, DriveError)
                assert.deepInclude(error as DriveError, { code: "unavailable", retryable: false })
                assert.match(String(error), /serialization failure/)
                // The same call in the same transaction can never work; others of the host's can.
                assert.isTrue(isOvertaken(await refusal(() => tx.deleteFiles(files))))
                await client.query("SELECT 1")
                throw error
              }
              await client.query(`UPDATE host_${schema}.orders SET folder = 'done'`)
            })
          for (let isDone = false; !isDone;) {
            isDone = await attempt().then(() => true, (error: unknown) => {
              if (!isOvertaken(error)) throw error
              return false
            })
          }
          assert.strictEqual(attempts, 2)
          await drive.runJobs()
          assert.deepInclude(await me.getUserStorageUsage(), { usedBytes: 7, pendingBytes: 0 })
          assert.deepStrictEqual((await pool.query(`SELECT folder FROM host_${schema}.orders`)).rows, [{
            folder: "done"
          }])
        }),
      120_000
    )

    it(
      `HOST-163 the quota is exact whatever calls outside do at the same time: ${begin}`,
      () =>
        hosting({}, { quotaBytes: 1_000 }, async (host) => {
          const { drive, me, userId } = host
          const put = (n: number) => me.files.put(new Uint8Array(50), { fileName: `${n}` })
          const files = await Promise.all(Array.from({ length: 10 }, (_, n) => put(n)))
          const deletions = files.map(async ({ id }) => {
            for (;;) {
              const error = await inTransaction(host, begin, async (client) => {
                await client.query("SELECT 1")
                await drive.transaction(client).as(userId).deleteFiles([{ id }])
              }).then(() => undefined, (error: unknown) => error)
              if (error === undefined) return
              if (!isOvertaken(error)) throw error
            }
          })
          await Promise.all([...deletions, ...Array.from({ length: 10 }, (_, n) => put(100 + n))])
          await drive.runJobs()
          assert.strictEqual((await me.searchFiles({})).files.length, 10)
          assert.deepInclude(await me.getUserStorageUsage(), { usedBytes: 500, pendingBytes: 0 })
          // To the last byte.
          await me.files.put(new Uint8Array(500), { fileName: "last" })
          assert.strictEqual((await refusal(() => put(1))).code, "storage_limit_reached")
        }),
      120_000
    )
  }
})
