/** What senders do with a file request, on a drive in memory. */
import { assert, layer } from "@effect/vitest"
import { MemoryObjectStore } from "@filedrive/testing"
import { Effect, Exit, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { dropFile, drops, eventsOf, makeRequest, sendByForm, sendInParts, startDrop } from "../../test/DropsTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { balance, codes, held, input, MiB, post, put } from "../../test/UploadsTest.ts"
import { Database } from "../database/Database.ts"
import { FileDetails } from "../files/FileDetails.ts"
import { Trash } from "../files/Trash.ts"
import { JobsWorker } from "../jobs/JobsWorker.ts"
import * as Limits from "../limits/Limits.ts"
import { Folders } from "../organize/Folders.ts"
import { Search } from "../search/Search.ts"
import type { DropId, FileId } from "../shared/Ids.ts"
import { Uploads } from "../uploads/Uploads.ts"
import { type Drop, DropToken } from "./Drop.ts"
import { DropEnds } from "./DropEnds.ts"
import { DropRemovals } from "./DropRemovals.ts"
import { DropsRepo } from "./DropsRepo.ts"

const begun = Effect.fnUntraced(function*(
  { quotaBytes = null, ...request }: Parameters<typeof makeRequest>[1] & { readonly quotaBytes?: number | null } = {}
) {
  const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes }))
  const made = yield* makeRequest(owner, request)
  const { id, token } = yield* startDrop(made.id, "Grace", "hello")
  return { owner, request: made, dropId: id, token }
})

const recordOf = (owner: Parameters<typeof as>[0], id: FileId) =>
  Search.use((search) => search.search(Checked.search({ limit: 200 }))).pipe(
    Effect.map(({ files }) => files.find((file) => file.id === id)!),
    as(owner)
  )

const rows = Effect.fnUntraced(function*(dropId: DropId) {
  const { sql, tables: t } = yield* Database
  const [row] = yield* sql<{ readonly received: number; readonly files: number }>`
    SELECT r.received_bytes::float8 AS received, p.file_count AS files FROM ${t.drops} p
    JOIN ${t.file_requests} r ON r.id = p.request_id WHERE p.id = ${dropId}
  `
  return row!
})

layer(TestDrive, { timeout: "60 seconds" })("Drops", (it) => {
  it.effect("REQ-51 a file sent by a form is the owner's: private, in the folder of the request, charged, without a file event", () =>
    Effect.gen(function*() {
      const { owner, token } = yield* begun()
      const id = yield* sendByForm(token, dropFile(10, "tram.bin"))
      const record = yield* recordOf(owner, id)
      assert.deepInclude(record, { fileName: "tram.bin", fileSize: 10, isPublic: false })
      assert.strictEqual(record.folder?.path, "/In")
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 10, heldBytes: 0 })
      assert.deepStrictEqual(yield* eventsOf(owner), [])
      const found = yield* Search.use((search) => search.search(Checked.search({ text: "tram" }))).pipe(as(owner))
      assert.deepStrictEqual(found.files.map((file) => file.id), [id])
    }))

  it.effect("REQ-53 a file sent in parts continues after a reload by its key, and is completed without ETags", () =>
    Effect.gen(function*() {
      const { dropId, owner, token } = yield* begun()
      const file = dropFile(130 * MiB, "tram.mp4")
      const first = yield* drops((all) => all.openUpload(token, file))
      assert.isFalse(first.resumed)
      yield* put(first.signed[1]!)
      const shown = yield* drops((all) => all.select(token))
      assert.deepInclude(shown.uploads[0]!, {
        clientKey: "tram.mp4",
        fileName: "tram.mp4",
        sizeBytes: 130 * MiB,
        storedBytes: 64 * MiB
      })
      const again = yield* drops((all) => all.openUpload(token, file))
      assert.isTrue(again.resumed)
      assert.deepStrictEqual(again.stored.map(({ partNumber }) => partNumber), [2])
      const early = yield* Effect.flip(drops((all) => all.completeUpload(token, again.token)))
      assert.deepInclude(early, { code: "parts_missing", partNumbers: [1, 3] })
      const { parts } = yield* drops((all) => all.signParts(token, again.token, Checked.parts([1, 3])))
      for (const part of parts) yield* put(part)
      assert.strictEqual(yield* drops((all) => all.completeUpload(token, again.token)), 130 * MiB)
      assert.strictEqual(yield* drops((all) => all.completeUpload(token, again.token)), 130 * MiB)
      const { id } = yield* drops((all) => all.insert(token, file))
      assert.strictEqual((yield* recordOf(owner, id)).folder?.path, "/In")
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 130 * MiB, heldBytes: 0 })
      assert.deepStrictEqual(yield* rows(dropId), { received: 130 * MiB, files: 1 })
      const { files, uploads } = yield* drops((all) => all.select(token))
      assert.deepStrictEqual([files.map((one) => one.id), uploads], [[id], []])
    }))

  it.effect("REQ-53 a sender's file may have 2 TiB", () =>
    Effect.gen(function*() {
      const { owner, token } = yield* begun()
      const { plan, signed } = yield* drops((all) => all.openUpload(token, dropFile(Limits.fileSizeMaxBytes)))
      assert.isAtMost(plan.partCount, 10_000)
      assert.strictEqual(signed.length, 100)
      assert.strictEqual((yield* balance(owner)).heldBytes, Limits.fileSizeMaxBytes)
    }))

  it.effect("REQ-52 the same clientKey again supersedes a form, and its insert answers the same id", () =>
    Effect.gen(function*() {
      const { dropId, owner, token } = yield* begun()
      yield* drops((all) => all.createForm(token, dropFile(30)))
      assert.strictEqual((yield* balance(owner)).heldBytes, 30)
      const id = yield* sendByForm(token, dropFile(10))
      assert.strictEqual((yield* drops((all) => all.insert(token, dropFile(10)))).id, id)
      const other = yield* Effect.exit(drops((all) => all.insert(token, dropFile(11))))
      assert.deepStrictEqual(codes(other), ["size_mismatch", "fileSize"])
      for (
        const again of [
          drops((all) => Effect.asVoid(all.createForm(token, dropFile(10)))),
          drops((all) => Effect.asVoid(all.openUpload(token, dropFile(10))))
        ]
      ) {
        assert.deepStrictEqual(codes(yield* Effect.exit(again)), ["object_key_taken", "clientKey"])
        assert.strictEqual(
          (yield* Effect.flip(again)).message,
          "clientKey is taken by a file that this delivery has already."
        )
      }
      assert.deepStrictEqual(yield* rows(dropId), { received: 10, files: 1 })
      // The same key in another drop is another file.
      const { request } = yield* begun()
      const [one, two] = [yield* startDrop(request.id), yield* startDrop(request.id)]
      assert.notStrictEqual(yield* sendByForm(one.token, dropFile(10)), yield* sendByForm(two.token, dropFile(10)))
    }))

  it.effect("REQ-52 an insert before the bytes are stored names clientKey", () =>
    Effect.gen(function*() {
      const { token } = yield* begun()
      const early = yield* Effect.exit(drops((all) => all.insert(token, dropFile(10))))
      assert.deepStrictEqual(codes(early), ["object_not_found", "clientKey"])
      yield* drops((all) => all.createForm(token, dropFile(10)))
      assert.deepStrictEqual(codes(yield* Effect.exit(drops((all) => all.insert(token, dropFile(10))))), [
        "object_not_found",
        "clientKey"
      ])
    }))

  it.effect("REQ-52 a repeated insert answers the id even when the owner has deleted the file, or the request is gone", () =>
    Effect.gen(function*() {
      const { owner, token } = yield* begun()
      const id = yield* sendByForm(token, dropFile(10))
      yield* Trash.use((trash) => trash.delete([id])).pipe(as(owner))
      assert.strictEqual((yield* drops((all) => all.insert(token, dropFile(10)))).id, id)
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 0 })
    }))

  it.effect("REQ-63 a token opens its own drop and nothing of another's; a sender sees only what they sent, as they sent it", () =>
    Effect.gen(function*() {
      const { owner, request, token } = yield* begun()
      const other = yield* startDrop(request.id, "Ada")
      const opened = yield* drops((all) => all.openUpload(token, dropFile(1, "secret")))
      const id = yield* sendByForm(token, dropFile(10, "mine"))
      for (
        const step of [
          drops((all) => Effect.asVoid(all.signParts(other.token, opened.token, Checked.parts([1])))),
          drops((all) => Effect.asVoid(all.completeUpload(other.token, opened.token))),
          drops((all) => Effect.asVoid(all.abortUpload(other.token, opened.token)))
        ]
      ) {
        assert.strictEqual((yield* Effect.flip(step)).code, "not_allowed")
      }
      assert.isFalse(yield* drops((all) => all.remove(other.token, id)))
      const seen = yield* drops((all) => all.select(other.token))
      assert.deepStrictEqual([seen.files, seen.uploads, seen.drop.senderName], [[], [], "Ada"])
      // The owner can't use a sender's upload, nor a sender the owner's.
      assert.deepInclude(yield* Effect.flip(Uploads.use((uploads) => uploads.abort(opened.token)).pipe(as(owner))), {
        code: "not_allowed"
      })
      const own = yield* Uploads.use((uploads) => uploads.open(input(owner, 1))).pipe(as(owner))
      assert.deepInclude(yield* Effect.flip(drops((all) => all.abortUpload(token, own.token))), { code: "not_allowed" })
      yield* FileDetails.use((details) => details.rename(id, Checked.fileName("renamed"))).pipe(as(owner))
      yield* Trash.use((trash) => trash.put([id])).pipe(as(owner))
      const mine = yield* drops((all) => all.select(token))
      assert.deepStrictEqual(mine.files, [{ id, clientKey: "mine", fileName: "mine", sizeBytes: 10 }])
    }))

  it.effect("REQ-64 a sender takes a file back until the drop is finished", () =>
    Effect.gen(function*() {
      const { dropId, owner, token } = yield* begun()
      const [one, two] = [yield* sendByForm(token, dropFile(10, "one")), yield* sendInParts(token, dropFile(20, "two"))]
      assert.isTrue(yield* drops((all) => all.remove(token, one)))
      assert.isFalse(yield* drops((all) => all.remove(token, one)))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 20, heldBytes: 0 })
      assert.deepStrictEqual(yield* rows(dropId), { received: 20, files: 1 })
      assert.strictEqual((yield* held(owner)).length, 1)
      // Its key is free again.
      yield* sendByForm(token, dropFile(5, "one"))
      yield* drops((all) => all.finish(token))
      assert.deepInclude(yield* Effect.flip(drops((all) => all.remove(token, two))), { code: "not_allowed" })
      // It is finished after the call looked at it.
      const late = DropRemovals.use((removals) => removals.remove({ id: dropId, accountId: owner } as Drop, two)).pipe(
        Effect.provide(DropRemovals.layerNoDeps.pipe(Layer.provide(DropsRepo.layer)))
      )
      assert.deepInclude(yield* Effect.flip(late), { code: "not_allowed" })
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 25, heldBytes: 0 })
    }))

  it.effect("REQ-62 arrivals land where the folder of the request is now, and where it was when it is deleted", () =>
    Effect.gen(function*() {
      const { owner, request, token } = yield* begun({ folder: "/In/Photos" })
      const folderOf = Effect.fnUntraced(function*(name: string) {
        return (yield* recordOf(owner, yield* sendByForm(token, dropFile(1, name)))).folder
      })
      const first = yield* folderOf("a")
      assert.strictEqual(first?.path, "/In/Photos")
      const { sql, tables: t } = yield* Database
      yield* sql`UPDATE ${t.folders} SET name = 'Shots', folded_name = 'shots', path = '/In/Shots', folded_path = '/in/shots' WHERE id = ${
        first!.id
      }`
      assert.strictEqual((yield* folderOf("b"))?.path, "/In/Shots")
      // As if it had been deleted.
      yield* sql`UPDATE ${t.file_requests} SET folder_id = NULL, folder_path = '/Gone/Shots' WHERE id = ${request.id}`
      const made = yield* folderOf("c")
      assert.strictEqual(made?.path, "/Gone/Shots")
      const [d, e] = yield* Effect.all([folderOf("d"), folderOf("e")], { concurrency: 2 })
      assert.deepStrictEqual([d?.id, e?.id], [made?.id, made?.id])
      assert.isTrue(Option.isSome(yield* Folders.use((folders) => folders.find(owner, made!.id))))
    }))

  it.effect("REQ-65 media that arrives is queued for extraction like any other file", () =>
    Effect.gen(function*() {
      const { owner, token } = yield* begun()
      const id = yield* sendByForm(token, { ...dropFile(10, "a.png"), type: "Image" }, "PNG1234567")
      assert.deepInclude(yield* recordOf(owner, id), {
        type: "Image",
        mimeType: "image/png",
        metadataStatus: "pending"
      })
      yield* JobsWorker.use((worker) => worker.runDue)
      assert.notStrictEqual((yield* recordOf(owner, id)).metadataStatus, "pending")
    }))

  it.effect("REQ-68 a drop's token is kept as a hash, and is good for thirty days", () =>
    Effect.gen(function*() {
      const { dropId, owner, token } = yield* begun()
      assert.match(token, /^fdd_[A-Za-z0-9_-]{43}$/)
      const { sql, tables: t } = yield* Database
      const stored = yield* sql<
        { readonly row: string }
      >`SELECT row_to_json(p)::text AS row FROM ${t.drops} p WHERE id = ${dropId}`
      assert.notInclude(stored[0]!.row, token.slice(4))
      yield* sendByForm(token, dropFile(1))
      const empty = yield* begun()
      for (const wrong of [`${token}x`, "fdd_", "", `fdd_${"A".repeat(43)}`]) {
        const missing = yield* Effect.flip(drops((all) => all.select(DropToken.make(wrong))))
        assert.strictEqual(missing.code, "not_found")
      }
      yield* TestClock.adjust("30 days")
      assert.strictEqual((yield* Effect.flip(drops((all) => all.select(token)))).code, "not_found")
      // One with files stays for the owner; the other has nothing to stay for.
      yield* DropEnds.use((ends) => ends.sweep)
      const left = yield* sql<
        { readonly id: DropId }
      >`SELECT id FROM ${t.drops} WHERE id IN (${dropId}, ${empty.dropId})`
      assert.deepStrictEqual(left.map(({ id }) => id), [dropId])
      assert.strictEqual((yield* eventsOf(owner)).length, 1)
    }))

  it.effect("REQ-63 a form that is used after the drop was finished brings nothing", () =>
    Effect.gen(function*() {
      const { owner, token } = yield* begun()
      const form = yield* drops((all) => all.createForm(token, dropFile(10)))
      yield* drops((all) => all.finish(token))
      assert.strictEqual(yield* post(form, "x".repeat(10)), 403)
      const late = yield* Effect.exit(drops((all) => all.insert(token, dropFile(10))))
      assert.deepStrictEqual(codes(late), ["not_allowed", undefined])
      assert.isTrue(Exit.isFailure(late))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 0 })
      const memory = yield* MemoryObjectStore
      assert.deepStrictEqual((yield* memory.objects).filter(({ key }) => key.includes(owner)), [])
    }))
})
