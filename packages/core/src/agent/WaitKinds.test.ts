import { assert, layer } from "@effect/vitest"
import { imageFailure, MemoryRemoteFile, pending, submitted } from "@filedrive/testing"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { byAnyone, makeRequest } from "../../test/DropsTest.ts"
import { addFile } from "../../test/FilesTest.ts"
import { generate, runFor, script } from "../../test/GenerationsTest.ts"
import { newLink } from "../../test/ImportsTest.ts"
import {
  assertState,
  Brain,
  by,
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
import { fileNames, isDue, putFile, resultOf, startWait, wakesWithCommit } from "../../test/WaitsTest.ts"
import type { Credential } from "../accounts/Credential.ts"
import { Database } from "../database/Database.ts"
import { Downloads } from "../files/Downloads.ts"
import { ReviewersNotes } from "../reviews/ReviewersNotes.ts"
import { NewNote } from "../reviews/ReviewNote.ts"
import { Tasks } from "../tasks/Tasks.ts"

const makeReview = Effect.fnUntraced(function*(owner: Credential, fields: object = {}) {
  const fileId = yield* addFile(owner.accountId, { type: "Video", mimeType: "video/mp4", fileName: "cut.mp4" })
  return yield* drive(owner, "createFileReview", { fileId, ...fields })
})

const leaveNote = (reviewId: string) =>
  byAnyone(
    ReviewersNotes.use((notes) =>
      notes.leave(NewNote.make({ reviewId, reviewer: "Grace", seconds: 65.2, text: "Too early" } as never))
    )
  )

layer(TestAgent, { timeout: "90 seconds" })("What is waited for", (it) => {
  it.effect("WAIT-211 the end of an image wakes, also when it failed or was cancelled", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* script([Effect.succeed(submitted("one"))], [Effect.succeed(pending("10 seconds"))])
      const one = yield* generate(owner.accountId)
      const first = yield* startWait(owner, { kind: "image", id: one.id })
      yield* runFor(12)
      const done = yield* resultOf(owner, first)
      assert.strictEqual(done.reason, "happened")
      assert.strictEqual(done.event.status, "done")

      yield* script([Effect.succeed(submitted("two"))], [
        Effect.succeed(pending("10 seconds")),
        Effect.fail(imageFailure("moderated"))
      ])
      const two = yield* generate(owner.accountId)
      const second = yield* startWait(owner, { kind: "image", id: two.id })
      yield* runFor(12)
      assert.strictEqual((yield* resultOf(owner, second)).event.status, "failed")

      yield* script([Effect.succeed(submitted("three"))], [Effect.succeed(pending("1 hour"))])
      const three = yield* generate(owner.accountId)
      const third = yield* startWait(owner, { kind: "image", id: three.id })
      yield* wakesWithCommit(owner, third, drive(owner, "cancelGeneration", { id: three.id }))
      assert.strictEqual((yield* resultOf(owner, third)).woken, true)
    }))

  it.effect("WAIT-212 a note on a review wakes in the note's transaction", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const review = yield* makeReview(owner)
      const task = yield* startWait(owner, { kind: "review_note", id: review.id })
      yield* wakesWithCommit(owner, task, leaveNote(review.id))
      const result = yield* resultOf(owner, task)
      assert.strictEqual(result.reason, "happened")
      assert.deepInclude(result.event, { text: "Too early", reviewer: { name: "Grace" } })
    }))

  it.effect("WAIT-213 the end of an import and of an archive wakes a task that waits already", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const url = newLink()
      yield* MemoryRemoteFile.use((remote) => remote.serve(url, { bytes: new Uint8Array(3) }))
      yield* Brain.use((brain) =>
        brain.when("wait first", ({ results }) =>
          Effect.succeed(
            results.length === 0
              ? [{ name: "import_from_url", args: { url } }]
              : results.length === 1
              ? [{ name: "wait_for", args: { kind: "import", id: results[0]!.result.id, text: "Waits." } }]
              : JSON.stringify(results.slice(1).map(({ result }) => result))
          ))
      )
      const imported = yield* send(owner, `wait first for the import of ${url}`)
      assert.strictEqual((yield* resultOf(owner, imported)).event.status, "done")

      const fileId = yield* putFile(owner, "a.txt")
      yield* Brain.use((brain) =>
        brain.when("zip first", ({ results }) =>
          Effect.succeed(
            results.length === 0
              ? [{ name: "create_archive_request", args: { fileIds: [fileId] } }]
              : results.length === 1
              ? [{ name: "wait_for", args: { kind: "archive", id: results[0]!.result.id, text: "Waits." } }]
              : JSON.stringify(results.slice(1).map(({ result }) => result))
          ))
      )
      const zipped = yield* send(owner, "zip first")
      assert.strictEqual((yield* resultOf(owner, zipped)).event.status, "done")
    }))

  it.effect("WAIT-214 an opening of a file wakes in the opening's transaction", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const friend = yield* TestAccounts.use((users) => users.add())
      const fileId = yield* putFile(owner, "a.txt")
      yield* drive(owner, "shareFiles", { fileIds: [fileId], userIds: [friend] })
      const task = yield* startWait(owner, { kind: "file_opened", id: fileId })
      yield* as(friend)(Downloads.use((downloads) => downloads.link(fileId)))
      assert.isTrue(yield* isDue(task))
      assert.strictEqual((yield* resultOf(owner, task)).reason, "happened")
    }))

  it.effect("WAIT-215 a folder that is moved into the folder waited for, or renamed to it, wakes with its files; an empty one does not", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* putFile(owner, "one.txt", "/Trip")
      yield* putFile(owner, "two.txt", "/Trip/Deep")
      const trip = yield* drive(owner, "createFolder", { path: "/Trip" })
      const empty = yield* drive(owner, "createFolder", { path: "/Empty" })
      const task = yield* startWait(owner, { kind: "folder_files", folder: "/Inbox" })
      yield* drive(owner, "moveFolder", { folderId: empty.id, folder: "/Inbox" })
      assert.isFalse(yield* isDue(task))
      yield* wakesWithCommit(owner, task, drive(owner, "moveFolder", { folderId: trip.id, folder: "/Inbox" }))
      const moved = yield* resultOf(owner, task)
      assert.sameMembers(fileNames(moved), ["one.txt", "two.txt"])
      assert.strictEqual(moved.event.fileCount, 2)

      const renamed = yield* startWait(owner, { kind: "folder_files", folder: "/Inbox/Lisbon" })
      yield* drive(owner, "renameFolder", { folderId: trip.id, name: "Lisbon" })
      assert.sameMembers(fileNames(yield* resultOf(owner, renamed)), ["one.txt", "two.txt"])
    }))

  it.effect("WAIT-216 a file that is restored from trash wakes a wait for files in its folder", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const fileId = yield* putFile(owner, "back.txt", "/Inbox")
      yield* drive(owner, "trashFiles", [{ id: fileId }])
      const task = yield* startWait(owner, { kind: "folder_files", folder: "/Inbox" })
      yield* wakesWithCommit(owner, task, drive(owner, "restoreFiles", [{ id: fileId }]))
      assert.deepStrictEqual(fileNames(yield* resultOf(owner, task)), ["back.txt"])
    }))

  it.effect("WAIT-217 a wait ends when its folder is deleted, its review is closed, deleted or expires, and its request expires", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const folder = yield* drive(owner, "createFolder", { path: "/Gone" })
      yield* drive(owner, "createFolder", { path: "/Gone/Inside" })
      const inFolder = yield* startWait(owner, { kind: "folder_files", folder: "/Gone" })
      const inside = yield* startWait(owner, { kind: "folder_files", folder: "/gone/inside" })
      const later = yield* startWait(owner, { kind: "folder_files", folder: "/Gone/Not yet" })
      yield* drive(owner, "deleteFolder", { folderId: folder.id, files: "trash" })
      assert.strictEqual((yield* resultOf(owner, inFolder)).reason, "deleted")
      assert.strictEqual((yield* resultOf(owner, inside)).reason, "deleted")
      assert.isTrue((yield* get(owner, later)).waits)

      const closed = yield* makeReview(owner)
      const onClosed = yield* startWait(owner, { kind: "review_note", id: closed.id })
      yield* wakesWithCommit(owner, onClosed, drive(owner, "updateFileReview", { reviewId: closed.id, open: false }))
      assert.strictEqual((yield* resultOf(owner, onClosed)).reason, "closed")

      const removed = yield* makeReview(owner)
      const onRemoved = yield* startWait(owner, { kind: "review_note", id: removed.id })
      yield* drive(owner, "deleteFileReview", { reviewId: removed.id })
      assert.strictEqual((yield* resultOf(owner, onRemoved)).reason, "deleted")

      const expireTime = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 2 }))
      const short = yield* makeReview(owner, { expireTime })
      const request = yield* drive(owner, "createFileRequest", { title: "Photos", folder: "/In", expireTime })
      const onShort = yield* startWait(owner, { kind: "review_note", id: short.id })
      const onRequest = yield* startWait(owner, { kind: "request_files", id: request.id })
      yield* TestClock.adjust("47 hours")
      yield* runJobs
      assert.isTrue((yield* get(owner, onShort)).waits)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* resultOf(owner, onShort)).reason, "expired")
      assert.strictEqual((yield* resultOf(owner, onRequest)).reason, "expired")
    }))

  it.effect("WAIT-218 every wait ends after 30 days, counted from its beginning, and says that nothing came", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const fileId = yield* putFile(owner, "a.txt")
      const review = yield* makeReview(owner)
      const request = yield* makeRequest(owner.accountId)
      const tasks = yield* Effect.forEach([
        { kind: "file_opened", id: fileId },
        { kind: "review_note", id: review.id },
        { kind: "request_files", id: request.id },
        { kind: "folder_files", folder: "/" }
      ], (args) => startWait(owner, args))
      // A message in between does not make it longer.
      yield* TestClock.adjust("20 days")
      yield* Brain.use((brain) => brain.when("still there", () => Effect.succeed("Yes.")))
      const tasksOf = yield* Tasks
      yield* by(owner)(tasksOf.send(message("still there", { taskId: tasks[0]!.id })))
      yield* runJobs
      yield* TestClock.adjust("9 days")
      yield* runJobs
      for (const task of tasks) assert.isTrue((yield* get(owner, task)).waits)
      yield* TestClock.adjust("1 day")
      for (const [at, task] of tasks.entries()) {
        yield* runJobs
        const done = yield* get(owner, task)
        assertState(done, "completed")
        if (at > 0) assert.deepInclude(JSON.parse(said(done))[0], { woken: true, reason: "expired" })
      }
    }))

  it.effect(
    "TASK-243 a list counts its tasks up to 100,000 and pages through all of them",
    () =>
      Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const owner = yield* newCredential()
        yield* TestClock.adjust("1 day")
        const first = yield* doTask(owner, "anything")
        yield* sql`
        INSERT INTO ${t.agent_tasks} (id, account_id, credential_id, credential_name, context_id, phase, status_time, queue_time, insert_time)
        SELECT gen_random_uuid(), account_id, credential_id, credential_name,
          CASE WHEN n <= 1050 THEN 'many' ELSE 'more' END, 'completed', status_time - n * interval '1 second',
          queue_time, insert_time
        FROM ${t.agent_tasks}, generate_series(1, 100000) n WHERE id = ${first.id}
      `
        const list = (listing: object) => by(owner)(Tasks.use((tasks) => tasks.list({ historyLength: 0, ...listing })))
        assert.strictEqual((yield* list({})).totalSize, 100_000)
        assert.strictEqual((yield* list({ contextId: "many" })).totalSize, 1_050)
        assert.strictEqual((yield* list({ state: "canceled" })).totalSize, 0)
        const ids = new Set<string>()
        let pageToken = ""
        do {
          const page = yield* list({ contextId: "many", pageSize: 100, pageToken })
          for (const { id } of page.tasks) ids.add(id)
          pageToken = page.nextPageToken
        } while (pageToken !== "")
        assert.strictEqual(ids.size, 1_050)
      }),
    120_000
  )
})
