/** A host's calls of a drive that is closed, is closing or can't start: each is told by a `DriveError`. */
import { assert, describe, it } from "@effect/vitest"
import { createDrive, DriveError } from "@filedrive/adapter-node"
import { failure, first, nobody } from "./failures.ts"
import { temporaryDrive, userOf } from "./hosts.ts"

const bytes = new Uint8Array(3)

describe("a drive in code that does not run", () => {
  const closed = { code: "unavailable", status: 503, retryable: false, message: "This drive is closed." } as const

  it("HOST-95 a drive that is closed, or is closing, refuses every call and opens nothing again", async () => {
    const { close, drive } = await temporaryDrive()
    const { userId } = await userOf(drive)()
    const me = drive.as(userId)
    for (const fileName of ["a", "b"]) await me.files.put(bytes, { fileName })
    const started = me.files.list()[Symbol.asyncIterator]()
    await started.next()
    const feeds = [me.events()[Symbol.asyncIterator](), drive.events()[Symbol.asyncIterator]()]
    for (const feed of feeds) await feed.next()
    const closing = drive.close()
    const while_ = await failure(() => me.selectUserFiles())
    await closing
    assert.deepInclude(while_, closed)
    const others: Readonly<Record<string, () => unknown>> = {
      ready: () => drive.ready(),
      migrate: () => drive.migrate(),
      runJobs: () => drive.runJobs(),
      metrics: () => drive.metrics(),
      list: () => first(me.files.list()),
      listTrash: () => first(me.files.listTrash()),
      events: () => first(me.events()),
      "drive.events": () => first(drive.events()),
      "files.get": () => me.files.get(nobody),
      "files.put": () => me.files.put(bytes, { fileName: "a" }),
      "files.importMany": () => me.files.importMany([]),
      "files.reextract": () => me.files.reextract([nobody]),
      "accounts.create": () => drive.accounts.create({}),
      "accounts.find": () => drive.accounts.find(userId),
      "tokens.create": () => drive.tokens.create(userId, { name: "a" }),
      "sessions.open": () => drive.sessions.open(userId),
      "sessions.endAll": () => drive.sessions.endAll(userId),
      searchFiles: () => me.searchFiles({})
    }
    for (const [name, act] of Object.entries(others)) {
      const error = await failure(act)
      assert.instanceOf(error, DriveError, name)
      assert.deepInclude(error, closed, name)
    }
    const response = await drive.fetch(new Request("http://127.0.0.1:4500/healthz"))
    assert.strictEqual(response.status, 503)
    // A feed ends; a list that was not read to its end does not look as if it had been.
    for (const feed of feeds) {
      let result = await feed.next()
      while (result.done !== true) result = await feed.next()
    }
    assert.deepInclude(await failure(() => started.next()), closed)
    assert.isTrue((await started.next()).done)
    await drive.endStreams()
    await close()
  }, 60_000)

  it("HOST-103 close waits for every call that began before it, an upload in code too", async () => {
    const { close, drive } = await temporaryDrive()
    const { userId } = await userOf(drive)()
    const me = drive.as(userId)
    const calls = [me.selectUserFiles(), me.files.put(bytes, { fileName: "a" }), me.files.put(bytes, { fileName: "b" })]
    const closing = close()
    await Promise.all(calls)
    await closing
  }, 60_000)

  it("HOST-95 a call that is cut off because the grace is over fails the same", async () => {
    const { close, drive } = await temporaryDrive({ closeGraceMillis: 50 })
    const { userId } = await userOf(drive)()
    const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }
    const error = failure(() => drive.as(userId).files.put(never, { fileName: "a", fileSize: 3 }))
    await drive.as(userId).selectUserFiles()
    await close()
    assert.deepInclude(await error, closed)
  }, 60_000)

  it("HOST-95 a drive that can't start says why in every call, and tries again", async () => {
    const drive = createDrive({ dataDirectory: "/dev/null/none", log: "off" })
    for (
      const act of [
        () => drive.accounts.create({}),
        () => drive.as(nobody).selectUserFiles(),
        () => first(drive.as(nobody).files.list()),
        () => first(drive.events()),
        () => drive.as(nobody).files.put(bytes, { fileName: "a" })
      ]
    ) {
      const error = await failure(act)
      assert.instanceOf(error, DriveError)
      assert.deepInclude(error, { code: "unavailable", status: 503, retryable: true })
      assert.match(error.message, /^The drive did not start: .*it is no directory/)
      assert.instanceOf(error.cause, Error)
    }
    assert.strictEqual((await drive.fetch(new Request("http://127.0.0.1:4500/api/search-files"))).status, 503)
    await drive.close()
  })
})
