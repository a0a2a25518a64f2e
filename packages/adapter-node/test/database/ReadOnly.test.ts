/** A server that begins to take no changes under a running drive, as after a failover to a standby. */
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { temporaryDrive } from "../hosts/hosts.ts"

const site = "http://drive.test"

it("DB-121 HOST-250 while the database is read-only reads work, changes are 503, and /readyz says so", async () => {
  const url = await postgresUrl()
  const name = `read_only_${process.pid}`
  const run = (...statements: ReadonlyArray<string>) =>
    Effect.runPromise(
      SqlClient.SqlClient.use((sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared))
        .pipe(
          Effect.provide(PgClient.layer({ url: Redacted.make(url) }))
        )
    )
  const setReadOnly = (isReadOnly: boolean) =>
    run(
      `ALTER ROLE ${name} SET default_transaction_read_only = ${isReadOnly}`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${name}'`
    )
  await run(`CREATE ROLE ${name} LOGIN`, `CREATE DATABASE ${name} OWNER ${name}`)
  const own = new URL(url)
  own.username = name
  own.pathname = name
  const { close, drive } = await temporaryDrive({ url: site, database: { url: own.href }, runJobs: false })
  try {
    const { userId } = (await drive.accounts.create({ handle: "ada" }))!
    const { token } = await drive.sessions.open(userId)
    const { files } = drive.as(userId)
    const file = await files.put(new TextEncoder().encode("one"), { fileName: "one.txt" })
    for (let n = 0; n < 3; n++) await files.put(new TextEncoder().encode(`more ${n}`), { fileName: `more ${n}.txt` })
    const ask = async (path: string, body?: object) => {
      const answer = await drive.fetch(
        new Request(site + path, {
          method: path.startsWith("/api") ? "POST" : "GET",
          headers: {
            authorization: `Bearer ${token}`,
            "x-service-app": "filedrive",
            "content-type": "application/json"
          },
          ...body && { body: JSON.stringify(body) }
        })
      )
      const { code, retryable } = await answer.json() as { readonly code?: string; readonly retryable?: boolean }
      return { status: answer.status, code, retryable }
    }
    const reads = [
      ["/api/select-user-files", {}],
      ["/api/search-files", { limit: 1 }],
      ["/api/search-files", { text: "more", limit: 1 }],
      ["/api/generate-download-url", { id: file.id }],
      ["/api/select-trashed-files", {}],
      ["/api/get-user-storage-usage", {}],
      ["/api/read-file", { fileId: file.id }]
    ] as const
    const changes = [
      ["/api/create-folder", { path: "/a" }],
      ["/api/trash-files", [{ id: file.id }]],
      ["/api/create-playlist", { title: "a" }],
      ["/api/rename-file", { fileId: file.id, fileName: "two.txt" }]
    ] as const
    /** Until every connection of the pool is a new one: calls on one that was just ended are 503. */
    const reconnected = async () => {
      for (let sound = false; !sound;) {
        const answers = await Promise.all(Array.from({ length: 20 }, () => ask("/api/select-user-files", {})))
        sound = answers.every(({ status }) => status === 200)
      }
    }
    await setReadOnly(true)
    await reconnected()
    for (const [path, body] of reads) assert.strictEqual((await ask(path, body)).status, 200, path)
    for (const [path, body] of changes) {
      assert.deepInclude(await ask(path, body), { status: 503, code: "unavailable", retryable: true }, path)
    }
    assert.deepInclude(await ask("/readyz"), { status: 503, code: "unavailable" })
    await setReadOnly(false)
    await reconnected()
    assert.strictEqual((await ask("/readyz")).status, 200)
    for (const [path, body] of changes.slice(0, 1)) assert.strictEqual((await ask(path, body)).status, 200, path)
  } finally {
    await close()
    await run(`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${name}`)
  }
}, 120_000)
