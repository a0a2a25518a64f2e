/** A host's own pool, and calls of the drive within a transaction of the host's. */
import { assert, describe, it } from "@effect/vitest"
import { createDrive } from "@filedrive/adapter-node"
import { Client, Pool, type PoolClient, types } from "pg"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { nobody, refusal } from "./failures.ts"
import { temporaryDrive } from "./hosts.ts"
import { type Host, hosting, inTransaction } from "./poolHost.ts"

const namesOf = async ({ me }: Pick<Host, "me">) => (await me.selectCollections()).folders.map(({ path }) => path)

describe("a drive on the host's pool", () => {
  it(
    "HOST-111 it works on a pool of two connections, with calls at once, while it listens",
    () =>
      hosting({ max: 2 }, {}, async ({ drive, me }) => {
        const feed = me.events({ after: "now" })[Symbol.asyncIterator]()
        const next = feed.next()
        const files = await Promise.all(
          Array.from({ length: 8 }, (_, n) => me.files.put(new Uint8Array(10), { fileName: `${n}` }))
        )
        await Promise.all(files.map(({ id }) => me.tagFiles({ fileIds: [id], tags: ["a"] })))
        assert.strictEqual((await me.searchFiles({})).files.length, 8)
        assert.isFalse((await next).done)
        await feed.return?.()
        await drive.runJobs()
      }),
    120_000
  )

  it(
    "HOST-112 the host's parsers and settings of types change nothing in the drive, nor the drive's in the host",
    async () => {
      const { builtins, getTypeParser, setTypeParser } = types
      const before = [builtins.INT8, builtins.TIMESTAMPTZ, builtins.JSONB, builtins.BOOL, builtins.FLOAT8].map((oid) =>
        [oid, getTypeParser(oid)] as const
      )
      for (const [oid] of before) setTypeParser(oid, () => "the host's")
      try {
        await hosting({ options: "-c TimeZone=Asia/Kolkata -c statement_timeout=20000" }, {}, async ({ me, pool }) => {
          const { id } = await me.files.put(new Uint8Array(10), { fileName: "a" })
          const [file] = (await me.searchFiles({})).files
          assert.strictEqual(file?.id, id)
          assert.strictEqual(file?.fileSize, 10)
          const { rows: [row] } = await pool.query("SELECT now() AS now, current_setting('TimeZone') AS zone")
          assert.deepStrictEqual(row, { now: "the host's", zone: "Asia/Kolkata" })
        })
      } finally {
        for (const [oid, parser] of before) setTypeParser(oid, parser)
      }
    },
    120_000
  )

  it(
    "HOST-113 a pool of one connection, a value that is not a pool, and a pool whose sessions have other settings than needed are refused",
    async () => {
      for (const pool of [new Pool({ max: 1 }), {}, null, new Client()]) {
        assert.throws(
          () => createDrive({ database: { pool: pool as Pool } }),
          /createDrive: database\.pool must be a pg\.Pool/
        )
      }
      for (
        const [options, word] of [["-c DateStyle=German", /DateStyle/], [
          "-c default_transaction_isolation=serializable",
          /isolation/
        ]] as const
      ) {
        const pool = new Pool({ connectionString: await postgresUrl(), options })
        const { close, drive } = await temporaryDrive({ database: { pool, schema: "unused" } })
        const error: unknown = await drive.ready().catch((error: unknown) => error)
        assert.match(String(error), word)
        await close()
        await pool.end()
      }
    },
    60_000
  )
})

describe("a transaction of the host's", () => {
  it(
    "HOST-114 calls of the drive are committed with it, and rolled back with it; others see them after the commit",
    () =>
      hosting({}, {}, async (host) => {
        const { drive, pool, schema, userId } = host
        for (const end of ["ROLLBACK", "COMMIT"] as const) {
          await inTransaction(host, end, async (client) => {
            const tx = drive.transaction(client).as(userId)
            const folder = await tx.createFolder({ path: `/Orders/${end}` })
            await client.query(`INSERT INTO host_${schema}.orders VALUES ($1, $2)`, [end.length, folder.id])
            assert.include((await tx.selectCollections()).folders.map(({ path }) => path), `/Orders/${end}`)
            assert.notInclude(await namesOf(host), `/Orders/${end}`)
          })
        }
        assert.deepStrictEqual(await namesOf(host), ["/Orders", "/Orders/COMMIT"])
        assert.strictEqual((await pool.query(`SELECT 1 FROM host_${schema}.orders`)).rowCount, 1)
      }),
    120_000
  )

  it(
    "HOST-115 a call that is refused leaves the transaction as it was, and calls at once come one after the other",
    () =>
      hosting({}, {}, async (host) => {
        const { drive, userId } = host
        const paths = Array.from({ length: 10 }, (_, n) => `/b${n}`)
        await inTransaction(host, "COMMIT", async (client) => {
          const tx = drive.transaction(client)
          await tx.as(userId).createFolder({ path: "/a" })
          const refused = [
            () => tx.as(userId).createFolder({ path: "" }),
            () => tx.as(userId).renameFolder({ folderId: userId, name: "b" }),
            () => tx.as("nobody").createFolder({ path: "/x" })
          ]
          for (const act of refused) await refusal(act)
          await Promise.all(paths.map((path) => tx.as(userId).createFolder({ path })))
        })
        assert.sameMembers([...await namesOf(host)], ["/a", ...paths])
      }),
    120_000
  )

  it(
    "HOST-115 calls at once come one after the other also where each asks for the transaction itself",
    () =>
      hosting({}, {}, async (host) => {
        const { drive, userId } = host
        const paths = Array.from({ length: 12 }, (_, n) => `/b${n}`)
        const made = await inTransaction(host, "COMMIT", (client) =>
          Promise.allSettled(paths.flatMap((path) => [
            drive.transaction(client).as(userId).createFolder({ path }),
            drive.transaction(client).as(userId).renameFolder({ folderId: userId, name: "b" })
          ])))
        assert.deepStrictEqual(made.map(({ status }) => status), paths.flatMap(() => ["fulfilled", "rejected"]))
        assert.sameMembers([...await namesOf(host)], paths)
      }),
    120_000
  )

  it(
    "HOST-116 a user made in it exists after its commit, and what was read in it is not cached for others",
    () =>
      hosting({}, {}, async (host) => {
        const { drive } = host
        for (const end of ["ROLLBACK", "COMMIT"] as const) {
          const bob = await inTransaction(host, end, async (client) => {
            const tx = drive.transaction(client)
            const made = (await tx.accounts.create({ handle: "bob" }))!
            await tx.as(made.userId).createFolder({ path: "/a" })
            assert.deepStrictEqual((await tx.as(made.userId).searchFiles({})).files, [])
            return made
          })
          const found = await drive.accounts.find(bob.userId)
          if (end === "COMMIT") {
            assert.strictEqual(found?.handle, "bob")
            const { id } = await drive.as(bob.userId).files.put(new Uint8Array(1), { fileName: "a", folder: "/a" })
            assert.strictEqual((await drive.as(bob.userId).searchFiles({})).files[0]?.id, id)
          } else {
            assert.isNull(found)
            assert.strictEqual((await refusal(() => drive.as(bob.userId).selectUserFiles())).code, "not_allowed")
          }
        }
      }),
    120_000
  )

  it(
    "HOST-117 what a joined call leaves to storage is done after the host's commit, and never after a rollback",
    () =>
      hosting({}, {}, async (host) => {
        const { drive, me, userId } = host
        const { id } = await me.files.put(new TextEncoder().encode("kept"), { fileName: "a" })
        const read = async () => new Response((await me.files.get(id)).stream).text()
        await inTransaction(host, "ROLLBACK", async (client) => {
          await drive.transaction(client).as(userId).deleteFiles([{ id }])
          // Jobs of this account wait for the transaction, as every other change of it does.
          assert.strictEqual(await read(), "kept")
        })
        await drive.runJobs()
        assert.strictEqual(await read(), "kept")
        await inTransaction(host, "COMMIT", async (client) => {
          await drive.transaction(client).as(userId).tagFiles({ fileIds: [id], tags: ["x"] })
          await drive.transaction(client).as(userId).trashFiles([{ id }])
        })
        assert.strictEqual((await me.searchFiles({})).files.length, 0)
      }),
    120_000
  )

  it(
    "HOST-118 a client without a transaction, with a failed one, released or lost is refused with the field `client`",
    () =>
      hosting({}, {}, async ({ drive, pool, userId }) => {
        const client = await pool.connect()
        const tx = drive.transaction(client).as(userId)
        const act = () => tx.createFolder({ path: "/a" })
        assert.deepInclude(await refusal(act), { code: "invalid_field", field: "client" })
        await client.query("BEGIN")
        await client.query("SELECT 1/0").catch(() => undefined)
        const failed = await refusal(act)
        assert.strictEqual(failed.field, "client")
        assert.match(failed.message, /failed/)
        await client.query("ROLLBACK")
        client.release()
        assert.strictEqual((await refusal(act)).field, "client")
        // Somebody else takes it: the host here, unless the drive itself has.
        const others: Array<PoolClient> = []
        let again = await pool.connect()
        while (again !== client && pool.idleCount > 0) {
          others.push(again)
          again = await pool.connect()
        }
        for (const other of others) other.release()
        await again.query("BEGIN")
        assert.match((await refusal(act)).message, /released/)
        const lost = drive.transaction(again).as(userId)
        const { rows: [{ pid }] } = await again.query("SELECT pg_backend_pid() AS pid")
        again.on("error", () => undefined)
        await pool.query("SELECT pg_terminate_backend($1)", [pid])
        assert.deepInclude(await refusal(() => lost.createFolder({ path: "/a" })), { code: "unavailable" })
        again.release(true)
        for (const wrong of [null, {}, "x"]) {
          assert.throws(() => drive.transaction(wrong as never), /client must be a client of the host's pool/)
        }
      }),
    120_000
  )

  it("HOST-118 a drive on another database says that it takes no part in transactions", async () => {
    const pool = new Pool({ connectionString: await postgresUrl() })
    const { close, drive } = await temporaryDrive()
    const client = await pool.connect()
    assert.match(
      (await refusal(() => drive.transaction(client).as(nobody).searchFiles({}))).message,
      /database: \{ pool \}/
    )
    client.release()
    await pool.end()
    await close()
  }, 60_000)
})
