import { assert, describe, it } from "@effect/vitest"
import { type DriveError, serve } from "@filedrive/adapter-node"
import { DriveClient } from "@filedrive/testing"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"

/** The name of the file that an event is about; all events here are about one. */
const fileNameOf = (event: object | undefined) =>
  event !== undefined && "file" in event ? (event.file as { readonly fileName: string }).fileName : ""

const followed = async (client: DriveClient, url: string) => {
  const { gelToken } = await client.session()
  return client.fetch(`${url}/api/drive-events`, {
    headers: { authorization: `Bearer ${gelToken}`, "x-service-app": "filedrive" }
  })
}

describe("The feed of a drive", () => {
  it("FEED-13 HOST-6 a server with open streams stops at once, and so does its drive", async () => {
    // The grace is longer than a test may take.
    const { close, drive } = await temporaryDrive({ closeGraceMillis: 600_000 })
    const server = await serve(drive, { port: 0, graceMillis: 600_000 })
    const { apiToken } = await userOf(drive)()
    const client = new DriveClient({ url: server.origin, apiToken })
    const responses = [await followed(client, server.origin), await followed(client, server.origin)]
    const texts = responses.map((response) => response.text())
    await server.stop()
    for (const text of await Promise.all(texts)) assert.match(text, /^retry: /)
    await close()
  }, 60_000)

  it("FEED-13 a drive that closes ends the streams that its host reads and those of its fetch", async () => {
    const { close, drive } = await temporaryDrive({ closeGraceMillis: 600_000, url: "http://drive.test" })
    const { apiToken, userId } = await userOf(drive)()
    const client = new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(drive) })
    const text = (await followed(client, "http://drive.test")).text()
    const names = (async () => {
      const seen: Array<string> = []
      for await (const event of drive.as(userId).events()) {
        seen.push(fileNameOf(event))
        if (seen.length === 1) void close()
      }
      return seen
    })()
    await client.upload({ fileName: "a.bin", bytes: new Uint8Array(1) })
    assert.deepStrictEqual(await names, ["a.bin"])
    assert.match(await text, /event: file\ndata: /)
    await close()
  }, 60_000)

  it("FEED-13 no event that was read ahead comes after the drive was closed", async () => {
    const { close, drive } = await temporaryDrive({ url: "http://drive.test" })
    const { userId } = await userOf(drive)()
    const me = drive.as(userId)
    for (let n = 0; n < 20; n++) await me.files.put(new Uint8Array(1), { fileName: `${n}` })
    const feeds = [me.events()[Symbol.asyncIterator](), drive.events()[Symbol.asyncIterator]()]
    for (const feed of feeds) assert.isFalse((await feed.next()).done)
    const closing = close()
    // From the call on: what a worker has not been given it reads again with its cursor.
    for (const feed of feeds) assert.isTrue((await feed.next()).done)
    await closing
    for (const feed of feeds) assert.isTrue((await feed.next()).done)
  }, 60_000)

  it("FEED-14 a host follows a user's feed, from a cursor too, until it stops or aborts", async () => {
    const { close, drive } = await temporaryDrive({ url: "http://drive.test" })
    const { apiToken, userId } = await userOf(drive)()
    const client = new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(drive) })
    for (const fileName of ["a", "b", "c"]) await client.upload({ fileName, bytes: new Uint8Array(1) })
    const seen: Array<string> = []
    let cursor = ""
    for await (const event of drive.as(userId).events()) {
      seen.push(fileNameOf(event))
      cursor = event.cursor
      if (seen.length === 2) break
    }
    const abort = new AbortController()
    for await (const event of drive.as(userId).events({ since: cursor, signal: abort.signal })) {
      seen.push(fileNameOf(event))
      if (seen.length === 3) abort.abort()
    }
    assert.deepStrictEqual(seen, ["a", "b", "c"])
    const { events, more } = await drive.as(userId).selectDriveEvents({ limit: 2 })
    assert.deepStrictEqual([events.map((event) => "file" in event && event.file?.fileName), more], [["a", "b"], true])
    await close()
  }, 60_000)

  it("FEED-21 a host's worker reads what happens to all its users, stops, and continues where it was", async () => {
    const { close, drive } = await temporaryDrive()
    const [ada, ben] = [(await userOf(drive)()).userId, (await userOf(drive)()).userId]
    const put = (userId: string, fileName: string) => drive.as(userId).files.put(new Uint8Array(1), { fileName })
    await put(ada, "a")
    await put(ben, "b")
    await put(ada, "c")
    const seen: Array<readonly [string, string]> = []
    // As a database has it that has stored none.
    let after: string | null = null
    // A worker that ends after each event, and begins again with the cursor it has stored.
    for (let n = 0; n < 3; n++) {
      for await (const event of drive.events({ after })) {
        assert.deepStrictEqual(Object.keys(event).toSorted(), ["cursor", "file", "id", "kind", "time", "userId"])
        seen.push([event.userId, fileNameOf(event)])
        after = event.cursor
        break
      }
    }
    assert.deepStrictEqual(seen, [[ada, "a"], [ben, "b"], [ada, "c"]])
    const abort = new AbortController()
    const rest = (async () => {
      for await (const event of drive.events({ after: after!, signal: abort.signal })) {
        seen.push([event.userId, fileNameOf(event)])
        if (fileNameOf(event) === "d") await put(ada, "e")
        else abort.abort()
      }
    })()
    await put(ben, "d")
    await rest
    assert.deepStrictEqual(seen.slice(3), [[ben, "d"], [ada, "e"]])
    const waiting = drive.events({ after: "now" })[Symbol.asyncIterator]().next()
    // Whether it waits already or not, a drive that closes ends it.
    await close()
    assert.isTrue((await waiting).done)
  }, 60_000)

  it("FEED-27 a user's feed goes on after an event's cursor, and from now on, as the whole drive's does", async () => {
    const { close, drive } = await temporaryDrive()
    const { userId } = await userOf(drive)()
    const me = drive.as(userId)
    const put = (fileName: string) => me.files.put(new Uint8Array(1), { fileName })
    const next = async (after: string | null | undefined) => {
      const { done, value } = await me.events({ after })[Symbol.asyncIterator]().next()
      return done === true ? undefined : value
    }
    for (const fileName of ["a", "b"]) await put(fileName)
    const [first, again] = [await next(null), await next(undefined)]
    assert.deepStrictEqual(first, again)
    assert.strictEqual(fileNameOf(await next(first!.cursor)), "b")
    const fromNow = me.events({ after: "now" })[Symbol.asyncIterator]()
    const coming = fromNow.next()
    // It has begun when another that began later has answered.
    await next(null)
    await put("c")
    const { value } = await coming
    assert.strictEqual(value?.file.fileName, "c")
    assert.strictEqual((await me.selectDriveEvents({ since: first!.cursor })).events.length, 2)
    const refused = (options: unknown) =>
      me.events(options as never)[Symbol.asyncIterator]().next().then(
        () => undefined,
        ({ code, field }: DriveError) => [code, field]
      )
    for (const after of ["e99", "d1", "2026-01-01T00:00:00Z", 7, {}, ""]) {
      assert.deepStrictEqual(await refused({ after }), ["invalid_field", "after"], JSON.stringify(after))
    }
    assert.deepStrictEqual(await refused({ after: first!.cursor, since: first!.cursor }), ["invalid_field", "after"])
    assert.deepStrictEqual(await refused({ limit: 1 }), ["unknown_field", "limit"])
    assert.deepStrictEqual(await refused({ afterr: "e1" }), ["unknown_field", "afterr"])
    await close()
  }, 60_000)

  it("HOST-98 a reading ends at once when its reader returns or aborts, also while it waits", async () => {
    const { close, drive } = await temporaryDrive()
    const { userId } = await userOf(drive)()
    const me = drive.as(userId)
    for (const fileName of ["a", "b", "c"]) await me.files.put(new Uint8Array(1), { fileName })
    const readings = [
      () => me.events({ after: "now" }),
      () => drive.events({ after: "now" }),
      () => me.files.list(),
      () => me.files.listTrash()
    ]
    for (const read of readings) {
      const iterator = read()[Symbol.asyncIterator]()
      const waiting = [iterator.next(), iterator.next(), iterator.next(), iterator.next()]
      assert.deepStrictEqual(await iterator.return!(), { done: true, value: undefined })
      assert.isTrue((await Promise.all(waiting)).every(({ done }) => done))
      assert.isTrue((await iterator.next()).done)
    }
    for (const follow of [me.events, drive.events]) {
      const abort = new AbortController()
      const iterator = follow({ after: "now", signal: abort.signal })[Symbol.asyncIterator]()
      const waiting = iterator.next()
      abort.abort()
      assert.isTrue((await waiting).done)
      assert.isTrue((await follow({ signal: abort.signal })[Symbol.asyncIterator]().next()).done)
    }
    const iterator = me.files.list()[Symbol.asyncIterator]()
    const results = await Promise.all([iterator.next(), iterator.next(), iterator.next(), iterator.next()])
    assert.deepStrictEqual(results.map(({ done, value }) => done === true ? null : value.fileName), [
      "c",
      "b",
      "a",
      null
    ])
    // Nothing of it goes on: the drive closes.
    await close()
  }, 60_000)

  it("FEED-22 an option of events that is wrong is refused by name", async () => {
    const { close, drive } = await temporaryDrive()
    const refused = (options: unknown) =>
      drive.events(options as never)[Symbol.asyncIterator]().next().then(
        () => undefined,
        ({ code, field, message }: DriveError) => [code, field, message]
      )
    assert.deepStrictEqual(await refused({ since: "e0" }), [
      "unknown_field",
      "since",
      "since is not a known field; the known ones are after."
    ])
    assert.deepStrictEqual(await refused({ after: 7 }), ["invalid_field", "after", "after must be text."])
    assert.deepStrictEqual(await refused({ after: "e7" }), [
      "invalid_field",
      "after",
      "after must be the `cursor` of an event of this drive, or \"now\"."
    ])
    assert.deepStrictEqual(await refused({ signal: 7 }), ["invalid_field", "signal", "signal must be an AbortSignal."])
    assert.deepStrictEqual((await refused("019845e1-682f-7b02-a706-0000000000a1"))?.[0], "invalid_field")
    await close()
  }, 60_000)
})
