/** Random calls of many senders at once on PostgreSQL, while the request is closed, opened and swept: the books always fit together. */
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { dropFile, drops, eventsOf, makeRequest, sendByForm, sendInParts, startDrop } from "../../test/DropsTest.ts"
import { TestAccounts } from "../../test/TestAccounts.ts"
import { testDrive } from "../../test/TestDrive.ts"
import { balance, held } from "../../test/UploadsTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import { JobsWorker } from "../jobs/JobsWorker.ts"
import type { AccountId, RequestId } from "../shared/Ids.ts"
import { UploadSweep } from "../uploads/UploadSweep.ts"
import { DropEnds } from "./DropEnds.ts"

const maxBytes = 60
const senders = 8

const step = fc.record({
  sender: fc.integer({ min: 0, max: senders - 1 }),
  kind: fc.constantFrom(
    ...[
      "form",
      "form",
      "upload",
      "upload",
      "issue",
      "open",
      "remove",
      "abort",
      "finish",
      "close",
      "reopen",
      "sweep"
    ] as const
  ),
  key: fc.integer({ min: 0, max: 3 }),
  sizeBytes: fc.integer({ min: 1, max: 12 })
})
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never
type Started = Effect.Success<ReturnType<typeof startDrop>>

const setClosed = Effect.fnUntraced(function*(owner: AccountId, id: RequestId, isClosed: boolean) {
  const { sql, tables: t } = yield* Database
  const ends = yield* DropEnds
  const transaction = yield* AccountTransaction
  const ended = yield* transaction.run(owner, () =>
    Effect.andThen(
      sql`UPDATE ${t.file_requests} SET close_time = ${
        isClosed ? new Date(0) : null
      } WHERE id = ${id} AND account_id = ${owner}`,
      isClosed ? ends.onClosed(owner, id) : Effect.succeed({ forms: [], objects: [] })
    )).pipe(Effect.orDie)
  yield* ends.clear(owner, ended)
})

const run = Effect.fnUntraced(
  function*(owner: AccountId, id: RequestId, all: ReadonlyArray<Started>, { key, kind, sender, sizeBytes }: Step) {
    const { token } = all[sender]!
    const file = dropFile(sizeBytes, String(key))
    switch (kind) {
      case "form":
        return yield* sendByForm(token, file)
      case "upload":
        return yield* sendInParts(token, file)
      case "issue":
        return yield* drops((one) => one.createForm(token, file))
      case "open":
        return yield* drops((one) => one.openUpload(token, file))
      case "abort": {
        const { token: upload } = yield* drops((one) => one.openUpload(token, file))
        return yield* drops((one) => one.abortUpload(token, upload))
      }
      case "remove": {
        const [first] = (yield* drops((one) => one.select(token))).files
        return first === undefined ? undefined : yield* drops((one) => one.remove(token, first.id))
      }
      case "finish":
        return yield* drops((one) => one.finish(token))
      case "close":
        return yield* setClosed(owner, id, true)
      case "reopen":
        return yield* setClosed(owner, id, false)
      case "sweep":
        yield* DropEnds.use((ends) => ends.sweep)
        return yield* UploadSweep.use((sweeper) => sweeper.sweep)
    }
  }
)

layer(testDrive(TestDatabase.layerPostgres, TestAccounts.layer), { timeout: "60 seconds" })("Drops at once", (it) => {
  it.effect(
    "REQ-56 whatever senders and owner do at once, what was received and is reserved fits the request and the quota, and one finish is one event",
    () =>
      Effect.gen(function*() {
        const seed = yield* SecureRandom.SecureRandom.use((random) => random.intBetween(0, 2 ** 31))
        const where = `seed ${seed}`
        for (const steps of fc.sample(fc.array(step, { minLength: 40, maxLength: 80 }), { numRuns: 12, seed })) {
          const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes: maxBytes + 5 }))
          const { id } = yield* makeRequest(owner, { maxBytes })
          const all = yield* Effect.all(Array.from({ length: senders }, () => startDrop(id)))
          // A refusal is an outcome; a fault is not.
          yield* Effect.forEach(steps, (one) => Effect.option(run(owner, id, all, one)), { concurrency: 10 })
          const { sql, tables: t } = yield* Database
          const books = Effect.map(
            sql<Readonly<Record<"received" | "sent" | "files" | "counted" | "listed" | "held", number>>>`
              SELECT r.received_bytes::float8 AS received,
                (SELECT coalesce(sum(s.size), 0)::float8 FROM ${t.drop_files} s WHERE s.account_id = ${owner}) AS sent,
                (SELECT coalesce(sum(f.size), 0)::float8 FROM ${t.files} f WHERE f.account_id = ${owner}) AS files,
                (SELECT coalesce(sum(p.file_count), 0)::int FROM ${t.drops} p WHERE p.account_id = ${owner}) AS counted,
                (SELECT count(*)::int FROM ${t.drop_files} s WHERE s.account_id = ${owner}) AS listed,
                (SELECT coalesce(sum(f.size), 0)::float8 FROM ${t.upload_forms} f WHERE f.account_id = ${owner} AND f.state = 'open')
                  + (SELECT coalesce(sum(u.held), 0)::float8 FROM ${t.uploads} u WHERE u.account_id = ${owner}) AS held
              FROM ${t.file_requests} r WHERE r.id = ${id}
            `,
            ([row]) => row!
          )
          const now = yield* books
          assert.deepStrictEqual(yield* balance(owner), { usedBytes: now.files, heldBytes: now.held }, where)
          assert.deepStrictEqual([now.received, now.files, now.counted], [now.sent, now.sent, now.listed], where)
          assert.isAtMost(now.received + now.held, maxBytes, where)
          yield* Effect.forEach(all, ({ token }) => drops((one) => one.finish(token)), { concurrency: "unbounded" })
          const end = yield* books
          assert.deepStrictEqual([end.held, (yield* balance(owner)).heldBytes], [0, 0], where)
          const events = yield* eventsOf(owner)
          assert.isAtMost(events.length, senders, where)
          assert.strictEqual(
            events.reduce((sum, event) => sum + (event.kind === "drop" ? event.fileCount : 0), 0),
            end.listed,
            where
          )
          // What was still on its way when its form ended goes with the hour's sweep.
          yield* TestClock.adjust("1 hour")
          yield* UploadSweep.use((sweeper) => sweeper.sweep)
          yield* JobsWorker.use((worker) => worker.runDue)
          assert.strictEqual((yield* held(owner)).length, end.listed, where)
        }
      }),
    120_000
  )
})
