import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { drive, message, newCredential, send, TestAgent } from "../../test/TasksTest.ts"
import { Database } from "../database/Database.ts"
import * as Limits from "../limits/Limits.ts"
import type { NewPart } from "../tasks/Task.ts"

layer(TestAgent, { timeout: "90 seconds" })("Tasks that wait for their turn", (it) => {
  it.effect("TASK-333 at most 10,000 tasks of an account are at work or wait for their turn; of a further one nothing is kept", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const owner = yield* newCredential()
      yield* sql`UPDATE ${t.accounts} SET tasks_active = ${Limits.tasksOpen - 1} WHERE id = ${owner.accountId}`
      const last = message("the last one")
      const kept = yield* send(owner, last)
      const raw: NewPart = { raw: new TextEncoder().encode("bytes"), filename: "kept.txt" as never }
      for (const part of ["one more", raw]) {
        assert.strictEqual((yield* Effect.flip(send(owner, part)))._tag, "TooManyTasks")
      }
      assert.strictEqual((yield* send(owner, last)).id, kept.id)
      assert.lengthOf(
        (yield* drive(owner, "selectUserFiles", {})).files ?? (yield* drive(owner, "selectUserFiles", {})),
        0
      )
      const other = yield* newCredential()
      yield* send(other, "of another account")
      yield* sql`UPDATE ${t.accounts} SET tasks_active = 1 WHERE id = ${owner.accountId}`
      yield* send(owner, "one more")
    }))
})
