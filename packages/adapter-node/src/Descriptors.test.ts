import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as Descriptors from "./Descriptors.ts"

const started = (files: number | undefined, canOpen: () => boolean) =>
  Effect.gen(function*() {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    const look = yield* Descriptors.make(files, Effect.sync(canOpen)).pipe(Effect.provide(Logger.layer([logger])))
    return { lines, look }
  })

describe("the files that a process may have open", () => {
  it("HOST-251 connections leave room for other files", () => {
    const rows = [[64, 16], [128, 32], [1_024, 256], [4_096, 1_548], [21_000, 10_000], [1_048_576, 523_788]] as const
    for (const [files, connections] of rows) assert.strictEqual(Descriptors.connectionsFor(files), connections)
    assert.strictEqual(Descriptors.bounded(10_000, 1_024), 256)
    assert.strictEqual(Descriptors.bounded(10, 1_024), 10)
    assert.strictEqual(Descriptors.bounded(10_000, 1_048_576), 10_000)
    assert.isAbove(Descriptors.fileLimit() ?? 64, 63)
  })

  it("HOST-251 without /proc the limit is read from a report, and the host's setting of reports stays", () => {
    const seen: Array<unknown> = []
    const reports = {
      excludeNetwork: false,
      getReport: () => {
        seen.push(reports.excludeNetwork)
        return { userLimits: { open_files: { soft: 256 } } }
      }
    }
    assert.strictEqual(Descriptors.fromReport(reports), 256)
    assert.deepStrictEqual([...seen, reports.excludeNetwork], [true, false])
    assert.strictEqual(Descriptors.fromReport(process.report), Descriptors.fileLimit())
  })

  it.effect("HOST-251 a low limit causes a warning at the start", () =>
    Effect.gen(function*() {
      const { lines } = yield* started(1_024, () => true)
      assert.match(
        lines.join(),
        /may have 1024 files open at a time \(ulimit -n\), which is enough for 256 connections/
      )
      for (const files of [undefined, 5_000, 20_000]) {
        assert.deepStrictEqual((yield* started(files, () => true)).lines, [])
      }
    }))

  it.effect("HOST-252 a shortage is logged once a minute, and reported until a minute after its end", () =>
    Effect.gen(function*() {
      let canOpen = true
      const { lines, look } = yield* started(undefined, () => canOpen)
      assert.isNull(yield* look)
      canOpen = false
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(lines.length, 1)
      assert.match(lines[0]!, /no more files to open \(EMFILE\)/)
      assert.deepInclude(yield* look, { isShort: true })
      yield* TestClock.adjust("45 seconds")
      assert.strictEqual(lines.length, 1)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(lines.length, 2)
      canOpen = true
      yield* TestClock.adjust("5 seconds")
      assert.deepInclude(yield* look, { isShort: false })
      yield* TestClock.adjust("60 seconds")
      assert.isNull(yield* look)
    }))
})
