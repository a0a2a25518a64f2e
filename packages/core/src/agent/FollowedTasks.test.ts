/** Tasks that somebody waits for, in a process whose worker runs by itself. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Queue } from "effect"
import {
  agentOn,
  assertState,
  Brain,
  by,
  call,
  drive,
  get,
  message,
  newCredential,
  said,
  send,
  steps
} from "../../test/TasksTest.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import type { Credential } from "../accounts/Credential.ts"
import { Database } from "../database/Database.ts"
import { JobsWorker } from "../jobs/JobsWorker.ts"
import * as Limits from "../limits/Limits.ts"
import type { NewMessage, TaskView } from "../tasks/Task.ts"
import { Tasks } from "../tasks/Tasks.ts"

const Serving = Layer.provideMerge(JobsWorker.layer, agentOn(TestDrive))

/** Sends a message and waits for its task. */
const follow = (credential: Credential, sent: NewMessage) =>
  Effect.gen(function*() {
    const { settled, taken } = yield* Tasks.use((tasks) => tasks.sendFollowed(sent))
    return { taken, task: yield* settled(Duration.seconds(55)) }
  }).pipe(Effect.scoped, by(credential))

const rows = ({ id }: Pick<TaskView, "id">) =>
  Database.use(({ sql, tables: t }) =>
    sql<{ readonly entries: number; readonly calls: number; readonly steps: number; readonly jobs: number }>`
      SELECT (SELECT count(*)::int FROM ${t.agent_entries} WHERE task_id = k.id) AS entries,
        (SELECT count(*)::int FROM ${t.agent_calls} WHERE task_id = k.id) AS calls, k.steps,
        (SELECT count(*)::int FROM ${t.jobs} WHERE key LIKE '%/' || k.id) AS jobs
      FROM ${t.agent_tasks} k WHERE k.id = ${id}
    `
  ).pipe(Effect.map(([row]) => row!), Effect.orDie)

/** No time passes in these tests, so nothing is found by looking again. */
layer(Serving, { timeout: "90 seconds" })("Tasks that are followed", (it) => {
  it.effect("TASK-311 a followed task begins with the transaction that takes it, and its answer is what is recorded", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* Brain.use((brain) => brain.when("make one", steps({ name: "create_folder", args: { path: "/One" } })))
      const { taken, task } = yield* follow(owner, message("make one"))
      assertState(taken, "working")
      assertState(task, "completed")
      assert.deepStrictEqual(task, yield* get(owner, task))
      yield* Effect.repeat(rows(task), { until: ({ jobs }) => jobs === 0 })
      const hook = { url: "https://hooks.test/followed" }
      const { settled, taken: hooked } = yield* Tasks.use((tasks) =>
        tasks.sendFollowed(message("make one"), { webhook: hook })
      ).pipe(by(owner), Effect.scoped)
      assertState(hooked, "submitted")
      const end = yield* settled(Duration.seconds(55)).pipe(by(owner))
      assertState(end, "completed")
    }))

  it.effect("TASK-312 of one account four tasks are at work, and the others begin in their order as soon as one has ended", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const begun = yield* Queue.unbounded<string>()
      const mayEnd = new Map<string, Deferred.Deferred<void>>()
      for (const name of ["a", "b", "c", "d", "e", "f"]) {
        const gate = yield* Deferred.make<void>()
        mayEnd.set(name, gate)
        yield* Brain.use((brain) =>
          brain.when(
            `turn ${name}`,
            () => Queue.offer(begun, name).pipe(Effect.andThen(Deferred.await(gate)), Effect.as(`${name} is done`))
          )
        )
      }
      const fibers = []
      for (const name of mayEnd.keys()) {
        const sent = yield* Deferred.make<void>()
        fibers.push(
          yield* Effect.forkChild(
            Effect.gen(function*() {
              const { settled } = yield* Tasks.use((tasks) => tasks.sendFollowed(message(`turn ${name}`)))
              yield* Deferred.succeed(sent, undefined)
              return yield* settled(Duration.seconds(55))
            }).pipe(Effect.scoped, by(owner))
          )
        )
        yield* Deferred.await(sent)
      }
      const first = yield* Queue.takeN(begun, Limits.tasksRunning)
      assert.deepStrictEqual(first.toSorted(), ["a", "b", "c", "d"])
      yield* Deferred.succeed(mayEnd.get("c")!, undefined)
      assert.strictEqual(yield* Queue.take(begun), "e")
      assert.strictEqual(yield* Queue.size(begun), 0)
      yield* Deferred.succeed(mayEnd.get("e")!, undefined)
      assert.strictEqual(yield* Queue.take(begun), "f")
      for (const gate of mayEnd.values()) yield* Deferred.succeed(gate, undefined)
      for (const fiber of fibers) assertState(yield* Fiber.join(fiber), "completed")
    }))

  it.effect("TASK-313 an answer that cost nothing and whose calls only read is recorded with the next step, one that cost tokens before it", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* drive(owner, "createFolder", { path: "/Known" })
      const seen: Array<number> = []
      const look = (name: string) =>
        Brain.use((brain) =>
          brain.when(name, ({ results }) =>
            Effect.gen(function*() {
              const { tasks } = yield* Tasks.use((tasks) => tasks.list({})).pipe(by(owner))
              seen.push((yield* rows(tasks[0]!)).entries)
              return results.length < 2 ? yield* call("select_collections") : `Found in ${results.length} looks`
            }).pipe(Effect.orDie, Effect.provide(context)))
        )
      const context = yield* Effect.context<Tasks | Database>()
      yield* look("cheap look")
      yield* Brain.use((brain) => brain.costs(0))
      const cheap = (yield* follow(owner, message("cheap look"))).task
      assert.strictEqual(said(cheap), "Found in 2 looks")
      assert.deepStrictEqual(seen.splice(0), [1, 1, 1])
      assert.deepInclude(yield* rows(cheap), { entries: 3, calls: 2, steps: 5 })
      yield* look("dear look")
      yield* Brain.use((brain) => brain.costs(15))
      const dear = (yield* follow(owner, message("dear look"))).task
      assert.deepStrictEqual(seen, [1, 2, 3])
      assert.deepInclude(yield* rows(dear), { entries: 3, calls: 2, steps: 5 })
    }))

  it.effect("TASK-314 what is not recorded yet is recorded before a call that changes something, and is read by the next task", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* Brain.use((brain) => brain.costs(0))
      yield* Brain.use((brain) =>
        brain.when(
          "look and make",
          steps({ name: "select_collections", args: {} }, { name: "create_folder", args: { path: "/Made" } })
        )
      )
      yield* Brain.use((brain) =>
        brain.when("and then", ({ prompt }) => Effect.succeed(prompt.content.map(({ role }) => role).join()))
      )
      const { task } = yield* follow(owner, message("look and make"))
      assertState(task, "completed")
      assert.deepInclude(yield* rows(task), { entries: 3, calls: 2, steps: 5 })
      const next = yield* follow(owner, message("and then", { contextId: task.contextId }))
      assert.strictEqual(said(next.task), "system,user,assistant,tool,assistant,tool,assistant,user")
      yield* Brain.use((brain) => brain.costs(15))
    }))

  it.effect("TASK-315 a message that comes before unrecorded answers are recorded is read, and nothing of them is told twice", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* Brain.use((brain) => brain.costs(0))
      const context = yield* Effect.context<Tasks>()
      yield* Brain.use((brain) =>
        brain.when("wait for more", ({ results }) =>
          Effect.gen(function*() {
            if (results.length === 0) return yield* call("select_collections")
            const { tasks } = yield* Tasks.use((tasks) => tasks.list({})).pipe(by(owner))
            yield* send(owner, "here is more", { taskId: tasks[0]!.id })
            return "too early"
          }).pipe(Effect.orDie, Effect.provide(context)))
      )
      yield* Brain.use((brain) => brain.when("here is more", () => Effect.succeed("all read")))
      const { task } = yield* follow(owner, message("wait for more"))
      assertState(task, "completed")
      assert.strictEqual(said(task), "all read")
      assert.strictEqual(task.history.length, 2)
      yield* Brain.use((brain) => brain.costs(15))
    }))

  it.effect("TASK-316 a followed task that is cancelled at work ends its model call, and its follower is answered", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const asked = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      yield* Brain.use((brain) =>
        brain.when("think long", () =>
          Deferred.succeed(asked, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
          ))
      )
      const task = yield* Effect.gen(function*() {
        const { settled, taken } = yield* Tasks.use((tasks) => tasks.sendFollowed(message("think long")))
        yield* Deferred.await(asked)
        yield* Tasks.use((tasks) => tasks.cancel(taken.id))
        return yield* settled(Duration.seconds(55))
      }).pipe(Effect.scoped, by(owner))
      assertState(task, "canceled")
      yield* Deferred.await(stopped)
    }))
})
