/** Bringing files in from a host's own code. */
import { assert, describe, it } from "@effect/vitest"
import { temporaryDrive } from "./hosts.ts"

const row = (userId: string, at: number) => ({
  objectKey: `users/${userId}/${at}`,
  storedAs: `from/${at}`,
  fileName: `${at}.txt`,
  type: "Text" as const,
  fileSize: 3,
  etag: "an-etag",
  insertTime: new Date(Date.UTC(2010, 0, 1 + at))
})

describe("importMany", () => {
  it("BULK-10 takes lists and async iterables, tells how far it is, and hands back what the host throws", async () => {
    const { close, drive } = await temporaryDrive()
    try {
      const { userId } = await drive.accounts.create({}) ?? assert.fail("no account")
      const { files } = drive.as(userId)
      assert.deepInclude(await files.importMany([row(userId, 1), row(userId, 2)], { verify: false }), { recorded: 2 })

      const told: Array<number> = []
      async function* some() {
        for (let at = 0; at < 1_500; at++) yield row(userId, at)
      }
      const done = await files.importMany(some(), { verify: false, onProgress: ({ rows }) => void told.push(rows) })
      assert.deepStrictEqual(done, { rows: 1_500, recorded: 1_498, skipped: 2, bytes: 4_494 })
      // After each batch, which is as large as this machine does in time.
      assert.deepStrictEqual(told, told.toSorted((one, other) => one - other))
      assert.strictEqual(told.at(-1), 1_500)
      assert.isAbove(told.length, 1)

      async function* broken() {
        yield row(userId, 2_000)
        throw new RangeError("the host's own")
      }
      const thrown = await files.importMany(broken(), { verify: false }).catch((error: unknown) => error)
      assert.instanceOf(thrown, RangeError)
      const stop = new Error("enough")
      const stopped = files.importMany([row(userId, 3_000)], { verify: false, onProgress: () => Promise.reject(stop) })
      assert.strictEqual(await stopped.catch((error: unknown) => error), stop)
      assert.deepInclude(await files.importMany([row(userId, 3_000)], { verify: false }), { skipped: 1 })
      const missing = await files.importMany([row(userId, 4_000)]).catch((error: unknown) => error)
      assert.deepInclude(missing, { code: "object_not_found", field: "rows[0].storedAs" })
    } finally {
      await close()
    }
  })
})
