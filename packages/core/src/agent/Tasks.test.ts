import { assert, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import {
  assertState,
  Brain,
  by,
  credentialOf,
  doTask,
  drive,
  get,
  message,
  newCredential,
  runJobs,
  said,
  send,
  steps,
  TestAgent
} from "../../test/TasksTest.ts"
import { as } from "../../test/TestAccounts.ts"
import type { Credential } from "../accounts/Credential.ts"
import { JobsWorker } from "../jobs/JobsWorker.ts"
import * as Limits from "../limits/Limits.ts"
import { OwnedTasks } from "../tasks/OwnedTasks.ts"
import type { TaskListing } from "../tasks/Task.ts"
import { Tasks } from "../tasks/Tasks.ts"

const failureOf = <A, E>(exit: Exit.Exit<A, E>): any =>
  Exit.isFailure(exit) ? exit.cause.reasons.map((reason: any) => reason.error)[0] : null

const list = (owner: Credential, listing: TaskListing = {}) => Tasks.use((tasks) => tasks.list(listing)).pipe(by(owner))

layer(TestAgent, { timeout: "90 seconds" })("Tasks", (it) => {
  it.effect("TASK-20 a message sent again is the same task, also at the same time; with another part, context or task it is another message", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const one = message("hello", { contextId: "c" })
      const [first, twin] = yield* Effect.all([send(owner, one), send(owner, one)], { concurrency: "unbounded" })
      assert.strictEqual(twin.id, first.id)
      yield* runJobs
      const again = yield* send(owner, one)
      assert.strictEqual(again.id, first.id)
      assertState(again, "completed")
      const others = yield* Effect.forEach(
        [{ ...one, contextId: "d" }, { ...one, parts: [{ text: "bye" }] as const }, {
          messageId: one.messageId,
          parts: one.parts
        }],
        (other) => send(owner, other)
      )
      const third = yield* credentialOf(owner.accountId)
      const foreign = yield* send(third, one)
      assert.lengthOf(new Set([first.id, foreign.id, ...others.map(({ id }) => id)]), 5)
      yield* runJobs
    }))

  it.effect("TASK-21 bytes are saved as private files once, also when the task only has them; without the permission add they are not, and it says so", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const bytes = new TextEncoder().encode("hello")
      const file = message({ raw: bytes, filename: "../dir/no/te.txt", mediaType: "text/plain" })
      const sent = yield* send(owner, file)
      const again = yield* send(owner, file)
      assert.strictEqual(again.id, sent.id)
      const { raw } = sent.history[0]!.parts[0] as any
      assert.deepInclude(raw, { fileName: "te.txt", mimeType: "text/plain", sizeBytes: 5, because: null })
      const found = yield* drive(owner, "searchFiles", {})
      assert.deepStrictEqual(found.files.map(({ fileName, id, isPublic }: any) => [id, fileName, isPublic]), [[
        raw.fileId,
        "te.txt",
        false
      ]])
      yield* Brain.use((brain) =>
        brain.when("[Part 0 is the file", steps({ name: "save_part", args: { index: 0, folder: "/Saved" } }))
      )
      yield* runJobs
      assertState(yield* get(owner, sent), "completed")
      assert.strictEqual((yield* drive(owner, "searchFiles", {})).files[0].folder.path, "/Saved")

      const reader = yield* credentialOf(owner.accountId, { permissions: ["agent", "read"], folderId: null })
      const refused = yield* send(reader, { raw: bytes, filename: "b.txt" })
      assert.deepInclude((refused.history[0]!.parts[0] as any).raw, {
        fileId: null,
        because: "This token may not add."
      })
      yield* runJobs
    }))

  it.effect("TASK-22 a link that comes with a message is imported", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* Brain.use((brain) =>
        brain.when("[Part 0 is a link", steps({ name: "import_part", args: { index: 0, folder: "/Links" } }))
      )
      const task = yield* doTask(owner, { url: "https://files.test/some/a.txt" })
      assert.include(said(task), "\"status\":\"working\"")
    }))

  it.effect("TASK-23 a task belongs to its credential: another of the account neither sees, lists, cancels nor continues it; the owner sees all", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const other = yield* credentialOf(owner.accountId)
      const task = yield* send(owner, "mine", { contextId: "shared name" })
      const tasks = yield* Tasks
      for (
        const attempt of [
          tasks.get(task.id),
          tasks.cancel(task.id),
          tasks.send(message("x", { taskId: task.id })),
          tasks.setWebhook(task.id, { url: "https://a.test" }),
          tasks.listWebhooks(task.id),
          tasks.get("not a uuid")
        ]
      ) {
        assert.strictEqual(
          failureOf(yield* Effect.exit(by(other)(attempt as Effect.Effect<unknown, unknown, never>)))._tag,
          "TaskNotFound"
        )
      }
      assert.deepStrictEqual((yield* list(other)).tasks, [])
      yield* runJobs
      const { tasks: all } = yield* as(owner.accountId)(OwnedTasks.use((owned) => owned.list({})))
      assert.deepStrictEqual(all.map(({ credential, id, text }) => [id, text, credential]), [[task.id, "mine", {
        id: owner.id,
        name: "test"
      }]])
      const reader = yield* credentialOf(owner.accountId, { permissions: ["read"], folderId: null })
      assert.strictEqual(failureOf(yield* Effect.exit(send(reader, "no")))._tag, "Refused")
    }))

  it.effect("TASK-24 what is wrong with a message is named, and nothing is kept of it", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const done = yield* doTask(owner, "one")
      const open = yield* send(owner, "two", { contextId: "its own" })
      const field = (given: object) =>
        Effect.map(Effect.exit(send(owner, { ...message("x"), ...given })), (exit) =>
          failureOf(exit)?.field ?? failureOf(exit)?._tag)
      assert.strictEqual(yield* field({ messageId: "" }), "message.messageId")
      assert.strictEqual(yield* field({ contextId: "x".repeat(257) }), "message.contextId")
      assert.strictEqual(yield* field({ parts: [{ text: "a\u0000b" }] }), "message.parts[0].text")
      assert.strictEqual(yield* field({ parts: [{ text: "x".repeat(100_001) }] }), "message.parts")
      assert.strictEqual(yield* field({ taskId: done.id }), "TaskEnded")
      assert.strictEqual(yield* field({ taskId: open.id, contextId: "another" }), "message.contextId")
      const bad = yield* Effect.exit(
        by(owner)(Tasks.use((tasks) =>
          tasks.send(message("y"), { webhook: { url: "http://x.test" } })
        ))
      )
      assert.strictEqual(failureOf(bad).field, "configuration.taskPushNotificationConfig.url")
      assert.strictEqual((yield* list(owner)).totalSize, 2)
      yield* runJobs
    }))

  it.effect("TASK-25 tasks are listed by the time of their status, newest first, in pages that stay while tasks change, with all filters", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const ids: Array<string> = []
      for (let at = 0; at < 7; at++) {
        ids.unshift((yield* doTask(owner, `task ${at}`, { contextId: at % 2 === 0 ? "even" : "odd" })).id)
        yield* TestClock.adjust("1 second")
      }
      const first = yield* list(owner, { pageSize: 3 })
      assert.deepStrictEqual(first.tasks.map(({ id }) => id), ids.slice(0, 3))
      assert.deepInclude(first, { pageSize: 3, totalSize: 7 })
      yield* doTask(owner, "another one")
      const second = yield* list(owner, { pageSize: 3, pageToken: first.nextPageToken })
      assert.deepStrictEqual(second.tasks.map(({ id }) => id), ids.slice(3, 6))
      const last = yield* list(owner, { pageSize: 3, pageToken: second.nextPageToken })
      assert.deepStrictEqual(last.tasks.map(({ id }) => id), ids.slice(6))
      assert.strictEqual(last.nextPageToken, "")
      assert.strictEqual((yield* list(owner, { contextId: "even" })).totalSize, 4)
      assert.strictEqual((yield* list(owner, { state: "canceled" })).totalSize, 0)
      const after = first.tasks[1]!.statusTime
      assert.strictEqual((yield* list(owner, { statusTimeAfter: after })).totalSize, 3)
      const [bare] = (yield* list(owner, { historyLength: 0, pageSize: 1 })).tasks
      assert.deepStrictEqual([bare!.history, bare!.artifacts], [[], []])
      const [whole] = (yield* list(owner, { historyLength: 1, includeArtifacts: true, pageSize: 1 })).tasks
      assert.lengthOf(whole!.history, 1)
      assert.lengthOf(whole!.artifacts, 1)
      for (const wrong of [{ pageSize: 0 }, { pageSize: 101 }, { pageToken: "x" }, { historyLength: -1 }]) {
        assert.strictEqual(failureOf(yield* Effect.exit(list(owner, wrong))).field, Object.keys(wrong)[0])
      }
    }))

  it.effect("TASK-26 cancelling interrupts the brain at once, keeps what was done, and the message says what that was", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const thinking = yield* Deferred.make<void>()
      let isInterrupted = false
      yield* Brain.use((brain) =>
        brain.when("think", ({ results }) =>
          results.length === 0
            ? Effect.succeed([{ name: "create_folder", args: { path: "/Kept" } }])
            : Effect.andThen(Deferred.succeed(thinking, undefined), Effect.never).pipe(
              Effect.onInterrupt(() =>
                Effect.sync(() => {
                  isInterrupted = true
                })
              )
            ))
      )
      const sent = yield* send(owner, "think")
      const working = yield* Effect.forkChild(JobsWorker.use((worker) => worker.runDue))
      yield* Deferred.await(thinking)
      const canceled = yield* by(owner)(Tasks.use((tasks) => tasks.cancel(sent.id)))
      yield* Fiber.join(working)
      assert.isTrue(isInterrupted)
      assertState(canceled, "canceled")
      assert.strictEqual(said(canceled), "Canceled. Done before, and kept: create_folder.")
      assert.lengthOf((yield* drive(owner, "selectCollections", {})).folders, 1)
      assertState(yield* get(owner, sent), "canceled")
      assert.strictEqual(
        failureOf(yield* Effect.exit(by(owner)(Tasks.use((tasks) => tasks.cancel(sent.id)))))._tag,
        "TaskEnded"
      )
    }))

  it.effect("TASK-27 at most 4 tasks of an account are at work; the others are submitted, and begin in their order", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const begun: Array<string> = []
      let atWork = 0
      let most = 0
      const go = yield* Deferred.make<void>()
      yield* Brain.use((brain) =>
        brain.when("turn ", ({ text }) =>
          Effect.gen(function*() {
            begun.push(text)
            most = Math.max(most, ++atWork)
            yield* Deferred.await(go)
            atWork -= 1
            return "ok"
          }))
      )
      const sent = yield* Effect.forEach(
        [0, 1, 2, 3, 4, 5, 6],
        (at) => Effect.tap(send(owner, `turn ${at}`), () => TestClock.adjust("1 millis"))
      )
      const working = yield* Effect.forkChild(runJobs)
      while (begun.length < Limits.tasksRunning) yield* Effect.yieldNow
      const states = yield* Effect.forEach(sent, (task) => Effect.map(get(owner, task), ({ state }) => state))
      assert.deepStrictEqual(states, [
        "working",
        "working",
        "working",
        "working",
        "submitted",
        "submitted",
        "submitted"
      ])
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(working)
      yield* runJobs
      assert.strictEqual(most, Limits.tasksRunning)
      assert.deepStrictEqual(begun.slice(4).length, 3)
      for (const task of sent) assertState(yield* get(owner, task), "completed")
    }))

  it.effect("TASK-28 a caller who waits for a task is answered when it ends or waits, or when the time is over", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const tasks = yield* Tasks
      const sent = yield* send(owner, "settle")
      const settled = yield* Effect.forkChild(by(owner)(tasks.untilSettled(sent.id, Duration.seconds(55))))
      yield* runJobs
      yield* TestClock.adjust("3 seconds")
      assertState(yield* Fiber.join(settled), "completed")
      const other = yield* send(owner, "later")
      const late = yield* Effect.forkChild(by(owner)(tasks.untilSettled(other.id, Duration.seconds(55))))
      yield* TestClock.adjust("55 seconds")
      assertState(yield* Fiber.join(late), "submitted")
      yield* runJobs
    }))
})
