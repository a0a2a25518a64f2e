/** How drops end, and what their requests end in them. */
import { assert, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore } from "@filedrive/testing"
import { DateTime, Effect, Stream } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { dropFile, drops, eventsOf, makeRequest, sendByForm, sendInParts, startDrop } from "../../test/DropsTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { balance, held, MiB, post, put } from "../../test/UploadsTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Trash } from "../files/Trash.ts"
import { JobsWorker } from "../jobs/JobsWorker.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId, RequestId } from "../shared/Ids.ts"
import { FormEnds } from "../uploads/FormEnds.ts"
import { DropEnds } from "./DropEnds.ts"
import { SentDrops } from "./SentDrops.ts"

const begun = Effect.fnUntraced(function*(change: Parameters<typeof makeRequest>[1] = {}) {
  const owner = yield* TestAccounts.use((users) => users.add())
  const request = yield* makeRequest(owner, change)
  const { id, token } = yield* startDrop(request.id, "Grace", "hello")
  return { owner, request, dropId: id, token }
})

/** Closes or deletes a request, as its owner's operations do. */
const endRequest = Effect.fnUntraced(function*(owner: AccountId, id: RequestId, how: "closed" | "deleted") {
  const { sql, tables: t } = yield* Database
  const ends = yield* DropEnds
  const transaction = yield* AccountTransaction
  const ended = yield* transaction.run(owner, () =>
    how === "closed"
      ? Effect.andThen(
        sql`UPDATE ${t.file_requests} SET close_time = insert_time WHERE id = ${id}`,
        ends.onClosed(owner, id)
      )
      : Effect.andThen(
        ends.onDeleted(owner, { id, title: "Photos" }),
        (ended) => Effect.as(sql`DELETE FROM ${t.file_requests} WHERE id = ${id}`, ended)
      )).pipe(Effect.orDie)
  yield* ends.clear(owner, ended)
  yield* FormEnds.use((all) => all.cleared)
})

const openUploads = (owner: AccountId) =>
  ObjectStore.use((store) => Stream.runCollect(store.listUploads("private"))).pipe(
    Effect.map((all) => all.filter(({ key }) => key.includes(owner)).length)
  )

const sweep = DropEnds.use((ends) => ends.sweep)

layer(TestDrive, { timeout: "60 seconds" })("The ends of drops", (it) => {
  for (const how of ["closed", "deleted"] as const) {
    it.effect(`REQ-58 a request that is ${how} ends what is under way and gives its bytes back; what is in stays`, () =>
      Effect.gen(function*() {
        const { owner, request, token } = yield* begun({ maxBytes: 10 ** 9 })
        const id = yield* sendByForm(token, dropFile(10, "in"))
        const form = yield* drops((all) => all.createForm(token, dropFile(20, "form")))
        yield* post(form, "x".repeat(20))
        const opened = yield* drops((all) => all.openUpload(token, dropFile(130 * MiB, "parts")))
        yield* put(opened.signed[0]!)
        const whole = yield* drops((all) => all.openUpload(token, dropFile(5, "whole")))
        for (const part of whole.signed) yield* put(part)
        yield* drops((all) => all.completeUpload(token, whole.token))
        yield* endRequest(owner, request.id, how)
        assert.deepStrictEqual(yield* balance(owner), { usedBytes: 10, heldBytes: 0 })
        assert.deepStrictEqual([(yield* held(owner)).length, yield* openUploads(owner)], [1, 0])
        for (
          const step of [
            drops((all) => Effect.asVoid(all.createForm(token, dropFile(1, "new")))),
            drops((all) => Effect.asVoid(all.openUpload(token, dropFile(1, "new")))),
            drops((all) => Effect.asVoid(all.openUpload(token, dropFile(130 * MiB, "parts")))),
            drops((all) => Effect.asVoid(all.completeUpload(token, opened.token))),
            drops((all) => Effect.asVoid(all.insert(token, dropFile(20, "form")))),
            drops((all) => Effect.asVoid(all.insert(token, dropFile(5, "whole"))))
          ]
        ) {
          assert.strictEqual((yield* Effect.flip(step)).code, "request_closed")
        }
        // What has happened already is answered as before.
        assert.strictEqual((yield* drops((all) => all.insert(token, dropFile(10, "in")))).id, id)
        assert.isTrue(yield* drops((all) => all.abortUpload(token, opened.token)))
        const seen = yield* drops((all) => all.select(token))
        assert.deepStrictEqual([seen.files.map((file) => file.id), seen.uploads], [[id], []])
        yield* drops((all) => all.finish(token))
        const [event, ...others] = yield* eventsOf(owner)
        assert.deepInclude(event!, { kind: "drop", request: { id: request.id, title: "Photos" } })
        assert.deepStrictEqual(others, [])
      }))
  }

  it.effect("REQ-59 what is under way when a request expires is ended by a job, within 20 seconds", () =>
    Effect.gen(function*() {
      const expireTime = DateTime.add(yield* DateTime.now, { hours: 1 })
      const { owner, token } = yield* begun({ expireTime } as never)
      yield* drops((all) => all.openUpload(token, dropFile(30, "parts")))
      yield* drops((all) => all.createForm(token, dropFile(20, "form")))
      yield* TestClock.adjust("59 minutes")
      yield* JobsWorker.use((worker) => worker.runDue)
      assert.strictEqual((yield* balance(owner)).heldBytes, 50)
      yield* TestClock.adjust("1 minute")
      // No job has run, and nothing is taken any more.
      assert.strictEqual(
        (yield* Effect.flip(drops((all) => all.createForm(token, dropFile(1))))).code,
        "request_closed"
      )
      yield* TestClock.adjust("1 second")
      yield* JobsWorker.use((worker) => worker.runDue)
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 0 })
      assert.deepStrictEqual([yield* held(owner), yield* openUploads(owner)], [[], 0])
    }))

  it.effect("REQ-59 a request that was given more time goes on", () =>
    Effect.gen(function*() {
      const expireTime = DateTime.add(yield* DateTime.now, { hours: 1 })
      const { owner, request, token } = yield* begun({ expireTime } as never)
      yield* drops((all) => all.createForm(token, dropFile(20, "form")))
      const { sql, tables: t } = yield* Database
      const later = DateTime.toDateUtc(DateTime.add(expireTime, { hours: 1 }))
      yield* sql`UPDATE ${t.file_requests} SET expire_time = ${later} WHERE id = ${request.id}`
      yield* TestClock.adjust("61 minutes")
      yield* JobsWorker.use((worker) => worker.runDue)
      assert.strictEqual((yield* balance(owner)).heldBytes, 20)
      yield* TestClock.adjust("1 hour")
      yield* JobsWorker.use((worker) => worker.runDue)
      assert.strictEqual((yield* balance(owner)).heldBytes, 0)
    }))

  it.effect("REQ-60 a finished drop is one event with its sender, note, request and files, and takes no more", () =>
    Effect.gen(function*() {
      const { dropId, owner, request, token } = yield* begun()
      const ids = [
        yield* sendByForm(token, dropFile(10, "a")),
        yield* sendInParts(token, dropFile(20, "b")),
        yield* sendByForm(token, dropFile(30, "gone"))
      ]
      yield* Trash.use((trash) => trash.delete([ids[2]!])).pipe(as(owner))
      yield* drops((all) => all.createForm(token, dropFile(40, "never sent")))
      yield* Effect.all([1, 2, 3].map(() => drops((all) => all.finish(token))), { concurrency: "unbounded" })
      yield* drops((all) => all.finish(token))
      const events = yield* eventsOf(owner)
      assert.deepStrictEqual(events.map(({ id: _id, time: _time, ...event }) => event), [{
        kind: "drop",
        sender: { name: "Grace" },
        note: "hello",
        request: { id: request.id, title: "Photos" },
        files: ["a", "b"].map((fileName, at) => ({
          id: ids[at]!,
          type: "Other" as const,
          fileName,
          fileSize: (at + 1) * 10,
          mimeType: "application/octet-stream"
        })),
        fileCount: 2
      }])
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 30, heldBytes: 0 })
      const late = yield* Effect.flip(drops((all) => all.createForm(token, dropFile(1, "late"))))
      assert.strictEqual(late.code, "not_allowed")
      assert.isNotNull((yield* drops((all) => all.select(token))).drop.finishTime)
      assert.strictEqual((yield* drops((all) => all.select(token))).drop.id, dropId)
    }))

  it.effect("REQ-60 a drop of nothing is no event", () =>
    Effect.gen(function*() {
      const { owner, token } = yield* begun()
      yield* drops((all) => all.createForm(token, dropFile(40)))
      yield* drops((all) => all.finish(token))
      assert.deepStrictEqual(yield* eventsOf(owner), [])
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 0 })
    }))

  it.effect("REQ-64 a file that was taken back by a call that ended on the way is deleted by the job", () =>
    Effect.gen(function*() {
      const { dropId, owner, token } = yield* begun()
      const id = yield* sendByForm(token, dropFile(10))
      const { sql, tables: t } = yield* Database
      yield* sql`UPDATE ${t.drop_files} SET is_removed = true WHERE drop_id = ${dropId}`
      assert.deepStrictEqual((yield* drops((all) => all.select(token))).files, [])
      yield* sweep
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 0 })
      assert.isFalse(yield* drops((all) => all.remove(token, id)))
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM ${t.drop_files} WHERE drop_id = ${dropId}`, [])
    }))

  it.effect("REQ-64 a file that was taken back by a call that ended on the way is deleted by the same call sent again", () =>
    Effect.gen(function*() {
      const { dropId, owner, token } = yield* begun()
      const id = yield* sendByForm(token, dropFile(10))
      const { sql, tables: t } = yield* Database
      yield* sql`UPDATE ${t.drop_files} SET is_removed = true WHERE drop_id = ${dropId}`
      assert.isTrue(yield* drops((all) => all.remove(token, id)))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 0 })
      assert.isFalse(yield* drops((all) => all.remove(token, id)))
    }))

  it.effect("REQ-70 the owner sees what was sent: newest drops first, files that are there, and what was looked at", () =>
    Effect.gen(function*() {
      const { owner, request, token } = yield* begun()
      yield* startDrop(request.id, "sent nothing")
      yield* TestClock.adjust("1 minute")
      const other = yield* startDrop(request.id, "Ada")
      const [a, b] = [yield* sendByForm(token, dropFile(10, "a")), yield* sendByForm(token, dropFile(20, "b"))]
      const c = yield* sendByForm(other.token, dropFile(30, "c"))
      yield* Trash.use((trash) => trash.put([a])).pipe(as(owner))
      const sent = yield* SentDrops
      const bounds = { dropsPerRequest: 10, files: 10 }
      const [received] = yield* sent.received(owner, unlimited, [request.id], bounds)
      assert.deepStrictEqual(
        received!.drops.map(({ files, senderName, viewed }) => [senderName, viewed, files.map(({ id }) => id)]),
        [["Ada", false, [c]], ["Grace", false, [b]]]
      )
      assert.strictEqual(received!.receivedBytes, 50)
      yield* sent.onFileOpened(owner, b)
      yield* sent.onFileOpened(owner, b)
      assert.deepStrictEqual(yield* sent.markViewed(owner, [other.id, other.id]), [other.id])
      const [bounded] = yield* sent.received(owner, unlimited, [request.id], { dropsPerRequest: 1, files: 0 })
      assert.deepStrictEqual(bounded!.drops.map(({ files, viewed }) => [viewed, files]), [[true, []]])
      assert.strictEqual(bounded!.receivedBytes, 50)
      const stranger = yield* TestAccounts.use((users) => users.add())
      assert.deepStrictEqual(yield* sent.markViewed(stranger, [other.id]), [])
      assert.deepStrictEqual(yield* sent.received(stranger, unlimited, [request.id], bounds), [{
        drops: [],
        receivedBytes: 0
      }])
    }))

  it.effect("REQ-72 finishing, aborting and taking back use the room that is kept on a full disk, and so does the job", () =>
    Effect.gen(function*() {
      const { token } = yield* begun()
      const id = yield* sendByForm(token, dropFile(10))
      const opened = yield* drops((all) => all.openUpload(token, dropFile(20, "parts")))
      const purposes: Array<string> = []
      const seen = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.provideService(
          effect,
          Statement.CurrentTransformer,
          (statement) =>
            Effect.map(WritePurpose.WritePurpose, (purpose) => {
              const [text] = statement.compile()
              if (/^\s*(?:WITH|INSERT|UPDATE|DELETE)/.test(text)) purposes.push(purpose)
              return statement
            })
        )
      yield* seen(drops((all) => all.abortUpload(token, opened.token)))
      yield* seen(drops((all) => all.remove(token, id)))
      yield* seen(drops((all) => all.finish(token)))
      yield* seen(sweep)
      assert.isAbove(purposes.length, 5)
      assert.deepStrictEqual([...new Set(purposes)].filter((purpose) => purpose !== "frees"), [])
    }))

  it.effect("REQ-61 a drop without a sign of life for a day is finished: one event, none for one that is empty", () =>
    Effect.gen(function*() {
      const { owner, request, token } = yield* begun()
      const empty = yield* startDrop(request.id)
      yield* sendByForm(token, dropFile(10))
      yield* drops((all) => all.createForm(empty.token, dropFile(20)))
      yield* TestClock.adjust("23 hours")
      yield* sweep
      assert.deepStrictEqual([yield* eventsOf(owner), (yield* balance(owner)).heldBytes], [[], 20])
      yield* TestClock.adjust("1 hour")
      yield* sweep
      yield* sweep
      assert.deepStrictEqual((yield* eventsOf(owner)).map(({ kind }) => kind), ["drop"])
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 10, heldBytes: 0 })
      yield* drops((all) => all.finish(token))
      assert.strictEqual((yield* eventsOf(owner)).length, 1)
    }))

  it.effect("REQ-61 a call and a part that storage got are signs of life; a storage that is away finishes nothing", () =>
    Effect.gen(function*() {
      const { owner, request, token } = yield* begun()
      const [caller, silent] = [yield* startDrop(request.id), yield* startDrop(request.id)]
      const opened = yield* drops((all) => all.openUpload(token, dropFile(130 * MiB)))
      yield* drops((all) => all.openUpload(silent.token, dropFile(10)))
      yield* TestClock.adjust("20 hours")
      yield* put(opened.signed[0]!)
      yield* drops((all) => all.select(caller.token))
      yield* TestClock.adjust("4 hours")
      const memory = yield* MemoryObjectStore
      yield* memory.plant("listParts", Faults.notReached)
      yield* memory.plant("listParts", Faults.notReached)
      yield* sweep
      assert.strictEqual((yield* balance(owner)).heldBytes, 130 * MiB + 10)
      yield* sweep
      assert.strictEqual((yield* balance(owner)).heldBytes, 130 * MiB)
      const finished = (one: typeof caller.token) =>
        Effect.map(drops((all) => all.select(one)), ({ drop }) => drop.finishTime !== null)
      assert.deepStrictEqual(yield* Effect.all([finished(caller.token), finished(silent.token)]), [false, true])
      yield* TestClock.adjust("20 hours")
      yield* sweep
      assert.strictEqual((yield* balance(owner)).heldBytes, 0)
    }))
})
