import { assert, layer } from "@effect/vitest"
import { MemoryRemoteFile } from "@filedrive/testing"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { dropFile, drops, makeRequest, sendByForm, startDrop } from "../../test/DropsTest.ts"
import { newLink } from "../../test/ImportsTest.ts"
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
  TestAgent
} from "../../test/TasksTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { askToWait, putFile, startWait, waits } from "../../test/WaitsTest.ts"
import type { Credential } from "../accounts/Credential.ts"
import { Database } from "../database/Database.ts"
import { Downloads } from "../files/Downloads.ts"
import * as Limits from "../limits/Limits.ts"
import type { FileId } from "../shared/Ids.ts"
import { OwnedTasks } from "../tasks/OwnedTasks.ts"
import { Tasks } from "../tasks/Tasks.ts"

const resultsOf = (text: string) => JSON.parse(text) as ReadonlyArray<any>

const finishDrop = Effect.fnUntraced(function*(requestId: any, fileName: string) {
  const { token } = yield* startDrop(requestId)
  yield* sendByForm(token, dropFile(3, fileName))
  yield* drops((all) => all.finish(token))
})

const waiting = (owner: Credential) => OwnedTasks.use((tasks) => tasks.waiting).pipe(as(owner.accountId))

layer(TestAgent, { timeout: "90 seconds" })("Waits", (it) => {
  it.effect("WAIT-1 a task waits for files at a request: it is working, says what for, and goes on with what happened", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const request = yield* makeRequest(owner.accountId, { title: "Photos" as any })
      const task = yield* startWait(owner, { kind: "request_files", id: request.id, text: "Waits for photos." })
      assertState(task, "working")
      assert.isTrue(task.waits)
      assert.strictEqual(said(task), "Waits for photos.")
      const [listed] = yield* waiting(owner)
      assert.deepInclude(listed, {
        taskId: task.id,
        kind: "request_files",
        target: { id: request.id, name: "Photos" },
        text: "Waits for photos.",
        credential: { id: owner.id, name: "test" }
      })
      yield* finishDrop(request.id, "tram.jpg")
      yield* runJobs
      const done = yield* get(owner, task)
      assertState(done, "completed")
      const [result] = resultsOf(said(done))
      assert.deepInclude(result, { woken: true, reason: "happened" })
      assert.strictEqual(result.event.files[0].fileName, "tram.jpg")
      assert.deepStrictEqual(yield* waiting(owner), [])
    }))

  it.effect("WAIT-1 a task waits for files at any request, also at one that is made later, and at none of others", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const stranger = yield* newCredential()
      yield* makeRequest(owner.accountId, { title: "Photos" as any })
      const task = yield* startWait(owner, { kind: "request_files", text: "Waits for files." })
      assertState(task, "working")
      const [listed] = yield* waiting(owner)
      assert.deepInclude(listed, { taskId: task.id, kind: "request_files", target: null })
      yield* finishDrop((yield* makeRequest(stranger.accountId, { title: "Other" as any })).id, "other.jpg")
      yield* runJobs
      assertState(yield* get(owner, task), "working")
      const later = yield* makeRequest(owner.accountId, { title: "Demos" as any })
      yield* finishDrop(later.id, "demo.wav")
      yield* runJobs
      const done = yield* get(owner, task)
      assertState(done, "completed")
      const [result] = resultsOf(said(done))
      assert.deepInclude(result, { woken: true, reason: "happened" })
      assert.deepStrictEqual(
        [result.event.request.title, result.event.files[0].fileName],
        ["Demos", "demo.wav"]
      )
    }))

  it.effect("WAIT-2 a task waits for files in a folder or inside it, also one that does not exist yet: recorded there or moved there", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const task = yield* startWait(owner, { kind: "folder_files", folder: "/Inbox" })
      const other = yield* putFile(owner, "elsewhere.txt", "/Other")
      yield* runJobs
      assertState(yield* get(owner, task), "working")
      yield* putFile(owner, "here.txt", "/INBOX/Deep")
      yield* runJobs
      const [recorded] = resultsOf(said(yield* get(owner, task)))
      assert.deepStrictEqual(recorded.event.files.map(({ fileName }: any) => fileName), ["here.txt"])

      const moved = yield* startWait(owner, { kind: "folder_files", folder: "/Inbox" })
      assertState(moved, "working")
      yield* drive(owner, "moveFiles", { fileIds: [other], folder: "/Inbox" })
      yield* runJobs
      const [result] = resultsOf(said(yield* get(owner, moved)))
      assert.deepStrictEqual(result.event.files.map(({ fileName }: any) => fileName), ["elsewhere.txt"])
    }))

  it.effect("WAIT-3 an opening by somebody else wakes, the owner's own does not", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const fileId = yield* putFile(owner, "a.txt")
      const task = yield* startWait(owner, { kind: "file_opened", id: fileId })
      const open = (id: FileId) => Downloads.use((downloads) => downloads.link(id))
      yield* as(owner.accountId)(open(fileId))
      yield* runJobs
      assertState(yield* get(owner, task), "working")
      const friend = yield* TestAccounts.use((users) => users.add())
      yield* drive(owner, "shareFiles", { fileIds: [fileId], userIds: [friend] })
      yield* as(friend)(open(fileId))
      yield* runJobs
      assertState(yield* get(owner, task), "completed")
    }))

  it.effect("WAIT-4 an import and an archive end waits, also when they ended between looking and waiting", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const url = newLink()
      yield* MemoryRemoteFile.use((remote) => remote.serve(url, { bytes: new Uint8Array(3) }))
      yield* Brain.use((brain) =>
        brain.when("import it", ({ results }) =>
          Effect.succeed(
            results.length === 0
              ? [{ name: "import_from_url", args: { url } }]
              : results.length === 1
              ? [{ name: "wait_for", args: { kind: "import", id: results[0]!.result.id, text: "Waits." } }]
              : JSON.stringify(results.map(({ result }) => result))
          ))
      )
      const task = yield* doTask(owner, `import it from ${url}`)
      assertState(task, "completed")
      const [{ id }, result] = resultsOf(said(task))
      assert.strictEqual(result.event.status, "done")
      const again = yield* askToWait(owner, { kind: "import", id })
      assert.strictEqual(resultsOf(said(again))[0].event.status, "done")
    }))

  it.effect("WAIT-5 nothing is missed that happens between the message and the wait", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const request = yield* makeRequest(owner.accountId)
      yield* Brain.use((brain) =>
        brain.when("late wait", ({ results }) =>
          results.length === 0
            // Files arrive while the brain thinks.
            ? Effect.as(Effect.orDie(finishDrop(request.id, "early.txt")) as Effect.Effect<void>, [
              { name: "wait_for", args: { kind: "request_files", id: request.id, text: "Waits." } }
            ])
            : Effect.succeed(JSON.stringify(results.map(({ result }) => result))))
      )
      const task = yield* doTask(owner, "late wait")
      assertState(task, "completed")
      assert.strictEqual(resultsOf(said(task))[0].event.files[0].fileName, "early.txt")
    }))

  it.effect("WAIT-6 a wait ends when what it is for is closed, expires or is deleted, and after 30 days, with the reason", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const reason = (task: any) => Effect.map(get(owner, task), (now) => resultsOf(said(now))[0].reason)
      const closed = yield* makeRequest(owner.accountId)
      const one = yield* startWait(owner, { kind: "request_files", id: closed.id })
      yield* drive(owner, "setFileRequestOpen", { requestId: closed.id, open: false })
      yield* runJobs
      assert.strictEqual(yield* reason(one), "closed")

      const removed = yield* makeRequest(owner.accountId)
      const two = yield* startWait(owner, { kind: "request_files", id: removed.id })
      yield* drive(owner, "deleteFileRequest", { requestId: removed.id })
      yield* runJobs
      assert.strictEqual(yield* reason(two), "deleted")

      const fileId = yield* putFile(owner, "gone.txt")
      const three = yield* startWait(owner, { kind: "file_opened", id: fileId })
      yield* drive(owner, "trashFiles", [{ id: fileId }])
      yield* drive(owner, "deleteFiles", [{ id: fileId }])
      yield* runJobs
      assert.strictEqual(yield* reason(three), "deleted")

      const four = yield* startWait(owner, { kind: "folder_files", folder: "/Never" })
      yield* TestClock.adjust("29 days")
      yield* runJobs
      assertState(yield* get(owner, four), "working")
      yield* TestClock.adjust("1 day")
      yield* runJobs
      assert.strictEqual(yield* reason(four), "expired")
    }))

  it.effect("WAIT-7 20 tasks of an account wait at once, of all credentials together; the 21st ends at once and says so", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const other = yield* credentialOf(owner.accountId)
      yield* Brain.use((brain) => brain.when("wait here", waits({ kind: "folder_files", folder: "/Twenty" })))
      const tasks = yield* Effect.forEach(
        Array.from({ length: Limits.tasksWaiting + 2 }, (_, at) => at % 2 === 0 ? owner : other),
        (credential) => Effect.map(send(credential, "wait here"), (task) => ({ credential, task })),
        { concurrency: "unbounded" }
      )
      yield* runJobs
      const after = yield* Effect.forEach(tasks, ({ credential, task }) => get(credential, task))
      assert.lengthOf(after.filter(({ waits }) => waits), Limits.tasksWaiting)
      const ended = after.filter(({ state }) => state === "completed")
      assert.lengthOf(ended, 2)
      for (const task of ended) assert.strictEqual(resultsOf(said(task))[0].code, "too_many_waits")
      // One event wakes all of them.
      yield* putFile(owner, "all.txt", "/Twenty")
      yield* runJobs
      const woken = yield* Effect.forEach(tasks, ({ credential, task }) => get(credential, task))
      assert.isTrue(woken.every(({ state }) => state === "completed"))
    }))

  it.effect("WAIT-8 a message to a waiting task is answered while the wait goes on, unless the brain ends it", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const tasks = yield* Tasks
      const task = yield* startWait(owner, { kind: "folder_files", folder: "/Chat" })
      yield* Brain.use((brain) => brain.when("how long", () => Effect.succeed("Up to 30 days.")))
      yield* by(owner)(tasks.send(message("how long", { taskId: task.id })))
      yield* runJobs
      const chatting = yield* get(owner, task)
      assertState(chatting, "working")
      assert.isTrue(chatting.waits)
      assert.strictEqual(said(chatting), "Up to 30 days.")
      yield* Brain.use((brain) =>
        brain.when(
          "stop it",
          ({ results }) => Effect.succeed(results.length === 0 ? [{ name: "end_wait", args: {} }] : "Stopped.")
        )
      )
      yield* by(owner)(tasks.send(message("stop it", { taskId: task.id })))
      yield* runJobs
      const stopped = yield* get(owner, task)
      assertState(stopped, "completed")
      assert.strictEqual(said(stopped), "Stopped.")
      assert.deepStrictEqual(yield* waiting(owner), [])
    }))

  it.effect("WAIT-240 what happens after other messages were answered comes behind them, and the answer tells it", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const tasks = yield* Tasks
      const task = yield* startWait(owner, { kind: "folder_files", folder: "/Talk" })
      yield* Brain.use((brain) =>
        brain.when("thanks", ({ results }) =>
          Effect.succeed(
            results.length === 0
              ? "You are welcome."
              : JSON.stringify(results.map(({ name, result }) => [name, result.reason]))
          ))
      )
      yield* by(owner)(tasks.send(message("thanks", { taskId: task.id })))
      yield* runJobs
      assert.strictEqual(said(yield* get(owner, task)), "You are welcome.")
      yield* putFile(owner, "late.txt", "/Talk")
      yield* runJobs
      const done = yield* get(owner, task)
      assertState(done, "completed")
      assert.deepStrictEqual(JSON.parse(said(done)), [["wait_for", "happened"]])
    }))

  it.effect("WAIT-9 a waiting task is cancelled by its credential or stopped in the app, and what is not waited for wakes nothing", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const tasks = yield* Tasks
      const one = yield* startWait(owner, { kind: "folder_files", folder: "/A" })
      const two = yield* startWait(owner, { kind: "folder_files", folder: "/A" })
      assertState(yield* by(owner)(tasks.cancel(one.id)), "canceled")
      const stop = (id: any) => as(owner.accountId)(OwnedTasks.use((all) => all.stop(id)))
      assert.isTrue(yield* stop(two.id))
      assert.isFalse(yield* stop(two.id))
      assert.deepStrictEqual(yield* waiting(owner), [])
      yield* putFile(owner, "late.txt", "/A")
      yield* runJobs
      assertState(yield* get(owner, one), "canceled")
      assertState(yield* get(owner, two), "canceled")
    }))

  it.effect("WAIT-10 what happens to an account without tasks is recorded for none", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const owner = yield* newCredential()
      yield* startWait(owner, { kind: "folder_files", folder: "/B" })
      const stranger = yield* newCredential()
      yield* putFile(stranger, "a.txt", "/B")
      yield* drive(stranger, "createFolder", { path: "/C" })
      const noted = sql`SELECT 1 FROM ${t.agent_happenings} WHERE account_id = ${stranger.accountId}`
      assert.lengthOf(yield* noted, 0)
      const [counts] = yield* sql`SELECT tasks_active, tasks_waiting FROM ${t.accounts} WHERE id = ${owner.accountId}`
      assert.deepStrictEqual(counts, { tasks_active: 0, tasks_waiting: 1 })
    }))

  it.effect("OPS-7 stopWaitingTask sent twice leaves the task stopped", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const task = yield* startWait(owner, { kind: "folder_files", folder: "/D" })
      assert.deepStrictEqual(yield* drive(owner, "stopWaitingTask", { taskId: task.id }), { stopped: true })
      assert.deepStrictEqual(yield* drive(owner, "stopWaitingTask", { taskId: task.id }), { stopped: false })
      assertState(yield* get(owner, task), "canceled")
      const { tasks } = yield* drive(owner, "selectAgentTasks", { limit: 1 })
      assert.deepInclude(tasks[0], { id: task.id, state: "canceled", waits: false })
    }))
})
