/** How much senders may bring: bytes, and what they have open. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { dropFile, drops, makeRequest, sendByForm, startDrop } from "../../test/DropsTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { balance, input, uploadOnForm } from "../../test/UploadsTest.ts"
import { Database } from "../database/Database.ts"
import { Trash } from "../files/Trash.ts"
import * as Limits from "../limits/Limits.ts"
import type { DropId } from "../shared/Ids.ts"
import { Forms } from "../uploads/Forms.ts"
import { Uploads } from "../uploads/Uploads.ts"

const begun = Effect.fnUntraced(function*(
  { quotaBytes = null, ...request }: Parameters<typeof makeRequest>[1] & { readonly quotaBytes?: number | null } = {}
) {
  const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes }))
  const made = yield* makeRequest(owner, request)
  const { id, token } = yield* startDrop(made.id, "Grace", "hello")
  return { owner, request: made, dropId: id, token }
})

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
      const { owner, token } = yield* begun({ quotaBytes: 100, maxBytes: 1_000 })
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

  it.effect("REQ-76 without maxBytes all senders together reserve at most half of the owner's free storage", () =>
    Effect.gen(function*() {
      const { owner, request, token } = yield* begun({ quotaBytes: 100 })
      yield* uploadOnForm(input(owner, 20), "x".repeat(20)).pipe(as(owner))
      const other = yield* startDrop(request.id)
      const refusedAll = (size: number, key: string) =>
        Effect.gen(function*() {
          for (
            const step of [
              drops((all) => Effect.asVoid(all.createForm(other.token, dropFile(size, key)))),
              drops((all) => Effect.asVoid(all.openUpload(other.token, dropFile(size, key))))
            ]
          ) {
            const refused = yield* Effect.flip(step)
            assert.deepInclude(refused, { code: "storage_limit_reached", field: "fileSize" })
            assert.notMatch(refused.message, /\d/)
          }
        })
      // One file alone too.
      yield* refusedAll(41, "large")
      yield* drops((all) => all.createForm(token, dropFile(10, "form")))
      yield* drops((all) => all.openUpload(token, dropFile(25, "parts")))
      yield* refusedAll(6, "more")
      yield* drops((all) => all.createForm(other.token, dropFile(5, "last")))
      assert.strictEqual((yield* balance(owner)).heldBytes, 40)
      // What holds already is held by the request itself; growing counts, continuing does not.
      assert.isTrue((yield* drops((all) => all.openUpload(token, dropFile(25, "parts")))).resumed)
      yield* Effect.flip(drops((all) => all.openUpload(token, dropFile(26, "parts"))))
      // The other half is the owner's, to the byte.
      yield* Forms.use((forms) => forms.create(input(owner, 40, { objectKey: `users/${owner}/b.bin` }))).pipe(as(owner))
      // With that, half of what is left to the request is held already.
      yield* refusedAll(1, "none")
      yield* drops((all) => all.createForm(other.token, dropFile(0, "empty")))
    }))

  it.effect("REQ-77 the drops of one address reserve half of the bytes that the request may reserve, or one file", () =>
    Effect.gen(function*() {
      const { request } = yield* begun({ maxBytes: 100 })
      const [one, two] = [
        yield* startDrop(request.id, "Mallory", undefined, "192.0.2.1"),
        yield* startDrop(request.id, "Mallory", undefined, "192.0.2.1")
      ]
      const other = yield* startDrop(request.id, "Grace", undefined, "192.0.2.2")
      yield* drops((all) => all.createForm(one.token, dropFile(30, "form")))
      yield* drops((all) => all.openUpload(two.token, dropFile(20, "parts")))
      for (
        const step of [
          drops((all) => Effect.asVoid(all.createForm(two.token, dropFile(1, "more")))),
          drops((all) => Effect.asVoid(all.openUpload(two.token, dropFile(21, "parts"))))
        ]
      ) {
        const refused = yield* Effect.flip(step)
        assert.strictEqual(refused.code, "too_many_forms")
        assert.include(refused.message, "from your network")
        assert.notMatch(refused.message, /\d/)
      }
      yield* drops((all) => all.createForm(other.token, dropFile(50, "form")))
      // One file alone may take all that the request may hold.
      const elsewhere = yield* begun({ quotaBytes: 100 })
      const alone = yield* startDrop(elsewhere.request.id, "Grace", undefined, "192.0.2.1")
      yield* drops((all) => all.openUpload(alone.token, dropFile(30, "parts")))
      assert.isTrue((yield* drops((all) => all.openUpload(alone.token, dropFile(50, "parts")))).resumed)
      assert.deepInclude(yield* Effect.flip(drops((all) => all.createForm(alone.token, dropFile(51, "form")))), {
        code: "storage_limit_reached"
      })
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

  it.effect(
    "REQ-73 one address opens a hundred forms and a hundred uploads at a request, and others send on",
    () =>
      Effect.gen(function*() {
        const { owner, request } = yield* begun()
        const mine = yield* Effect.forEach([1, 2, 3], () => startDrop(request.id, "Mallory", undefined, "192.0.2.1"))
        const other = yield* startDrop(request.id, "Grace", undefined, "192.0.2.2")
        const unknown = yield* startDrop(request.id)
        for (let n = 0; n < Limits.openFromAddress; n++) {
          yield* drops((all) => all.createForm(mine[n % 2]!.token, dropFile(1, `form-${n}`)))
          yield* drops((all) => all.openUpload(mine[n % 2]!.token, dropFile(1, `parts-${n}`)))
        }
        const more = [
          drops((all) => Effect.asVoid(all.createForm(mine[2]!.token, dropFile(1, "more")))),
          drops((all) => Effect.asVoid(all.openUpload(mine[2]!.token, dropFile(1, "more"))))
        ]
        for (const step of more) {
          const refused = yield* Effect.flip(step)
          assert.strictEqual(refused.code, "too_many_forms")
          assert.include(refused.message, "from your network")
        }
        for (const { token } of [other, unknown]) {
          yield* drops((all) => all.createForm(token, dropFile(1, "form")))
          yield* drops((all) => all.openUpload(token, dropFile(1, "parts")))
        }
        // At another request it may have as many, and here again when something of it has ended.
        const elsewhere = yield* makeRequest(owner)
        const there = yield* startDrop(elsewhere.id, "Mallory", undefined, "192.0.2.1")
        yield* drops((all) => all.createForm(there.token, dropFile(1)))
        yield* sendByForm(mine[0]!.token, dropFile(1, "form-0"))
        yield* more[0]!
        const { sql, tables: t } = yield* Database
        const stored = JSON.stringify(yield* sql`SELECT p.*::text FROM ${t.drops} p`)
        assert.notInclude(stored, "192.0.2")
      }),
    60_000
  )

  it.effect(
    "REQ-74 of the drops of one address two hundred may be under way at a request",
    () =>
      Effect.gen(function*() {
        const { request } = yield* begun()
        const start = (network: string | null) => startDrop(request.id, "Mallory", undefined, network)
        const quiet = yield* start("192.0.2.2")
        yield* TestClock.adjust("1 minute")
        const first = yield* start("192.0.2.1")
        yield* TestClock.adjust("1 minute")
        const second = yield* start("192.0.2.1")
        for (let n = 2; n < Limits.dropsUnderWayFromAddress; n++) yield* start("192.0.2.1")
        yield* start("192.0.2.1")
        // Of its own the idlest that has nothing has ended, and none of others.
        assert.deepInclude(yield* Effect.flip(drops((all) => all.select(first.token))), { code: "not_found" })
        for (const { token } of [quiet, second]) yield* drops((all) => all.select(token))
        const { sql, tables: t } = yield* Database
        yield* sql`UPDATE ${t.drops} SET file_count = 1 WHERE request_id = ${request.id}`
        assert.deepInclude(yield* Effect.flip(start("192.0.2.1")), { code: "too_many_forms" })
        for (const network of ["192.0.2.2", null]) yield* start(network)
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
