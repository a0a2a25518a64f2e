import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { dropFile, drops, makeRequest, sendByForm, startDrop } from "../../test/DropsTest.ts"
import { asTimePasses } from "../../test/FilesTest.ts"
import { addFile } from "../../test/FilesTest.ts"
import {
  assertState,
  Brain,
  by,
  call,
  doTask,
  drive,
  get,
  message,
  newCredential,
  runJobs,
  said,
  send,
  steps,
  TestAgent,
  unavailable
} from "../../test/TasksTest.ts"
import { as } from "../../test/TestAccounts.ts"
import { ApiTokens } from "../accounts/ApiTokens.ts"
import * as Limits from "../limits/Limits.ts"
import { Tasks } from "../tasks/Tasks.ts"

layer(TestAgent, { timeout: "60 seconds" })("The agent's steps", (it) => {
  it.effect("TASK-10 a task is submitted, does what the brain asks for, and ends with its words as status message and Reply", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* Brain.use((brain) =>
        brain.when("make a folder", steps({ name: "create_folder", args: { path: "/Done" } }))
      )
      const sent = yield* send(owner, "make a folder")
      assertState(sent, "submitted")
      assert.deepStrictEqual(sent.history.map(({ parts, role }) => [role, parts]), [["user", [{
        text: "make a folder"
      }]]])
      yield* runJobs
      const task = yield* get(owner, sent)
      assertState(task, "completed")
      assert.include(said(task), "/Done")
      assert.deepStrictEqual(task.artifacts.map(({ name, parts }) => [name, parts]), [["Reply", [{
        text: said(task)
      }]]])
      const { folders } = yield* drive(owner, "selectCollections", {})
      assert.deepStrictEqual(folders.map(({ path }: any) => path), ["/Done"])
    }))

  it.effect("VIEW-12 the links of a reply are no opens: a delivery that the agent found is still new, and no view is counted", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const sharer = yield* newCredential()
      const { id } = yield* makeRequest(owner.accountId)
      const { token } = yield* startDrop(id)
      yield* sendByForm(token, dropFile(3, "sent.bin"))
      yield* drops((all) => all.finish(token))
      const shared = yield* addFile(sharer.accountId, { fileName: "shared.bin" })
      yield* drive(sharer, "shareFiles", { fileIds: [shared], userIds: [owner.accountId] })
      yield* Brain.use((brain) =>
        Effect.andThen(
          brain.when("find", steps({ name: "search_files", args: { text: "bin" } })),
          brain.when("list", steps({ name: "select_shared_files", args: {} }))
        )
      )
      const linked = Effect.fnUntraced(function*(text: string) {
        const { artifacts } = yield* doTask(owner, text)
        return artifacts.map(({ name }) => name)
      })
      assert.deepStrictEqual(yield* linked("find"), ["Reply", "sent.bin"])
      assert.deepStrictEqual(yield* linked("list"), ["Reply", "shared.bin"])
      assert.isFalse((yield* drive(owner, "selectFileRequests", {})).requests[0].drops[0].viewed)
      assert.deepStrictEqual((yield* drive(sharer, "selectFileViews", { fileIds: [shared] })).files[0].views, 0)
    }))

  it.effect("TASK-11 refusals of tools, and tools that do not exist or that the token may not use, go back to the brain as sentences", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential({ permissions: ["agent", "read"], folderId: null })
      yield* Brain.use((brain) =>
        brain.when(
          "try",
          ({ results }) =>
            results.length === 0
              ? Effect.succeed([
                { name: "delete_everything", args: {} },
                { name: "create_folder", args: { path: "/A" } },
                { name: "search_files", args: { limit: -1 } }
              ])
              : Effect.succeed(
                JSON.stringify(results.map(({ isFailure, result }) => [isFailure, result.code, result.error]))
              )
        )
      )
      const task = yield* doTask(owner, "try")
      assertState(task, "completed")
      const results = JSON.parse(said(task)) as ReadonlyArray<readonly [boolean, string, string]>
      assert.deepStrictEqual(results.map(([isFailure, code]) => [isFailure, code]), [
        [true, "no_such_tool"],
        [true, "no_such_tool"],
        [true, "invalid_field"]
      ])
      assert.strictEqual(results[1]![2], "This token may not organize.")
      const asked = (yield* Brain.use((brain) => brain.asked)).find(({ text }) => text === "try")
      assert.include(asked!.tools, "search_files")
      assert.notInclude(asked!.tools, "create_folder")
    }))

  it.effect("TASK-12 a task ends after 40 steps, when its token is revoked, and when the model can't be reached or says nothing", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* Brain.use((brain) => brain.when("for ever", () => call("get_user_storage_usage")))
      const endless = yield* doTask(owner, "for ever")
      assertState(endless, "failed")
      assert.strictEqual(said(endless), `The task was ended after ${Limits.taskSteps} steps.`)

      yield* Brain.use((brain) => brain.when("silence", () => Effect.succeed("")))
      assertState(yield* doTask(owner, "silence"), "failed")

      yield* Brain.use((brain) => brain.when("unreachable", () => Effect.fail(unavailable)))
      const sent = yield* send(owner, "unreachable")
      yield* asTimePasses(runJobs)
      const unreachable = yield* get(owner, sent)
      assertState(unreachable, "failed")
      assert.notInclude(said(unreachable), "RateLimit")

      const tokens = yield* ApiTokens
      yield* Brain.use((brain) =>
        brain.when("revoke", () =>
          Effect.andThen(
            Effect.orDie(as(owner.accountId)(tokens.revoke(owner.id))),
            call("create_folder", { path: "/Never" })
          ))
      )
      const revoked = yield* doTask(owner, "revoke")
      assertState(revoked, "canceled")
      assert.deepStrictEqual((yield* drive(owner, "selectCollections", {})).folders, [])
    }))

  it.effect("TASK-117 a task whose steps fail three times in a row for a reason that nobody foresaw has failed", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const asked = Effect.map(
        Brain.use((brain) => brain.asked),
        (all) => all.filter(({ text }) => text === "fault").length
      )
      yield* Brain.use((brain) => brain.when("fault", () => Effect.die(new Error("planted"))))
      const sent = yield* send(owner, "fault")
      yield* asTimePasses(runJobs)
      const failed = yield* get(owner, sent)
      assertState(failed, "failed")
      assert.strictEqual(said(failed), "A fault of the drive's ended this task. Its log says which.")
      assert.strictEqual(yield* asked, 3)
    }))

  it.effect("TASK-13 a message with only {tool, args} as data runs that tool without the brain", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const before = (yield* Brain.use((brain) => brain.asked)).length
      const made = yield* doTask(owner, { data: { tool: "create_folder", args: { path: "/Direct" } } })
      assertState(made, "completed")
      assert.deepInclude((made.statusMessage!.parts[1] as any).data, { path: "/Direct" })
      const refused = yield* doTask(owner, { data: { tool: "nothing" } })
      assertState(refused, "failed")
      assert.strictEqual(said(refused), "There is no tool named \"nothing\".")
      assert.strictEqual((yield* Brain.use((brain) => brain.asked)).length, before)
    }))

  it.effect("TASK-14 tasks of one context are one conversation: the brain reads the earlier ones, and they run one after the other", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* Brain.use((brain) => brain.when("first", steps({ name: "create_folder", args: { path: "/First" } })))
      yield* Brain.use((brain) =>
        brain.when("second", ({ prompt }) => Effect.succeed(JSON.stringify(prompt.content.map(({ role }) => role))))
      )
      yield* send(owner, "first", { contextId: "talk" })
      const second = yield* doTask(owner, "second", { contextId: "talk" })
      assert.deepStrictEqual(JSON.parse(said(second)), ["system", "user", "assistant", "tool", "assistant", "user"])
      const other = yield* doTask(owner, "second", { contextId: "other talk" })
      assert.deepStrictEqual(JSON.parse(said(other)), ["system", "user"])
    }))

  it.effect("TASK-15 a message for a task at work is read by its brain before it ends", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const tasks = yield* Tasks
      const sent = yield* send(owner, "begin")
      yield* Brain.use((brain) =>
        brain.when("begin", () =>
          Effect.as(Effect.orDie(tasks.send(message("and this", { taskId: sent.id })).pipe(by(owner))), "too early"))
      )
      yield* Brain.use((brain) =>
        brain.when("and this", () => Effect.succeed("read"))
      )
      yield* runJobs
      const task = yield* get(owner, sent)
      assertState(task, "completed")
      assert.strictEqual(said(task), "read")
      assert.deepStrictEqual(task.history.map(({ parts }) => parts), [[{ text: "begin" }], [{ text: "and this" }]])
    }))
})
