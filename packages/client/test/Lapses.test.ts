/** Uploads for which time passes: on a drive in memory, whose clock is moved. */
import { createClient, type Fetch } from "@filedrive/client"
import { memoryDrive } from "@filedrive/testing"
import { assert, describe, it } from "vitest"
import { content } from "./servedDrive.ts"

const partSize = 64 * 1024 ** 2
const large = new Blob([content(2 * partSize + 70_000)])

/** A client, and what is done before its nth PUT of a part. */
const slowDrive = async (before: (nth: number, drive: Awaited<ReturnType<typeof memoryDrive>>) => Promise<void>) => {
  const drive = await memoryDrive()
  const user = await drive.user()
  const paths: Array<string> = []
  let puts = 0
  const fetch: Fetch = async (url, init) => {
    if (init?.method === "PUT") await before(++puts, drive)
    else paths.push(new URL(url).pathname)
    return drive.fetch(url, init)
  }
  const client = createClient({ url: "http://drive.test", apiToken: user.apiToken, fetch })
  return {
    client,
    drive,
    paths,
    puts: () => puts,
    counted: (path: string) => paths.filter((one) => one === path).length
  }
}

describe("an upload that takes long", () => {
  it("CLIENT-29 has fresh URLs when those at hand have lapsed", async () => {
    const { client, counted, drive, puts } = await slowDrive(async (nth, { clock }) => {
      if (nth === 2) await clock.advance("25 hours")
    })
    const { id } = await client.upload(large, { fileName: "a.bin", parallel: 1 })
    assert.strictEqual(puts(), 4)
    // The session has ended, too: the first is 401.
    assert.strictEqual(counted("/api/sign-upload-parts"), 2)
    assert.strictEqual(counted("/auth/exchange-token"), 2)
    assert.strictEqual((await client.generateDownloadUrl({ id })).fileSize, large.size)
    await drive.close()
  }, 60_000)

  it("CLIENT-29 begins again when the drive has aborted it for idleness, and when its token has lapsed", async () => {
    const { client, counted, drive } = await slowDrive(async (nth, { clock }) => {
      if (nth === 2) await clock.advance("8 days")
    })
    const { id } = await client.upload(large, { fileName: "a.bin", parallel: 1 })
    assert.strictEqual(counted("/api/create-multipart-upload"), 2)
    assert.strictEqual((await client.generateDownloadUrl({ id })).fileSize, large.size)
    assert.lengthOf(await client.selectUserFiles(), 1)
    assert.strictEqual((await client.getUserStorageUsage()).pendingBytes, 0)
    await drive.close()
  }, 60_000)
})
