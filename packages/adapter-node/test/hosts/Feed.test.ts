import { assert, describe, it } from "@effect/vitest"
import { serve } from "@filedrive/adapter-node"
import { DriveClient } from "@filedrive/testing"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"

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
        seen.push(event.file.fileName)
        if (seen.length === 1) void close()
      }
      return seen
    })()
    await client.upload({ fileName: "a.bin", bytes: new Uint8Array(1) })
    assert.deepStrictEqual(await names, ["a.bin"])
    assert.match(await text, /event: file\ndata: /)
    await close()
  }, 60_000)

  it("FEED-14 a host follows a user's feed, from a cursor too, until it stops or aborts", async () => {
    const { close, drive } = await temporaryDrive({ url: "http://drive.test" })
    const { apiToken, userId } = await userOf(drive)()
    const client = new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(drive) })
    for (const fileName of ["a", "b", "c"]) await client.upload({ fileName, bytes: new Uint8Array(1) })
    const seen: Array<string> = []
    let cursor = ""
    for await (const event of drive.as(userId).events()) {
      seen.push(event.file.fileName)
      cursor = event.cursor
      if (seen.length === 2) break
    }
    const abort = new AbortController()
    for await (const event of drive.as(userId).events({ since: cursor, signal: abort.signal })) {
      seen.push(event.file.fileName)
      if (seen.length === 3) abort.abort()
    }
    assert.deepStrictEqual(seen, ["a", "b", "c"])
    const { events, more } = await drive.as(userId).selectDriveEvents({ limit: 2 })
    assert.deepStrictEqual([events.map((event) => "file" in event && event.file?.fileName), more], [["a", "b"], true])
    await close()
  }, 60_000)
})
