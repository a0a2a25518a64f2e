import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Layer } from "effect"
import { layer, newAccount } from "../../test/FilesTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import * as Limits from "../limits/Limits.ts"
import type { AccountId, TaskId } from "../shared/Ids.ts"
import { TasksRepo } from "./TasksRepo.ts"

const queued = 2_000

const database = TestDatabase.layerPostgres

testLayer(layer(Layer.fresh(database)).pipe((drive) => TasksRepo.layer.pipe(Layer.provideMerge(drive))), {
  timeout: "90 seconds"
})("TasksRepo", (it) => {
  /** Queues tasks of an account, in their order. `contexts`: of how many conversations they are, by turns. */
  const fill = Effect.fnUntraced(function*(accountId: AccountId, contexts: number) {
    const { sql, tables: t } = yield* Database
    const rows = yield* sql<{ readonly id: TaskId }>`
      INSERT INTO ${t.agent_tasks} (
        id, account_id, credential_id, credential_name, context_id, phase, status_time, queue_time, insert_time
      ) SELECT gen_random_uuid(), ${accountId}, ${accountId}, 'test', 'c' || (no % ${contexts}::int), 'queued', at, at, at
      FROM (SELECT no, timestamptz '2026-09-28' + no * interval '1 second' AS at FROM generate_series(0, ${
      queued - 1
    }::int) no) fresh
      RETURNING id
    `
    return rows.map(({ id }) => id)
  })

  /** How many rows of tasks are read for something, as PostgreSQL counts them. */
  const read = <A, E, R>(accountId: AccountId, work: Effect.Effect<A, E, R>) =>
    AccountTransaction.use((transaction) =>
      transaction.run(accountId, () =>
        Effect.gen(function*() {
          const { schema, sql } = yield* Database
          const count = sql<{ readonly rows: number }>`
            SELECT (seq_tup_read + idx_tup_fetch)::float8 AS rows FROM pg_stat_xact_user_tables
            WHERE schemaname = ${schema} AND relname = 'agent_tasks'
          `.pipe(Effect.map((rows) => rows[0]!.rows))
          const before = yield* count
          const answer = yield* work
          return { answer, rows: (yield* count) - before }
        }))
    )

  it.effect("TASK-300 whose turn it is costs a few rows for each task that waits, of one conversation and of many", () =>
    Effect.gen(function*() {
      const repo = yield* TasksRepo
      for (const contexts of [1, queued]) {
        const me = yield* newAccount
        const ids = yield* fill(me, contexts)
        const next = yield* read(me, repo.startable(me, Limits.tasksRunning))
        assert.deepStrictEqual(next.answer.map(({ id }) => id), ids.slice(0, Math.min(contexts, Limits.tasksRunning)))
        assert.isAtMost(next.rows, 3 * queued)
      }
    }))

  it.effect("TASK-300 a task that has to wait is told so without reading the queue", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const repo = yield* TasksRepo
      const me = yield* newAccount
      const ids = yield* fill(me, 1)
      const last = (yield* repo.find(me, ids.at(-1)!))!
      const behind = yield* read(me, repo.isStartable(last, Limits.tasksRunning))
      assert.isFalse(behind.answer)
      assert.isAtMost(behind.rows, 20)
      const first = (yield* repo.find(me, ids[0]!))!
      assert.isTrue(yield* repo.isStartable(first, Limits.tasksRunning))

      const other = yield* newAccount
      const own = yield* fill(other, queued)
      for (const id of own.slice(0, Limits.tasksRunning)) {
        yield* sql`UPDATE ${t.agent_tasks} SET phase = 'running' WHERE account_id = ${other} AND id = ${id}`
      }
      const full = yield* read(
        other,
        Effect.flatMap(repo.find(other, own[10]!), (task) => repo.isStartable(task!, Limits.tasksRunning))
      )
      assert.isFalse(full.answer)
      assert.isAtMost(full.rows, 20)
    }))
})
