import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Checked from "../../test/Checked.ts"
import { addFile } from "../../test/FilesTest.ts"
import {
  assertState,
  Brain,
  credentialOf,
  doTask,
  get,
  newCredential,
  runJobs,
  send,
  steps,
  TestAgent
} from "../../test/TasksTest.ts"
import { as } from "../../test/TestAccounts.ts"
import { type Credential, within } from "../accounts/Credential.ts"
import { FolderTree } from "../organize/FolderTree.ts"

const makesFolder = { name: "create_folder", args: { path: "/made" } }

/** What the tools of a task answered. */
const lastResult = (name: string) =>
  Effect.map(
    Brain.use((brain) => brain.asked),
    (asked) => asked.flatMap(({ results }) => results).findLast((result) => result.name === name)
  )

/** The credential of a token of the same grant that may do less. */
const narrow = (credential: Credential) => within(["agent", "read"], credential)

layer(TestAgent, { timeout: "90 seconds" })("tasks of a narrower token", (it) => {
  it.effect("OAUTH-21 a task does no more than the token that began it might do, whatever its grant may", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential({ permissions: ["agent", "read", "organize"], folderId: null })
      yield* (yield* Brain).when("folder", steps(makesFolder))
      assertState(yield* doTask(narrow(owner), "folder please"), "completed")
      assert.isTrue((yield* lastResult("create_folder"))!.isFailure)
      assertState(yield* doTask(owner, "folder please"), "completed")
      assert.isFalse((yield* lastResult("create_folder"))!.isFailure)
    }))

  it.effect("OAUTH-21 a message of a narrower token in a task takes from the task what that token may not do", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential({ permissions: ["agent", "read", "organize"], folderId: null })
      const brain = yield* Brain
      yield* brain.when("wait", steps({ name: "wait_for", args: { kind: "folder_files", folder: "/", text: "waits" } }))
      yield* brain.when("now", steps(makesFolder))
      const task = yield* send(owner, "wait for files")
      yield* runJobs
      yield* send(narrow(owner), "now make it", { taskId: task.id })
      yield* runJobs
      yield* get(owner, task)
      assert.isTrue((yield* lastResult("create_folder"))!.isFailure)
    }))

  it.effect("OAUTH-76 a task of a token for one folder is not told the names of files outside it, in refusals neither", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const tree = yield* FolderTree
      const folder = yield* tree.create(Checked.path("/Inside")).pipe(as(owner.accountId))
      const secret = yield* addFile(owner.accountId, { fileName: "salaries.xlsx" })
      const narrowed = yield* credentialOf(owner.accountId, { permissions: null, folderId: folder.id })
      yield* (yield* Brain).when("publish", steps({ name: "toggle_file_access", args: { id: secret } }))
      for (const [credential, isTold] of [[owner, true], [narrowed, false]] as const) {
        yield* doTask(credential, "publish logo.png")
        const { isFailure, result } = (yield* lastResult("toggle_file_access"))!
        assert.isTrue(isFailure)
        assert.strictEqual(JSON.stringify(result).includes("salaries"), isTold)
      }
    }))
})
