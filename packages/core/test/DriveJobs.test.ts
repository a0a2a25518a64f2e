/** The kinds of jobs of a whole drive: those it handles, those the list names, and those that are in databases of today. */
import { assert, describe, it } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect, Layer, Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { tableOf, withTable } from "../../../scripts/jobsTable.ts"
import * as AccountsSql from "../src/accounts/AccountsSql.ts"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { CurrentAccount, unlimited } from "../src/accounts/CurrentAccount.ts"
import * as AgentWorker from "../src/agent/AgentWorker.ts"
import { Database, DatabaseSchema } from "../src/database/Database.ts"
import * as Drive from "../src/Drive.ts"
import { jobs as driveJobs } from "../src/Features.ts"
import { Operations } from "../src/http/Operations.ts"
import type * as Job from "../src/jobs/Job.ts"
import { JobRegistry } from "../src/jobs/JobRegistry.ts"
import { JobsOverview } from "../src/jobs/JobsOverview.ts"
import * as JobsSql from "../src/jobs/JobsSql.ts"
import { JobsWorker } from "../src/jobs/JobsWorker.ts"
import { FolderTree } from "../src/organize/FolderTree.ts"
import { AccountId } from "../src/shared/Ids.ts"
import * as Checked from "./Checked.ts"
import { Brain } from "./TasksTest.ts"
import { Ports } from "./TestHttp.ts"

const design = new URL("../../../docs/design.md", import.meta.url)

const drive = Layer.mergeAll(JobsWorker.layerManual, JobsOverview.layer, AgentWorker.layer).pipe(
  Layer.provide([Operations.layer, Brain.layer]),
  Layer.provideMerge(Drive.layer),
  Layer.provideMerge(AccountsSql.layer),
  Layer.provideMerge(JobsSql.layer),
  Layer.provideMerge(Ports),
  Layer.provide(Layer.effect(DatabaseSchema, Effect.map(Database, ({ schema }) => schema))),
  Layer.provideMerge(TestDatabase.layer)
)

const account = "0199a5e2-3c1d-7a5b-8f6e-1234567890ab"
const [a, b, c] = [
  "0199a5e2-3c1d-7a5b-8f6e-00000000000a",
  "0199a5e2-3c1d-7a5b-8f6e-00000000000b",
  "0199a5e2-3c1d-7a5b-8f6e-00000000000c"
]

/** Rows as releases before typed keys wrote them, and what each part says. */
const written: ReadonlyArray<readonly [kind: string, key: string, parts: unknown]> = [
  ["objects.remove", account, account],
  ["files.move", `${account}/${a}`, { accountId: account, fileId: a }],
  ["files.links", account, account],
  ["objects.links", `${account}/${a}`, { accountId: account, name: a }],
  ["files.headers", `files/${account}/${a}`, `files/${account}/${a}`],
  ["media.extract", `${account}/${a}`, { accountId: account, fileId: a }],
  ["archive.build", `${account}/${a}`, { accountId: account, id: a }],
  ["media.peaks", `${account}/${a}`, { accountId: account, fileId: a }],
  ["media.preview", `${account}/${a}`, { accountId: account, fileId: a }],
  ["import.fetch", `${account}/${a}`, { accountId: account, id: a }],
  ["image.generate.gptImage2", `${account}/${a}`, { accountId: account, id: a }],
  ["image.generate.nanoBanana", `${account}/${a}`, { accountId: account, id: a }],
  ["image.generate.imagen4Fast", `${account}/${a}`, { accountId: account, id: a }],
  ["image.generate.seedream4", `${account}/${a}`, { accountId: account, id: a }],
  ["image.generate.flux2Pro", `${account}/${a}`, { accountId: account, id: a }],
  ["image.generate.fluxKreaDev", `${account}/${a}`, { accountId: account, id: a }],
  ["image.generate.nanoBananaPro", `${account}/${a}`, { accountId: account, id: a }],
  ["agent.step", `${account}/${a}`, { accountId: account, taskId: a }],
  ["agent.webhook", `${account}/${a}`, { accountId: account, id: a }],
  ["apiTokens.expire", `${account}/${a}`, { accountId: account, id: a }],
  ["oauth.repeats.forget", `${account}/${a}`, { accountId: account, id: a }],
  ["storage.scrub.turn", "", ""],
  ["storage.moved", "", ""],
  ["requests.expire", `${account}/${a}`, { accountId: account, requestId: a }],
  ["folders.follow", `${account}/${a}`, { accountId: account, callId: a }],
  ["folders.delete", `${account}/${a}/parent/${b}`, {
    accountId: account,
    folderId: a,
    filesGo: "parent",
    callId: b
  }],
  ["folders.delete", `${account}/${a}/trash/${b}`, { accountId: account, folderId: a, filesGo: "trash", callId: b }],
  ["search.settle", account, account],
  ["tags.renamed", `${account}/${a}/${b}`, { accountId: account, tagId: a, callId: b }],
  ["tags.merged", `${account}/${a}/${b}/${c}`, { accountId: account, tagId: a, intoId: b, folderId: c }]
]

/** As SQL, so that nothing of today has a say in it. */
const insertRow = Effect.fnUntraced(function*(kind: string, key: string) {
  const { sql, tables: t } = yield* Database
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`INSERT INTO ${t.jobs} (kind, key, run_time, insert_time) VALUES (${kind}, ${key}, ${now}, ${now})`
})

const isDefined = (kind: Job.Kind): kind is Job.Definition<unknown> => "key" in kind

describe("Kinds of jobs", () => {
  it("JOB-39 are listed once, each with a sentence that says what it does", () => {
    assert.strictEqual(new Set(driveJobs.map(({ kind }) => kind)).size, driveJobs.length)
    for (const { description, kind, when } of driveJobs) {
      assert.match(description, /^[A-Z].*[^.]\.$/, kind)
      assert.match(when, /^[^A-Z].*[^.]$/, kind)
    }
  })

  it.effect("JOB-39 that a whole drive handles are those that the list names", () =>
    Effect.gen(function*() {
      const { byKind } = yield* JobRegistry
      assert.deepStrictEqual([...byKind.keys()].toSorted(), driveJobs.map(({ kind }) => kind).toSorted())
    }).pipe(Effect.provide(drive)))

  it("JOB-39 are what the table in docs/design.md says: `node scripts/jobsTable.ts` writes it", () => {
    const text = readFileSync(design, "utf8")
    assert.strictEqual(text, withTable(text, tableOf(driveJobs)))
  })

  it.each(written)(
    "JOB-38 %s reads the key %s that former releases wrote, and writes it the same",
    (kind, text, parts) => {
      const job = driveJobs.filter(isDefined).find((job) => job.kind === kind)!
      const key = Result.getOrThrow(Schema.decodeResult(job.key)(text))
      assert.deepStrictEqual(key, parts)
      assert.strictEqual(Schema.encodeSync(job.key)(key), text)
    }
  )

  it("JOB-38 that have keys are all among those rows", () => {
    const kinds = driveJobs.filter(isDefined).map(({ kind }) => kind)
    assert.sameMembers([...new Set(written.map(([kind]) => kind))], kinds)
  })

  it.effect("JOB-38 that former releases enqueued run to their end", () =>
    Effect.gen(function*() {
      yield* AccountTransaction.use((transaction) => transaction.open(AccountId.make(account)))
      for (const [kind, key] of written) yield* insertRow(kind, key)
      yield* JobsWorker.use(({ runDue }) => runDue)
      const overview = yield* JobsOverview
      assert.deepStrictEqual(yield* overview.failing(100), [])
      const { sql, tables: t } = yield* Database
      const kinds = written.map(([kind]) => kind)
      const left = yield* sql<{ readonly kind: string }>`SELECT kind FROM ${t.jobs} WHERE kind = ANY(${kinds}::text[])`
      // What `files.headers` finds to be no file's is removed in an hour.
      assert.deepStrictEqual(left.map(({ kind }) => kind), ["objects.remove"])
    }).pipe(Effect.provide(drive)))

  it.effect("JOB-38 a folder whose deletion a former release left to a job is deleted", () =>
    Effect.gen(function*() {
      const accountId = AccountId.make(account)
      yield* AccountTransaction.use((transaction) => transaction.open(accountId))
      const me = { id: accountId, tokenId: null, limits: unlimited }
      const create = FolderTree.use((tree) => tree.create(Checked.path("/left"))).pipe(
        Effect.provideService(CurrentAccount, me)
      )
      const { id } = yield* create
      yield* insertRow("folders.delete", `${account}/${id}/parent/${b}`)
      yield* JobsWorker.use(({ runDue }) => runDue)
      assert.notStrictEqual((yield* create).id, id)
    }).pipe(Effect.provide(drive)))
})
