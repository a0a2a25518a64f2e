import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"
import { Database } from "./Database.ts"
import * as DatabaseFault from "./DatabaseFault.ts"

const unavailable = [
  "08006",
  "53000",
  "53200",
  "53300",
  "57P01",
  "57P02",
  "57P03",
  "57P04",
  "57P05",
  "25P03",
  "25P04",
  "58000",
  "58030",
  "58P01",
  "25006",
  "40001",
  "40P01"
]

const connecting = (code: string) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: Object.assign(new Error("sorry, too many clients already"), { code }),
      operation: "connect",
      message: "PgConnection: Failed to connect"
    })
  })

testLayer(TestDatabase.layer)("DatabaseFault", (it) => {
  const raised = Effect.fnUntraced(function*(code: string) {
    const { sql } = yield* Database
    const text = `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`
    return yield* Effect.flip(sql.unsafe(text).unprepared)
  })

  it.effect("ERR-15 SQLSTATEs as a server sends them say what the failure means", () =>
    Effect.gen(function*() {
      for (const code of unavailable) {
        const fault = DatabaseFault.of(yield* raised(code))
        assert.deepInclude(fault, { _tag: "Unavailable", code: "unavailable" }, code)
      }
      assert.strictEqual(DatabaseFault.of(yield* raised("53100"))?.code, "no_space")
      for (const code of ["42601", "23505", "22003", "XX000", "42501"]) {
        assert.isUndefined(DatabaseFault.of(yield* raised(code)), code)
      }
    }))

  it.effect("ERR-15 what keeps a connection from being made is an absence, whatever its code", () =>
    Effect.gen(function*() {
      for (const code of ["57P03", "53300", "28P01", "3D000"]) {
        assert.strictEqual(DatabaseFault.of(connecting(code))?.code, "unavailable", code)
      }
      const reset = new SqlError.ConnectionError({ cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) })
      assert.strictEqual(DatabaseFault.of(new SqlError.SqlError({ reason: reset }))?.code, "unavailable")
      for (const code of ["EPIPE", "EMFILE", "ENFILE", "ETIMEDOUT", "EAI_AGAIN"]) {
        const broken = new SqlError.ConnectionError({ cause: Object.assign(new Error("broken"), { code }) })
        assert.strictEqual(DatabaseFault.of(new SqlError.SqlError({ reason: broken }))?.code, "unavailable", code)
      }
      const full = Object.assign(new Error("no space"), { code: "ENOSPC" })
      const lost = new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: full }) })
      assert.strictEqual(DatabaseFault.of(lost)?.code, "no_space")
    }))

  it.effect("ERR-15 it is found among other reasons and within other errors, and others are left alone", () =>
    Effect.gen(function*() {
      const wrapped = new Error("The profile could not be read.", { cause: connecting("57P03") })
      const both = Cause.combine(Cause.die(new Error("first")), Cause.die(wrapped))
      assert.strictEqual(DatabaseFault.ofCause(both)?.code, "unavailable")
      assert.isUndefined(DatabaseFault.ofCause(Cause.die(new Error("no database"))))
      const told = yield* Effect.flip(DatabaseFault.told(Effect.die(wrapped)))
      assert.strictEqual(told.code, "unavailable")
      assert.strictEqual(yield* Effect.flip(DatabaseFault.told(Effect.fail("mine"))), "mine")
    }))
})
