/** Imports whose server, storage or process fails on the way. */
import { assert, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore, MemoryRemoteFile } from "@filedrive/testing"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  asked,
  checkClean,
  content,
  large,
  look,
  MiB,
  readImported,
  runJobs,
  startImport
} from "../../test/ImportsTest.ts"
import { TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { Quota } from "../accounts/Quota.ts"
import * as Limits from "../limits/Limits.ts"
import { OrphanSweep } from "../objects/OrphanSweep.ts"
import type { AccountId } from "../shared/Ids.ts"

const user = (quotaBytes: number | null = null) => TestAccounts.use((users) => users.add({ quotaBytes }))
const held = (owner: AccountId) =>
  Quota.use((quota) => quota.balance(owner)).pipe(Effect.map(({ heldBytes }) => heldBytes))

layer(TestDrive, { timeout: "120 seconds" })("Imports that are interrupted", (it) => {
  it.effect("IMP-9 IMP-10 a transfer that breaks continues from its last stored part, as often as it comes further", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      // Each answer brings a part and a bit: with five tries in a row it would fail, were progress not counted.
      const bytes = content(66 * MiB)
      const { id, url } = yield* startImport(owner, { bytes, validator: "\"v1\"", breaksAfter: 9 * MiB })
      yield* runJobs
      assert.deepInclude(yield* look(owner, id), { status: "working", error: null, totalBytes: bytes.length })
      assert.strictEqual(yield* held(owner), bytes.length)
      for (let tries = 0; tries < 8; tries++) {
        yield* TestClock.adjust("5 seconds")
        yield* runJobs
      }
      assert.strictEqual((yield* look(owner, id)).status, "done")
      assert.deepStrictEqual((yield* asked(url)).map(({ resume }) => resume && resume.startBytes / MiB), [
        null,
        ...Array.from({ length: 8 }, (_, i) => (i + 1) * 8)
      ])
      assert.isTrue(Buffer.from(bytes).equals(yield* readImported(owner, id)))
      yield* checkClean(owner)
    }))

  it.effect("IMP-9 a file of no stated size continues as well, although its parts state it", () =>
    Effect.gen(function*() {
      const remote = yield* MemoryRemoteFile
      const owner = yield* user()
      const file = { bytes: large, validator: "\"v1\"" }
      const { id, url } = yield* startImport(owner, { ...file, sizeBytes: null, breaksAfter: 17 * MiB })
      yield* runJobs
      yield* remote.serve(url, file)
      yield* TestClock.adjust("5 seconds")
      yield* runJobs
      assert.deepInclude(yield* look(owner, id), { status: "done", totalBytes: large.length })
      assert.deepStrictEqual((yield* asked(url)).map(({ resume }) => resume && resume.startBytes / MiB), [null, 16])
      assert.isTrue(Buffer.from(large).equals(yield* readImported(owner, id)))
      assert.strictEqual(yield* checkClean(owner), large.length)
    }))

  it.effect("IMP-9 where the server can't continue, or the file has changed, it begins anew", () =>
    Effect.gen(function*() {
      const remote = yield* MemoryRemoteFile
      const broken = { bytes: large, breaksAfter: 17 * MiB }
      const other = content(9 * MiB).toReversed()
      for (
        const [first, then] of [
          [broken, { bytes: large }],
          [{ ...broken, validator: "\"v1\"" }, { bytes: other, validator: "\"v2\"" }],
          // The same mark for another size: not to be trusted.
          [{ ...broken, validator: "\"v1\"" }, { bytes: content(25 * MiB), validator: "\"v1\"" }]
        ] as const
      ) {
        const owner = yield* user()
        const { id, url } = yield* startImport(owner, first)
        yield* runJobs
        yield* remote.serve(url, then)
        yield* TestClock.adjust("5 seconds")
        yield* runJobs
        assert.strictEqual((yield* look(owner, id)).status, "done")
        assert.isTrue(Buffer.from(then.bytes).equals(yield* readImported(owner, id)))
        assert.strictEqual(yield* checkClean(owner), then.bytes.length)
      }
    }))

  it.effect("IMP-10 IMP-11 a server that fails for now is asked again, later each time, and at last the import has failed", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const { id, url } = yield* startImport(owner, {
        bytes: large,
        sizeBytes: null,
        validator: "\"v1\"",
        breaksAfter: MiB
      })
      yield* runJobs
      for (const delay of Limits.importRetryDelays) {
        assert.strictEqual((yield* look(owner, id)).status, "working")
        const before = (yield* asked(url)).length
        yield* TestClock.adjust(Duration.subtract(delay, Duration.seconds(1)))
        yield* runJobs
        assert.lengthOf(yield* asked(url), before)
        yield* TestClock.adjust("1 second")
        yield* runJobs
        assert.lengthOf(yield* asked(url), before + 1)
      }
      assert.deepInclude(yield* look(owner, id), {
        status: "failed",
        code: "connection_lost",
        error: "The connection was lost.",
        file: null
      })
      assert.strictEqual(yield* checkClean(owner), 0)
    }))

  it.effect("IMP-17 IMP-11 a body that ends early once more, where the server can't continue, fails the import and leaves nothing", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const { id, url } = yield* startImport(owner, { bytes: large, breaksAfter: 9 * MiB })
      yield* runJobs
      assert.strictEqual((yield* look(owner, id)).status, "working")
      yield* TestClock.adjust("5 seconds")
      yield* runJobs
      assert.deepInclude(yield* look(owner, id), { status: "failed", code: "connection_lost", file: null })
      assert.lengthOf(yield* asked(url), 2)
      assert.strictEqual(yield* checkClean(owner), 0)
    }))

  it.effect.each(
    ["createUpload", "putPart", "completeUpload", "head", "listParts", "put"] as const
  )(
    "IMP-10 while storage is away (%s) the import stays, and it ends well when storage answers again",
    (method) =>
      Effect.gen(function*() {
        const memory = yield* MemoryObjectStore
        for (const fault of [Faults.notReached, Faults.answerLost]) {
          const owner = yield* user(large.length)
          const bytes = method === "put" ? large.subarray(0, MiB) : large
          const { id } = yield* startImport(owner, { bytes, validator: "\"v1\"" })
          // What is in memory is stored again at once, twice.
          yield* memory.plant(method, fault, method.startsWith("put") ? 3 : 1)
          for (let tries = 0; tries < 3; tries++) {
            yield* runJobs
            yield* TestClock.adjust("10 seconds")
          }
          assert.deepInclude(yield* look(owner, id), { status: "done", error: null })
          assert.isTrue(Buffer.from(bytes).equals(yield* readImported(owner, id)))
          // Uploads whose opening was not answered belong to no import: the sweep finds them.
          yield* TestClock.adjust("2 days")
          yield* OrphanSweep.use((sweeper) => sweeper.sweep)
          assert.strictEqual(yield* checkClean(owner), bytes.length)
        }
      })
  )

  it.effect("IMP-15 an import under way is no orphan, however long it takes", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const { id } = yield* startImport(owner, { bytes: large, validator: "\"v1\"", breaksAfter: 17 * MiB })
      yield* runJobs
      yield* TestClock.adjust("3 days")
      yield* OrphanSweep.use((sweeper) => sweeper.sweep)
      yield* runJobs
      assert.strictEqual((yield* look(owner, id)).status, "done")
      yield* checkClean(owner)
    }))
})
