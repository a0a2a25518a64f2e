import { assert, describe, it } from "@effect/vitest"
import { SharedRuns } from "./SharedRuns.ts"

/** Syncs that end when the test says so. */
const controlled = () => {
  const begun: Array<{ readonly path: string; readonly end: () => void; readonly fail: (error: Error) => void }> = []
  const syncs = new SharedRuns<void>((path) =>
    new Promise((resolve, reject) => {
      begun.push({ path, end: resolve, fail: reject })
    })
  )
  return { begun, syncs }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("SharedRuns", () => {
  it("STO-122 a caller that asks while a sync is running waits for the next one, and all who wait share it", async () => {
    const { begun, syncs } = controlled()
    const ended: Array<string> = []
    const ask = (name: string, path = "a") => syncs.run(path).then(() => ended.push(name))
    const all = [ask("first"), ask("second"), ask("third"), ask("other", "b")]
    assert.deepStrictEqual(begun.map(({ path }) => path), ["a", "b"])
    begun[0]!.end()
    await turn()
    // What it covered was done before it began.
    assert.deepStrictEqual(ended, ["first"])
    assert.strictEqual(begun.length, 3)
    all.push(ask("fourth"))
    begun[2]!.end()
    await turn()
    assert.deepStrictEqual(ended, ["first", "second", "third"])
    for (const at of [1, 3]) begun[at]!.end()
    await Promise.all(all)
    assert.strictEqual(begun.length, 4)
    // At rest again: a new one begins at once.
    const last = ask("last")
    assert.strictEqual(begun.length, 5)
    begun[4]!.end()
    await last
  })

  it("STO-122 when a sync fails, the calls that shared it fail, and those that wait for the next one do not", async () => {
    const { begun, syncs } = controlled()
    const outcome = (run: Promise<void>) => run.then(() => "done", (error: Error) => error.message)
    const outcomes = [outcome(syncs.run("a")), outcome(syncs.run("a")), outcome(syncs.run("a"))]
    begun[0]!.fail(new Error("EIO"))
    await turn()
    begun[1]!.end()
    assert.deepStrictEqual(await Promise.all(outcomes), ["EIO", "done", "done"])
  })
})
