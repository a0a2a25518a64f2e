/** What is synced when, by a disk that ends what it does when the test says so. */
import { assert, describe, it } from "@effect/vitest"
import { SyncAhead } from "./SyncAhead.ts"

const disk = () => {
  const opened: Array<string> = []
  const done: Array<(error: Error | null) => void> = []
  const failures: Array<unknown> = []
  let isOpen = 0
  const ahead = new SyncAhead<string>(
    (file) => `/data/${file}`,
    (cause) => failures.push(cause),
    {
      open: (path) => {
        if (path.endsWith("deleted")) throw new Error("ENOENT")
        isOpen++
        return opened.push(path)
      },
      sync: (_, end) => void done.push(end),
      close: () => void isOpen--
    }
  )
  return { ahead, opened, failures, stillOpen: () => isOpen, end: (error: Error | null = null) => done.shift()!(error) }
}

describe("SyncAhead", () => {
  it("DB-23 two files are synced at once beside other work, and the next as one ends", () => {
    const { ahead, end, opened, stillOpen } = disk()
    for (const file of ["a", "b", "a", "deleted", "c"]) ahead.wrote(file)
    ahead.begin()
    assert.deepStrictEqual(opened, ["/data/a", "/data/b"])
    end()
    assert.deepStrictEqual(opened, ["/data/a", "/data/b", "/data/c"])
    end()
    end()
    assert.strictEqual(stillOpen(), 0)
    // Written again since: synced again.
    ahead.wrote("a")
    ahead.begin()
    assert.strictEqual(opened.length, 4)
  })

  it("DB-23 all are synced at once when a checkpoint waits for them", () => {
    const { ahead, opened } = disk()
    for (const file of ["a", "b", "c", "d"]) ahead.wrote(file)
    ahead.hurry()
    assert.strictEqual(opened.length, 4)
  })

  it("DB-23 a disk that has lost what was written is told of", () => {
    const { ahead, end, failures, stillOpen } = disk()
    ahead.wrote("a")
    ahead.begin()
    end(new Error("EIO"))
    assert.deepStrictEqual(failures.map(String), ["Error: EIO"])
    assert.strictEqual(stillOpen(), 0)
  })
})
