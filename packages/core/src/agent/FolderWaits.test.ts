import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  assertState,
  Brain,
  credentialOf,
  doTask,
  drive,
  newCredential,
  said,
  TestAgent
} from "../../test/TasksTest.ts"
import {
  fileNames,
  isDue,
  newName,
  putFile,
  resultOf,
  startWait,
  waits,
  wakesWithCommit
} from "../../test/WaitsTest.ts"
import { Database } from "../database/Database.ts"
import type { Operations } from "../http/Operations.ts"

layer(TestAgent, { timeout: "60 seconds" })("Waits for files in folders", (it) => {
  it.effect("WAIT-230 a wait for a folder inside one that is moved or renamed there is woken by the files that come to it, and by no others", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* putFile(owner, "deep.txt", "/Trip/Lisbon/Day 1")
      yield* putFile(owner, "top.txt", "/Trip/Rome")
      const trip = yield* drive(owner, "createFolder", { path: "/Trip" })
      const path = "/Inbox/Trip/Lisbon"
      const task = yield* startWait(owner, { kind: "folder_files", folder: path })
      const other = yield* startWait(owner, { kind: "folder_files", folder: "/Inbox/Trip/Paris" })
      yield* wakesWithCommit(owner, task, drive(owner, "moveFolder", { folderId: trip.id, folder: "/Inbox" }))
      assert.isFalse(yield* isDue(other))
      const moved = yield* resultOf(owner, task)
      assert.deepStrictEqual(fileNames(moved), ["deep.txt"])
      assert.strictEqual(moved.event.fileCount, 1)

      const renamed = yield* startWait(owner, { kind: "folder_files", folder: "/inbox/journey/LISBON/Day 1" })
      yield* drive(owner, "renameFolder", { folderId: trip.id, name: "Journey" })
      assert.deepStrictEqual(fileNames(yield* resultOf(owner, renamed)), ["deep.txt"])
    }))

  it.effect("WAIT-231 a folder that is moved between a task's beginning and its wait for a folder inside wakes it", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* putFile(owner, "deep.txt", "/Trip/Lisbon")
      const trip = yield* drive(owner, "createFolder", { path: "/Trip" })
      const name = newName()
      const wait = waits({ kind: "folder_files", folder: "/Inbox/Trip/Lisbon" })
      const operations = yield* Effect.context<Operations>()
      const move = drive(owner, "moveFolder", { folderId: trip.id, folder: "/Inbox" }).pipe(
        Effect.provide(operations),
        Effect.orDie
      )
      yield* Brain.use((brain) =>
        brain.when(name, (asked) => asked.results.length > 0 ? wait(asked) : Effect.andThen(move, wait(asked)))
      )
      const task = yield* doTask(owner, name)
      assertState(task, "completed")
      assert.deepStrictEqual(fileNames(JSON.parse(said(task))[0]), ["deep.txt"])
    }))

  it.effect("WAIT-232 a folder with so many folders that they follow it later wakes a wait for the last of them at once", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const owner = yield* newCredential()
      yield* putFile(owner, "deep.txt", "/Trip/z")
      const trip = yield* drive(owner, "createFolder", { path: "/Trip" })
      yield* sql`
        INSERT INTO ${t.folders} (id, account_id, parent_id, name, folded_name, path, folded_path, depth, insert_time)
        SELECT gen_random_uuid(), account_id, id, 'a' || n, 'a' || n, path || '/a' || n, folded_path || '/a' || n, 2, insert_time
        FROM ${t.folders}, generate_series(1, 1200) n WHERE id = ${trip.id}
      `
      const task = yield* startWait(owner, { kind: "folder_files", folder: "/Inbox/Trip/z" })
      yield* wakesWithCommit(owner, task, drive(owner, "moveFolder", { folderId: trip.id, folder: "/Inbox" }))
      assert.deepStrictEqual(fileNames(yield* resultOf(owner, task)), ["deep.txt"])
    }))

  it.effect("WAIT-234 a token that is limited to a folder waits for files in it, inside it and above it, and is told where it can't", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const { id: folderId } = yield* drive(owner, "createFolder", { path: "/Team/In" })
      const limited = yield* credentialOf(owner.accountId, { permissions: null, folderId })
      for (const folder of ["/team/in", "/Team/In/New", "/Team", "/"]) {
        yield* startWait(limited, { kind: "folder_files", folder })
      }
      const name = newName()
      yield* Brain.use((brain) => brain.when(name, waits({ kind: "folder_files", folder: "/Team/Info" })))
      const refused = yield* doTask(limited, name)
      assertState(refused, "completed")
      assert.strictEqual(JSON.parse(said(refused))[0].code, "token_limit")
    }))
})
