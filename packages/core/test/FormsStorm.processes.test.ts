/** Random calls of uploads by many fibers at once on PostgreSQL: what is held, used and stored always fits together. */
import { assert, layer } from "@effect/vitest"
import { MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { Quota } from "../src/accounts/Quota.ts"
import { Database } from "../src/database/Database.ts"
import { JobsWorker } from "../src/jobs/JobsWorker.ts"
import { ObjectStore, type SignedForm } from "../src/ports/ObjectStore.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import { Forms } from "../src/uploads/Forms.ts"
import { Inserts } from "../src/uploads/Inserts.ts"
import { Uploads } from "../src/uploads/Uploads.ts"
import { UploadSweep } from "../src/uploads/UploadSweep.ts"
import type { SignedPart } from "../src/uploads/UploadTokens.ts"
import * as Checked from "./Checked.ts"
import { as, TestAccounts } from "./TestAccounts.ts"
import { testDrive } from "./TestDrive.ts"
import { input, post, put, sendParts } from "./UploadsTest.ts"

const quotaBytes = 40

const step = fc.record({
  kind: fc.constantFrom(
    ...[
      "issue",
      "issue",
      "send",
      "send",
      "insert",
      "insert",
      "cancel",
      "open",
      "open",
      "part",
      "part",
      "upload",
      "sweep"
    ] as const
  ),
  key: fc.integer({ min: 0, max: 4 }),
  sizeBytes: fc.integer({ min: 1, max: 15 })
})
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** What was ever signed for a key. */
interface Issued {
  readonly forms: Array<{ readonly form: SignedForm; readonly sizeBytes: number }>
  readonly parts: Array<SignedPart>
}

const run = Effect.fnUntraced(function*(owner: AccountId, issued: Map<string, Issued>, { key, kind, sizeBytes }: Step) {
  const objectKey = `users/${owner}/${key}`
  const { forms, parts } = issued.get(objectKey) ?? { forms: [], parts: [] }
  issued.set(objectKey, { forms, parts })
  const last = forms[forms.length - 1]
  switch (kind) {
    case "issue":
      forms.push({ form: yield* Forms.use((all) => all.create(input(owner, sizeBytes, { objectKey }))), sizeBytes })
      return
    case "send": {
      // Any that was ever issued, so most are superseded, cancelled or used.
      const one = forms[sizeBytes % (forms.length || 1)]
      return one === undefined ? undefined : yield* post(one.form, "x".repeat(one.sizeBytes))
    }
    case "insert":
      return yield* Inserts.use((inserts) => inserts.insert(input(owner, last?.sizeBytes ?? sizeBytes, { objectKey })))
    case "cancel":
      return yield* Forms.use((all) => all.cancel(Checked.objectKey(objectKey)))
    case "open": {
      const opened = yield* Uploads.use((uploads) => uploads.open(input(owner, sizeBytes, { objectKey })))
      parts.push(...opened.signed)
      return sizeBytes % 5 === 0 ? yield* Uploads.use((uploads) => uploads.abort(opened.token)) : undefined
    }
    case "part": {
      // Any that was ever signed, for a larger file too.
      const one = parts[sizeBytes % (parts.length || 1)]
      return one === undefined ? undefined : yield* put(one)
    }
    case "upload": {
      const file = input(owner, sizeBytes, { objectKey })
      const { token } = yield* sendParts(file)
      yield* Uploads.use((uploads) => uploads.complete(token))
      return yield* Inserts.use((inserts) => inserts.insert(file))
    }
    case "sweep":
      return yield* UploadSweep.use((sweeper) => sweeper.sweep)
  }
})

const sum = (objects: ReadonlyArray<{ readonly sizeBytes: number }>) =>
  objects.reduce((total, { sizeBytes }) => total + sizeBytes, 0)

/** What the books, the rows and storage say of an account. */
const look = Effect.fnUntraced(function*(owner: AccountId) {
  const { sql, tables: t } = yield* Database
  const store = yield* ObjectStore
  const [rows] = yield* sql<{ readonly forms: number; readonly uploads: number; readonly files: number }>`
    SELECT
      (SELECT coalesce(sum(size), 0)::float8 FROM ${t.upload_forms} WHERE account_id = ${owner} AND state = 'open') AS forms,
      (SELECT coalesce(sum(held), 0)::float8 FROM ${t.uploads} WHERE account_id = ${owner}) AS uploads,
      (SELECT coalesce(sum(size), 0)::float8 FROM ${t.files} WHERE account_id = ${owner}) AS files
  `
  const memory = yield* MemoryObjectStore
  const own = (yield* memory.objects).filter(({ key }) => key.includes(owner))
  const open = (yield* Stream.runCollect(store.listUploads("private"))).filter(({ key }) => key.includes(owner))
  const sizes = yield* Effect.forEach(
    open,
    ({ key, uploadId }) =>
      store.listParts({ bucket: "private", key }, uploadId).pipe(
        Effect.map(Option.getOrElse(() => [])),
        Effect.map((parts) => [uploadId, sum(parts)] as const)
      )
  )
  const held = yield* sql<{ readonly uploadId: string; readonly bytes: number }>`
    SELECT storage_id AS "uploadId", held::float8 AS bytes FROM ${t.uploads} WHERE account_id = ${owner} AND state = 'open'
  `
  const bytesOf = new Map(sizes)
  return {
    rows: rows!,
    balance: yield* Quota.use((quota) => quota.balance(owner)),
    storedBytes: sum(own) + sizes.reduce((total, [, bytes]) => total + bytes, 0),
    /** Uploads with more bytes than they hold. */
    overfull: held.filter(({ bytes, uploadId }) => (bytesOf.get(uploadId) ?? 0) > bytes)
  }
})

layer(testDrive(TestDatabase.layerPostgres, TestAccounts.layer), { timeout: "60 seconds" })("Forms at once", (it) => {
  it.effect(
    "UP-60 whatever is issued, sent, cancelled and inserted at once, what is held is what is open, and storage has no more",
    () =>
      Effect.gen(function*() {
        const seed = yield* SecureRandom.SecureRandom.use((random) => random.intBetween(0, 2 ** 31))
        for (const steps of fc.sample(fc.array(step, { minLength: 30, maxLength: 60 }), { numRuns: 25, seed })) {
          const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes }))
          const issued = new Map<string, Issued>()
          // A refusal is an outcome; a fault is not.
          yield* Effect.forEach(steps, (one) => Effect.option(run(owner, issued, one)), { concurrency: 8 }).pipe(
            as(owner)
          )
          const { balance, overfull, rows } = yield* look(owner)
          const where = `seed ${seed}`
          assert.strictEqual(balance.heldBytes, rows.forms + rows.uploads, where)
          assert.strictEqual(balance.usedBytes, rows.files, where)
          assert.isAtMost(balance.usedBytes + balance.heldBytes, quotaBytes, where)
          assert.deepStrictEqual(overfull, [], where)
          // What arrived on a form while it was ended goes with the hour's sweep.
          yield* TestClock.adjust("1 hour")
          yield* UploadSweep.use((sweeper) => sweeper.sweep)
          yield* JobsWorker.use((worker) => worker.runDue)
          const left = yield* look(owner)
          assert.isAtMost(left.storedBytes, left.balance.usedBytes + left.balance.heldBytes, where)
        }
      }),
    120_000
  )
})
