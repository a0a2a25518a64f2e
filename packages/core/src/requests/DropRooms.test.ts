/** How much senders may bring: bytes, and what they have open. */
import { assert, layer } from "@effect/vitest"
import { MemoryObjectStore } from "@filedrive/testing"
import { Effect, Exit, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { dropFile, drops, eventsOf, makeRequest, sendByForm, sendInParts, startDrop } from "../../test/DropsTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { balance, codes, held, input, MiB, post, put, uploadOnForm } from "../../test/UploadsTest.ts"
import { Database } from "../database/Database.ts"
import { FileDetails } from "../files/FileDetails.ts"
import { Trash } from "../files/Trash.ts"
import { JobsWorker } from "../jobs/JobsWorker.ts"
import * as Limits from "../limits/Limits.ts"
import { Folders } from "../organize/Folders.ts"
import { Search } from "../search/Search.ts"
import { DropId, FileId } from "../shared/Ids.ts"
import { Forms } from "../uploads/Forms.ts"
import { Uploads } from "../uploads/Uploads.ts"
import { DropToken } from "./Drop.ts"
import { DropEnds } from "./DropEnds.ts"

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

layer(TestDrive, { timeout: "60 seconds" })("What drops have room for", (it) => {
  it.effect("REQ-54 what forms and uploads plan counts against maxBytes, and is free again when they end", () =>
    Effect.gen(function*() {
      const { dropId, owner, request, token } = yield* begun({ maxBytes: 100 })
      const other = yield* startDrop(request.id)
      yield* drops((all) => all.createForm(token, dropFile(40, "form")))
      const opened = yield* drops((all) => all.openUpload(other.token, dropFile(50, "parts")))
      const full = yield* Effect.flip(drops((all) => all.createForm(other.token, dropFile(11, "third"))))
      assert.deepInclude(full, { code: "request_full", field: "fileSize" })
      assert.notMatch(full.message, /\d/)
      yield* drops((all) => all.createForm(other.token, dropFile(10, "third")))
      assert.strictEqual((yield* balance(owner)).heldBytes, 100)
      // A smaller form in the place of a larger one makes room, and so does an upload that is aborted.
      yield* drops((all) => all.createForm(token, dropFile(20, "form")))
      assert.isTrue(yield* drops((all) => all.abortUpload(other.token, opened.token)))
      const id = yield* sendByForm(token, dropFile(70, "fourth"))
      assert.deepStrictEqual(yield* rows(dropId), { received: 70, files: 1 })
      assert.deepInclude(yield* Effect.flip(drops((all) => all.openUpload(token, dropFile(1, "fifth")))), {
        code: "request_full"
      })
      // What the owner deletes was received nevertheless; what a sender takes back was not.
      yield* Trash.use((trash) => trash.delete([id])).pipe(as(owner))
      assert.deepInclude(yield* Effect.flip(drops((all) => all.openUpload(token, dropFile(1, "fifth")))), {
        code: "request_full"
      })
      assert.isTrue(yield* drops((all) => all.remove(token, id)))
      assert.strictEqual((yield* drops((all) => all.openUpload(token, dropFile(70, "fifth")))).resumed, false)
    }))

  it.effect("REQ-54 an upload that is opened again for a larger file needs room for what is more", () =>
    Effect.gen(function*() {
      const { owner, token } = yield* begun({ maxBytes: 100 })
      yield* drops((all) => all.openUpload(token, dropFile(60)))
      assert.deepInclude(yield* Effect.flip(drops((all) => all.openUpload(token, dropFile(101)))), {
        code: "request_full"
      })
      assert.isTrue((yield* drops((all) => all.openUpload(token, dropFile(100)))).resumed)
      assert.strictEqual((yield* balance(owner)).heldBytes, 100)
    }))

  it.effect("REQ-55 past the owner's quota a sender gets storage_limit_reached, in a sentence without a digit", () =>
    Effect.gen(function*() {
      const { owner, token } = yield* begun({ quotaBytes: 100 })
      yield* uploadOnForm(input(owner, 60), "x".repeat(60)).pipe(as(owner))
      for (
        const step of [
          drops((all) => Effect.asVoid(all.createForm(token, dropFile(41)))),
          drops((all) => Effect.asVoid(all.openUpload(token, dropFile(41))))
        ]
      ) {
        const refused = yield* Effect.flip(step)
        assert.strictEqual(refused.code, "storage_limit_reached")
        assert.notMatch(refused.message, /\d/)
      }
      yield* sendByForm(token, dropFile(40))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 100, heldBytes: 0 })
    }))

  it.effect("REQ-55 an owner without a plan takes no files, and a sender is not told why", () =>
    Effect.gen(function*() {
      const { owner, request, token } = yield* begun()
      yield* TestAccounts.use((users) => users.change(owner, { plan: null }))
      assert.deepInclude(yield* Effect.flip(drops((all) => all.createForm(token, dropFile(1)))), {
        code: "request_closed"
      })
      assert.deepInclude(yield* Effect.flip(startDrop(request.id)), { code: "request_closed" })
    }))

  it.effect(
    "REQ-57 what senders have open leaves the owner's own forms and uploads alone",
    () =>
      Effect.gen(function*() {
        const { owner, token } = yield* begun()
        for (let n = 0; n < Limits.openPerDrop; n++) {
          yield* drops((all) => all.createForm(token, dropFile(1, `form-${n}`)))
          yield* drops((all) => all.openUpload(token, dropFile(1, `parts-${n}`)))
        }
        assert.deepInclude(yield* Effect.flip(drops((all) => all.createForm(token, dropFile(1, "more")))), {
          code: "too_many_forms"
        })
        assert.deepInclude(yield* Effect.flip(drops((all) => all.openUpload(token, dropFile(1, "more")))), {
          code: "too_many_forms"
        })
        const { sql, tables: t } = yield* Database
        // As if senders had as many open as the owner may have.
        yield* sql`
        INSERT INTO ${t.upload_forms} (account_id, id, object_key, store_key, size, insert_time, expire_time, request_id, drop_id)
        SELECT account_id, gen_random_uuid(), object_key || n, store_key || n, 0, insert_time, expire_time, request_id, drop_id
        FROM (SELECT * FROM ${t.upload_forms} WHERE account_id = ${owner} LIMIT 1) f, generate_series(1, ${Limits.openFormsMaxCount}::int) n
      `
        yield* Forms.use((forms) => forms.create(input(owner, 1))).pipe(as(owner))
        yield* Uploads.use((uploads) => uploads.open(input(owner, 1, { objectKey: `users/${owner}/b.bin` }))).pipe(
          as(owner)
        )
      }),
    60_000
  )

  it.effect("REQ-67 a thousand drops may be under way; of more, the idlest that has nothing ends", () =>
    Effect.gen(function*() {
      const { owner, request, token } = yield* begun()
      yield* sendByForm(token, dropFile(1))
      yield* TestClock.adjust("1 minute")
      const idle = yield* startDrop(request.id)
      yield* TestClock.adjust("1 minute")
      const { sql, tables: t } = yield* Database
      yield* sql`
        INSERT INTO ${t.drops} (id, account_id, request_id, token_hash, sender_name, file_count, insert_time, active_time, expire_time)
        SELECT gen_random_uuid(), ${owner}, ${request.id}, sha256(gen_random_uuid()::text::bytea), 'x', 0, p.insert_time + interval '30 s',
          p.active_time + interval '2 min', p.expire_time
        FROM (SELECT * FROM ${t.drops} WHERE request_id = ${request.id} LIMIT 1) p, generate_series(1, ${
        Limits.dropsUnderWayMaxCount - 2
      }::int)
      `
      const next = yield* startDrop(request.id)
      assert.deepInclude(yield* Effect.flip(drops((all) => all.select(idle.token))), { code: "not_found" })
      assert.strictEqual((yield* drops((all) => all.select(token))).files.length, 1)
      yield* sql`UPDATE ${t.drops} SET file_count = 1 WHERE request_id = ${request.id}`
      assert.deepInclude(yield* Effect.flip(startDrop(request.id)), { code: "too_many_forms" })
      assert.strictEqual((yield* drops((all) => all.select(next.token))).drop.senderName, "Grace")
    }))
})
