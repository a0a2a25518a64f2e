/** What a host's code and a caller are told while the database refuses to serve. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { testDatabase } from "@filedrive/testing"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDrive, userOf } from "./hosts.ts"

const ends: Array<() => Promise<unknown>> = []
afterAll(() => Promise.all(ends.map((end) => end())))

/** A drive, and a way to change its database behind its back. */
const start = async () => {
  let client: SqlClient.SqlClient | undefined
  const database = Layer.tap(
    testDatabase(),
    (context) => Effect.provide(SqlClient.SqlClient.use((sql) => Effect.sync(() => void (client = sql))), context)
  )
  const { close, drive } = await temporaryDrive({ url: "http://drive.test", database })
  ends.push(close)
  await drive.ready()
  const run = (statement: string) => Effect.runPromise(client!.unsafe(statement).unprepared)
  return { drive, run, user: userOf(drive) }
}

describe("a database that does not serve", () => {
  it("ERR-16 the api in code rejects with what the routes answer", async () => {
    const { drive, run, user } = await start()
    const { userId } = await user()
    const { token } = await drive.sessions.open(userId)
    // Other tests' drives may share the server.
    const schemas = await run("SELECT schemaname AS name FROM pg_tables WHERE tablename = 'accounts'")
    let schema = ""
    for (const { name } of schemas as unknown as ReadonlyArray<{ readonly name: string }>) {
      if ((await run(`SELECT 1 FROM ${name}.accounts WHERE id = '${userId}'`)).length > 0) schema = name
    }
    const fail = (code: string) =>
      run(
        `CREATE OR REPLACE FUNCTION ${schema}.fail() RETURNS boolean LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'secret cause' USING ERRCODE = '${code}'; END $$`
      )
    await fail("57P01")
    await run(`CREATE FUNCTION ${schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM ${schema}.fail(); END $$`)
    await run(`CREATE TRIGGER refuse BEFORE UPDATE ON ${schema}.accounts EXECUTE FUNCTION ${schema}.refuse()`)
    await run(`ALTER TABLE ${schema}.files RENAME TO files_kept`)
    await run(
      `CREATE VIEW ${schema}.files AS WITH failed AS MATERIALIZED (SELECT ${schema}.fail())
        SELECT kept.* FROM failed LEFT JOIN ${schema}.files_kept kept ON true`
    )

    const { files, purgeTrashedFiles } = drive.as(userId)
    const list = async () => {
      for await (const file of files.list()) assert.isUndefined(file)
    }
    for (
      const [sqlState, code] of [["57P01", "unavailable"], ["25006", "unavailable"], ["53100", "no_space"]] as const
    ) {
      await fail(sqlState)
      for (const call of [purgeTrashedFiles, list]) {
        const error = await call().catch((error: unknown) => error)
        assert.instanceOf(error, Error)
        assert.strictEqual((error as { readonly code?: string }).code, code, sqlState)
        assert.notInclude(error.message, "secret")
      }
      const answer = await drive.fetch(
        new Request("http://drive.test/api/purge-trashed-files", {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "x-service-app": "filedrive" }
        })
      )
      const body = await answer.json() as { readonly code: string }
      assert.deepStrictEqual([answer.status, body.code], [503, code], sqlState)
    }
  })
})
