/** Tasks whose brain waits for one thing, and what wakes them. */
import { assert } from "@effect/vitest"
import { DateTime, Effect, Stream } from "effect"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import type { Credential } from "../src/accounts/Credential.ts"
import { Database } from "../src/database/Database.ts"
import type { TaskView } from "../src/tasks/Task.ts"
import { HostUploads } from "../src/uploads/HostUploads.ts"
import * as Checked from "./Checked.ts"
import { assertState, Brain, doTask, get, runJobs, said, type Script } from "./TasksTest.ts"
import { as } from "./TestAccounts.ts"

/** Waits, and says what came of it. */
export const waits = (args: object): Script => ({ results }) =>
  Effect.succeed(
    results.length === 0
      ? [{ name: "wait_for", args: { text: "Waits for something.", ...args } }]
      : JSON.stringify(results.map(({ result }) => result))
  )

let names = 0

/** Of a task that no other test has. */
export const newName = (): string => `kind ${++names}!`

/** A task that asks for a wait; the wait may be refused. */
export const askToWait = Effect.fnUntraced(function*(owner: Credential, args: object) {
  const name = newName()
  yield* Brain.use((brain) => brain.when(name, waits(args)))
  return yield* doTask(owner, name)
})

/** A task that waits. */
export const startWait = Effect.fnUntraced(function*(owner: Credential, args: object) {
  const task = yield* askToWait(owner, args)
  assert.isTrue(task.waits, said(task))
  return task
})

/** What the wait of a task that has ended was answered with. */
export const resultOf = Effect.fnUntraced(function*(owner: Credential, task: TaskView) {
  yield* runJobs
  const done = yield* get(owner, task)
  assertState(done, "completed")
  return JSON.parse(said(done))[0]
})

export const putFile = (owner: Credential, fileName: string, folder?: string, fileSize = 2) =>
  HostUploads.use((uploads) =>
    uploads.put(
      { fileName: Checked.fileName(fileName), fileSize: Checked.fileSize(fileSize) },
      Stream.make(new Uint8Array(fileSize)),
      folder === undefined ? undefined : { path: Checked.path(folder), field: "folder" }
    )
  ).pipe(as(owner.accountId))

/** Whether the task is to go on, before any job has run. */
export const isDue = Effect.fnUntraced(function*(task: TaskView) {
  const { sql, tables: t } = yield* Database
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const rows = yield* sql`
    SELECT FROM ${t.jobs} WHERE kind = 'agent.step' AND key LIKE ${`%${task.id}`} AND run_time <= ${now}
  `
  return rows.length > 0
})

/** What happens wakes the task with its commit, and not at all when it is rolled back. */
export const wakesWithCommit = Effect.fnUntraced(function*<A, E, R>(
  owner: Credential,
  task: TaskView,
  event: Effect.Effect<A, E, R>
) {
  const transaction = yield* AccountTransaction
  yield* Effect.flip(transaction.run(owner.accountId, () => Effect.andThen(Effect.orDie(event), Effect.fail("undone"))))
  assert.isFalse(yield* isDue(task))
  yield* event
  assert.isTrue(yield* isDue(task))
})

export const fileNames = (result: any) => result.event.files.map(({ fileName }: any) => fileName)
