import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertState, drive, get, newCredential, runJobs, send, TestAgent } from "../../test/TasksTest.ts"
import { as } from "../../test/TestAccounts.ts"
import { ownerClientId } from "../accounts/OwnerTokens.ts"
import { Database } from "../database/Database.ts"
import * as Limits from "../limits/Limits.ts"
import { OwnedTasks } from "../tasks/OwnedTasks.ts"

layer(TestAgent, { timeout: "90 seconds" })("Tasks of the owner's own", (it) => {
  it.effect("TASK-400 all are of one credential, which is listed, has no text, and is replaced once it was revoked", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const start = (messageId: string) => drive(owner, "startAgentTask", { messageId, text: "hello" })
      const own = Effect.map(
        drive(owner, "selectApiTokens", undefined),
        (tokens: ReadonlyArray<any>) => tokens.filter(({ clientId }) => clientId === ownerClientId)
      )
      yield* Effect.all([start("a"), start("b"), start("c")], { concurrency: "unbounded" })
      yield* runJobs
      const [token, ...others] = yield* own
      assert.lengthOf(others, 0)
      assert.deepInclude(token, { permissions: null, folder: null, expireTime: null })
      const { tasks } = yield* drive(owner, "selectAgentTasks", {})
      assert.deepStrictEqual(
        tasks.map(({ credential, state }: any) => [credential.id, state]),
        Array.from({ length: 3 }, () => [token!.id, "completed"])
      )
      yield* drive(owner, "revokeApiToken", { id: token!.id })
      yield* start("d")
      yield* runJobs
      assert.notStrictEqual((yield* own)[0]!.id, token!.id)
      assert.strictEqual((yield* drive(owner, "selectAgentTasks", {})).tasks[0].state, "completed")
    }))

  it.effect("TASK-400 a caller with limits gives none and cancels none", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const { id } = yield* send(owner, "hello")
      const limited = <A, E, R>(use: Effect.Effect<A, E, R>) =>
        Effect.flip(as(owner.accountId, { permissions: ["agent", "read"], folderId: null })(use))
      for (
        const use of [
          OwnedTasks.use((tasks) => tasks.start({ messageId: "a", text: "hello" })),
          OwnedTasks.use((tasks) => tasks.cancel(id))
        ]
      ) {
        assert.deepInclude(yield* limited<unknown, unknown, any>(use), { code: "token_limit" })
      }
    }))

  it.effect("TASK-401 a message that is sent again is the same task, also at the same time, and its conversation goes on", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const body = { messageId: "m", text: "how much is it?" }
      const start = drive(owner, "startAgentTask", body)
      const [first, twin] = yield* Effect.all([start, start], { concurrency: "unbounded" })
      assert.deepStrictEqual(twin, first)
      yield* runJobs
      assert.deepStrictEqual(yield* start, first)
      const next = yield* drive(owner, "startAgentTask", { ...body, messageId: "n", contextId: first.contextId })
      assert.strictEqual(next.contextId, first.contextId)
      assert.notStrictEqual(next.taskId, first.taskId)
    }))

  it.effect("TASK-402 the owner cancels a task of whichever token, and nobody else's", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const task = yield* send(owner, "hello")
      const stranger = yield* newCredential()
      const cancel = (by: typeof owner) => drive(by, "cancelAgentTask", { taskId: task.id })
      assert.deepStrictEqual(yield* cancel(stranger), { canceled: false })
      assert.deepStrictEqual(yield* cancel(owner), { canceled: true })
      assert.deepStrictEqual(yield* cancel(owner), { canceled: false })
      assertState(yield* get(owner, task), "canceled")
      const own = yield* drive(owner, "startAgentTask", { messageId: "m", text: "hello" })
      assert.deepStrictEqual(yield* drive(owner, "cancelAgentTask", { taskId: own.taskId }), { canceled: true })
    }))

  it.effect("TASK-404 while too many wait for their turn a further one is to be sent again later", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const owner = yield* newCredential()
      yield* sql`UPDATE ${t.accounts} SET tasks_active = ${Limits.tasksOpen} WHERE id = ${owner.accountId}`
      const failure = yield* Effect.flip(drive(owner, "startAgentTask", { messageId: "m", text: "hello" }))
      assert.deepInclude(failure, { code: "unavailable", retryable: true, retryAfterSeconds: 60 })
      assert.match(failure.error, /^10,000 tasks of this account wait for their turn/)
      yield* sql`UPDATE ${t.accounts} SET tasks_active = 0 WHERE id = ${owner.accountId}`
      yield* drive(owner, "startAgentTask", { messageId: "m", text: "hello" })
    }))

  it.effect("OPS-7 startAgentTask makes one task", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const start = drive(owner, "startAgentTask", { messageId: "m", text: "hello" })
      assert.deepStrictEqual(yield* start, yield* start)
      assert.lengthOf((yield* drive(owner, "selectAgentTasks", {})).tasks, 1)
    }))

  it.effect("OPS-7 cancelAgentTask leaves the task canceled", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const { taskId } = yield* drive(owner, "startAgentTask", { messageId: "m", text: "hello" })
      assert.deepStrictEqual(yield* drive(owner, "cancelAgentTask", { taskId }), { canceled: true })
      assert.deepStrictEqual(yield* drive(owner, "cancelAgentTask", { taskId }), { canceled: false })
    }))
})
