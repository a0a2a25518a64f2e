/** Deliveries that their owner deletes. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { dropFile, drops, eventsOf, makeRequest, sendByForm, startDrop } from "../../test/DropsTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { balance, held, MiB, post, put } from "../../test/UploadsTest.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import { Trash } from "../files/Trash.ts"
import { Folders } from "../organize/Folders.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import type { AccountId, DropId, FileId, RequestId } from "../shared/Ids.ts"
import { FormEnds } from "../uploads/FormEnds.ts"
import { SenderName } from "./Drop.ts"
import { DropDeletions } from "./DropDeletions.ts"
import { DropEnds } from "./DropEnds.ts"

const newOwner = TestAccounts.use((users) => users.add())

const removeSender = (requestId: RequestId, name: string) =>
  DropDeletions.use((all) => all.remove({ requestId, senderName: SenderName.make(name) }))

const removeThese = (dropIds: ReadonlyArray<DropId>) => DropDeletions.use((all) => all.remove({ dropIds }))

/** A finished delivery. */
const sent = Effect.fnUntraced(function*(requestId: RequestId, sender: string, sizes: ReadonlyArray<number>) {
  const { id, token } = yield* startDrop(requestId, sender)
  const fileIds: ReadonlyArray<FileId> = yield* Effect.forEach(
    sizes,
    (size, at) => sendByForm(token, dropFile(size, `${at}.bin`))
  )
  yield* drops((all) => all.finish(token))
  return { id, token, fileIds }
})

const filesOf = Effect.fnUntraced(function*(owner: AccountId) {
  const { sql, tables: t } = yield* Database
  const rows = yield* sql<{ readonly id: FileId; readonly isTrashed: boolean }>`
    SELECT id, trash_time IS NOT NULL AS "isTrashed" FROM ${t.files} WHERE account_id = ${owner} ORDER BY id
  `
  const ids = (isTrashed: boolean) => rows.filter((row) => row.isTrashed === isTrashed).map(({ id }) => id)
  return { inDrive: ids(false), inTrash: ids(true) }
})

/** What the request has received, and its drops. */
const stateOf = Effect.fnUntraced(function*(id: RequestId) {
  const { sql, tables: t } = yield* Database
  const [request] = yield* sql<{ readonly received: number }>`
    SELECT received_bytes::float8 AS received FROM ${t.file_requests} WHERE id = ${id}
  `
  const found = yield* sql<{ readonly id: DropId }>`SELECT id FROM ${t.drops} WHERE request_id = ${id} ORDER BY id`
  return { received: request!.received, drops: found.map((drop) => drop.id) }
})

layer(TestDrive, { timeout: "120 seconds" })("deliveries that are deleted", (it) => {
  it.effect("REQ-78 the owner deletes all that one sender started: files go to trash, what is under way ends, others' stay", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner
      const request = yield* makeRequest(owner, { maxBytes: 10 ** 9 })
      const elsewhere = yield* makeRequest(owner)
      const first = yield* sent(request.id, "Mallory", [10, 20])
      const grace = yield* sent(request.id, "Grace", [5])
      const other = yield* sent(elsewhere.id, "Mallory", [7])
      // Under way: with files, and with bytes that are only reserved; of the latter no list tells.
      const { token } = yield* startDrop(request.id, "Mallory")
      const in1 = yield* sendByForm(token, dropFile(30, "in"))
      const form = yield* drops((all) => all.createForm(token, dropFile(40, "form")))
      yield* post(form, "x".repeat(40))
      const opened = yield* drops((all) => all.openUpload(token, dropFile(130 * MiB, "parts")))
      yield* put(opened.signed[0]!)
      const silent = yield* startDrop(request.id, "Mallory")
      yield* drops((all) => all.createForm(silent.token, dropFile(1_000, "reserved")))
      const before = (yield* eventsOf(owner)).length

      const remove = removeSender(request.id, "Mallory")
      assert.deepInclude(yield* Effect.flip(remove.pipe(as(yield* newOwner))), { _tag: "NotFound" })
      assert.strictEqual(yield* remove.pipe(as(owner)), 3)
      yield* FormEnds.use((all) => all.cleared)
      assert.deepStrictEqual(yield* stateOf(request.id), { received: 5, drops: [grace.id] })
      assert.deepStrictEqual(yield* filesOf(owner), {
        inDrive: [...grace.fileIds, ...other.fileIds].sort(),
        inTrash: [...first.fileIds, in1].sort()
      })
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 72, heldBytes: 0 })
      assert.strictEqual((yield* held(owner)).length, 5)
      // Its tokens lead nowhere, whatever a process remembers of them.
      for (
        const step of [
          drops((all) => Effect.asVoid(all.createForm(token, dropFile(1, "more")))),
          drops((all) => Effect.asVoid(all.insert(token, dropFile(40, "form")))),
          drops((all) => Effect.asVoid(all.completeUpload(token, opened.token))),
          drops((all) => Effect.asVoid(all.select(first.token))),
          drops((all) => all.finish(silent.token))
        ]
      ) {
        assert.deepInclude(yield* Effect.flip(step), { _tag: "NotFound" })
      }
      yield* TestClock.adjust("2 days")
      yield* DropEnds.use((ends) => ends.sweep)
      assert.strictEqual((yield* eventsOf(owner)).length, before, "no delivery is announced")
      assert.strictEqual(yield* remove.pipe(as(owner)), 0)
      // The sender may come back: what is started afterwards is another delivery.
      const again = yield* sent(request.id, "Mallory", [1])
      assert.deepStrictEqual((yield* stateOf(request.id)).drops, [grace.id, again.id])
    }))

  it.effect("REQ-78 deliveries are deleted by their ids; those of others and unknown ones are left out", () =>
    Effect.gen(function*() {
      const [owner, stranger] = [yield* newOwner, yield* newOwner]
      const [request, theirs] = [yield* makeRequest(owner, { maxBytes: 100 }), yield* makeRequest(stranger)]
      const [one, two] = [yield* sent(request.id, "Grace", [60]), yield* sent(request.id, "Grace", [40])]
      const foreign = yield* sent(theirs.id, "Grace", [3])
      // Full: what the owner deletes with its delivery makes room again.
      const { token } = yield* startDrop(request.id)
      const more = drops((all) => Effect.asVoid(all.createForm(token, dropFile(60, "more"))))
      assert.deepInclude(yield* Effect.flip(more), { code: "request_full" })
      assert.strictEqual(yield* removeThese([one.id, foreign.id, one.id]).pipe(as(owner)), 1)
      yield* more
      assert.strictEqual(yield* removeThese([one.id, foreign.id]).pipe(as(owner)), 0)
      assert.include((yield* stateOf(request.id)).drops, two.id)
      assert.deepStrictEqual((yield* stateOf(theirs.id)).drops, [foreign.id])
      // Files are restored from trash like any other.
      yield* Trash.use((trash) => trash.restore(one.fileIds)).pipe(as(owner))
      assert.deepStrictEqual((yield* filesOf(owner)).inTrash, [])
    }))

  it.effect("REQ-78 a delivery of many files goes some at a time, also one that its sender is still filling", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner
      const request = yield* makeRequest(owner)
      const { token } = yield* startDrop(request.id, "Mallory")
      const names = Array.from({ length: 203 }, (_, n) => `${n}.bin`)
      yield* Effect.forEach(names, (name) => sendByForm(token, dropFile(1, name)), { concurrency: 40 })
      const small = yield* Effect.forEach([1, 2, 3], (size) => sent(request.id, "Mallory", [size]))
      assert.strictEqual(yield* removeSender(request.id, "Mallory").pipe(as(owner)), 1 + small.length)
      assert.deepStrictEqual(yield* stateOf(request.id), { received: 0, drops: [] })
      const { inDrive, inTrash } = yield* filesOf(owner)
      assert.deepStrictEqual([inDrive.length, inTrash.length], [0, 206])
    }))

  it.effect("REQ-78 a file that its sender has taken back, and that is still there, goes to trash too", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const owner = yield* newOwner
      const request = yield* makeRequest(owner)
      const { fileIds, id } = yield* sent(request.id, "Grace", [2, 3])
      // As a call leaves it that is cut off between taking it out and deleting it.
      yield* sql`UPDATE ${t.drop_files} SET is_removed = true WHERE file_id = ${fileIds[0]!}`
      yield* sql`UPDATE ${t.drops} SET file_count = 1 WHERE id = ${id}`
      yield* sql`UPDATE ${t.file_requests} SET received_bytes = 3 WHERE id = ${request.id}`
      assert.strictEqual(yield* removeThese([id]).pipe(as(owner)), 1)
      assert.deepStrictEqual((yield* filesOf(owner)).inDrive, [])
      assert.strictEqual((yield* stateOf(request.id)).received, 0)
    }))

  it.effect("REQ-78 it needs the permission delete, and a token limited to a folder reaches what is in it", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner
      const request = yield* makeRequest(owner, { folder: FolderPath.Path.make("/In") })
      const outside = yield* makeRequest(owner, { folder: FolderPath.Path.make("/Out") })
      const [one, two] = [yield* sent(request.id, "Grace", [1, 2]), yield* sent(outside.id, "Grace", [3])]
      const remove = removeThese([one.id, two.id])
      const shares = as(owner, { permissions: ["read", "share"], folderId: null })
      assert.deepInclude(yield* Effect.flip(shares(remove)), { code: "token_limit" })
      const inside = as(owner, { permissions: ["delete"], folderId: request.folder.id })
      assert.deepInclude(yield* Effect.flip(inside(removeSender(outside.id, "Grace"))), { _tag: "NotFound" })
      yield* Folders.use((folders) => folders.ensure(owner, FolderPath.Path.make("/Kept"), "folder")).pipe(
        Effect.flatMap((kept) => moved(one.fileIds[0]!, kept!.id))
      )
      assert.strictEqual(yield* inside(remove), 1)
      // What was moved out of the folder stays.
      assert.deepStrictEqual(yield* filesOf(owner), {
        inDrive: [one.fileIds[0]!, ...two.fileIds].sort(),
        inTrash: [one.fileIds[1]!]
      })
      assert.strictEqual(yield* remove.pipe(as(owner, unlimited)), 1)
    }))

  it.effect("REQ-78 what is selected in two ways, or in none, is refused", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner
      const { id: requestId } = yield* makeRequest(owner)
      const { id } = yield* startDrop(requestId)
      const senderName = SenderName.make("Grace")
      for (
        const [selection, field] of [
          [{}, "dropIds"],
          [{ requestId }, "senderName"],
          [{ senderName }, "dropIds"],
          [{ dropIds: [id], requestId }, "requestId"],
          [{ dropIds: [id], senderName }, "senderName"]
        ] as const
      ) {
        const refused = yield* DropDeletions.use((all) => all.remove(selection)).pipe(as(owner), Effect.flip)
        assert.deepInclude(refused, { _tag: "InvalidField", field })
      }
    }))
})

const moved = Effect.fnUntraced(function*(fileId: FileId, folderId: string) {
  const { sql, tables: t } = yield* Database
  yield* sql`UPDATE ${t.files} SET folder_id = ${folderId} WHERE id = ${fileId}`
})
