import { assert, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore, MemoryRemoteFile, type RemoteContent, remoteFailed } from "@filedrive/testing"
import { Effect, Fiber, Latch, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { eventually } from "../../test/FilesTest.ts"
import {
  answer,
  asked,
  checkClean,
  content,
  large,
  look,
  MiB,
  newLink,
  readImported,
  runInTurns,
  runJobs,
  startImport
} from "../../test/ImportsTest.ts"
import { TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { Quota } from "../accounts/Quota.ts"
import { Database } from "../database/Database.ts"
import type { AccountId } from "../shared/Ids.ts"

const user = (quotaBytes: number | null = null) => TestAccounts.use((users) => users.add({ quotaBytes }))
const held = (owner: AccountId) =>
  Quota.use((quota) => quota.balance(owner)).pipe(Effect.map(({ heldBytes }) => heldBytes))

layer(TestDrive, { timeout: "120 seconds" })("ImportTransfer", (it) => {
  const imported = Effect.fnUntraced(function*(owner: AccountId, served: RemoteContent) {
    const { id } = yield* startImport(owner, served)
    yield* runJobs
    return yield* look(owner, id)
  })

  it.effect.each(
    [0, 1, 8 * MiB - 1, 8 * MiB, 8 * MiB + 1, 16 * MiB, 16 * MiB + 1].flatMap((size) =>
      [true, false].map((stated) => ({ size, stated }))
    )
  )("IMP-9 a file of $size bytes (stated: $stated) arrives whole", ({ size, stated }) =>
    Effect.gen(function*() {
      const owner = yield* user()
      const bytes = content(size)
      const { id, status } = yield* imported(owner, { bytes, sizeBytes: stated ? size : null })
      assert.strictEqual(status, "done")
      assert.isTrue(Buffer.from(bytes).equals(yield* readImported(owner, id)))
      assert.strictEqual(yield* checkClean(owner), size)
    }))

  it.effect.each([true, false])(
    "IMP-7 a file that fits to the byte comes in, one byte less of room and it does not (stated: %s)",
    (stated) =>
      Effect.gen(function*() {
        const bytes = content(9 * MiB)
        const sizeBytes = stated ? bytes.length : null
        for (const [quota, status] of [[bytes.length, "done"], [bytes.length - 1, "failed"]] as const) {
          const owner = yield* user(quota)
          const item = yield* imported(owner, { bytes, sizeBytes })
          assert.strictEqual(item.status, status)
          assert.strictEqual(item.code, status === "done" ? null : "storage_limit_reached")
          assert.strictEqual(yield* checkClean(owner), status === "done" ? bytes.length : 0)
        }
      })
  )

  it.effect("IMP-8 a size that can't fit is refused before a byte of the body is asked for", () =>
    Effect.gen(function*() {
      const body = Stream.die(new Error("the body was read"))
      for (const [sizeBytes, code] of [[1_001, "storage_limit_reached"], [2 ** 41 + 1, "file_too_large"]] as const) {
        const owner = yield* user(code === "file_too_large" ? null : 1_000)
        const { id } = yield* startImport(owner, () => Effect.succeed(answer(body, { sizeBytes })))
        yield* runJobs
        assert.deepInclude(yield* look(owner, id), { status: "failed", code })
        assert.strictEqual(yield* checkClean(owner), 0)
      }
    }))

  it.effect("IMP-7 IMP-13 what is held is ahead of what is stored, and how far it is can be seen", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const [gate, reached] = [yield* Latch.make(), yield* Latch.make()]
      const pause = Stream.drain(Stream.fromEffect(Effect.andThen(reached.open, gate.await)))
      const block = (from: number, to: number) => Stream.fromIterable([large.subarray(from, to)])
      const body = block(0, 9 * MiB).pipe(
        Stream.concat(Stream.drain(Stream.fromEffect(TestClock.adjust("2 seconds")))),
        Stream.concat(block(9 * MiB, 12 * MiB)),
        Stream.concat(pause),
        Stream.concat(block(12 * MiB, large.length))
      )
      const { id } = yield* startImport(owner, () => Effect.succeed(answer(body)))
      const running = yield* Effect.forkScoped(runJobs)
      yield* reached.await
      assert.strictEqual(yield* held(owner), 8 * MiB)
      assert.deepInclude(yield* look(owner, id), { status: "working", receivedBytes: 12 * MiB, totalBytes: null })
      yield* gate.open
      yield* Fiber.join(running)
      assert.deepInclude(yield* look(owner, id), {
        status: "done",
        receivedBytes: large.length,
        totalBytes: large.length
      })
      assert.isTrue(Buffer.from(large).equals(yield* readImported(owner, id)))
      yield* checkClean(owner)
    }))

  it.effect("IMP-11 a server that refuses is asked once; nothing is left behind", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const refusal = remoteFailed("server_refused", "The server does not give the file (status 404).")
      const cut = Stream.concat(Stream.fromIterable([large.subarray(0, 17 * MiB)]), Stream.fail(refusal))
      for (const answering of [() => Effect.fail(refusal), () => Effect.succeed(answer(cut))]) {
        const { id, url } = yield* startImport(owner, answering)
        yield* runJobs
        assert.deepInclude(yield* look(owner, id), {
          status: "failed",
          code: "server_refused",
          error: "The server does not give the file (status 404)."
        })
        yield* TestClock.adjust("1 hour")
        yield* runJobs
        assert.lengthOf(yield* asked(url), 1)
        assert.strictEqual(yield* checkClean(owner), 0)
      }
    }))

  it.effect("IMP-11 an account whose plan has ended gets no file", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const { id, url } = yield* startImport(owner, { bytes: large })
      yield* TestAccounts.use((users) => users.change(owner, { plan: null }))
      yield* runJobs
      assert.deepInclude(yield* look(owner, id), { status: "failed", code: "no_plan" })
      assert.lengthOf(yield* asked(url), 0)
    }))

  it.effect("IMP-16 while storage takes its time no more than two parts are in memory", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const owner = yield* user()
      const gate = yield* Latch.make()
      yield* memory.plant("putPart", Faults.before(gate.await))
      let pulled = 0
      const block = new Uint8Array(MiB)
      const blocks = Stream.take(Stream.fromEffectRepeat(Effect.sync(() => (pulled++, block))), 40)
      const { id } = yield* startImport(owner, () => Effect.succeed(answer(blocks)))
      const running = yield* Effect.forkScoped(runJobs)
      yield* eventually(Effect.sync(() => pulled), (count) => count > 16)
      const after = yield* Effect.replicateEffect(eventually(Effect.sync(() => pulled), () => true), 50)
      // A byte of the third part tells that the second is not the last.
      assert.strictEqual(after.at(-1), 17)
      yield* gate.open
      yield* Fiber.join(running)
      assert.deepInclude(yield* look(owner, id), { status: "done", receivedBytes: 40 * MiB })
    }))

  it.effect("IMP-16 four imports of an account are fetched at once, and others' need not wait for them", () =>
    Effect.gen(function*() {
      const [busy, other] = [yield* user(), yield* user()]
      const gate = yield* Latch.make()
      let open = 0
      const slow = Stream.concat(
        Stream.drain(Stream.fromEffect(Effect.andThen(Effect.sync(() => void open++), gate.await))),
        Stream.fromIterable([content(5)])
      )
      const started = yield* Effect.replicateEffect(startImport(busy, () => Effect.succeed(answer(slow))), 20)
      const running = yield* Effect.forkScoped(runInTurns)
      yield* eventually(Effect.sync(() => open), (count) => count === 4)
      const { id } = yield* startImport(other, { bytes: content(5) })
      yield* runJobs
      assert.strictEqual((yield* look(other, id)).status, "done")
      assert.strictEqual(open, 4)
      yield* gate.open
      yield* Fiber.join(running)
      for (const one of started) assert.strictEqual((yield* look(busy, one.id)).status, "done")
    }))

  it.effect("IMP-15 of two runs of one import the later one counts: the other changes nothing any longer", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const owner = yield* user()
      const [gate, reached] = [yield* Latch.make(), yield* Latch.make()]
      const pause = Stream.drain(Stream.fromEffect(Effect.andThen(reached.open, gate.await)))
      const slow = Stream.concat(pause, Stream.fromIterable([large]))
      const url = newLink()
      const { id } = yield* startImport(owner, () => Effect.succeed(answer(slow)), { url: Checked.importUrl(url) })
      const first = yield* Effect.forkScoped(runJobs)
      yield* reached.await
      yield* MemoryRemoteFile.use((remote) => remote.serve(url, { bytes: large }))
      // The first worker is thought dead: its job is free again.
      yield* sql`UPDATE ${t.jobs} SET lease = NULL, run_time = to_timestamp(0) WHERE kind = 'import.fetch'`
      yield* runJobs
      const done = yield* look(owner, id)
      assert.strictEqual(done.status, "done")
      yield* gate.open
      yield* Fiber.join(first)
      assert.deepStrictEqual(yield* look(owner, id), done)
      assert.strictEqual(yield* checkClean(owner), large.length)
    }))
})
