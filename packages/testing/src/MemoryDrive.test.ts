import { afterAll, assert, describe, it } from "@effect/vitest"
import { DriveClient } from "./DriveClient.ts"
import { httpSuite } from "./HttpSuite.ts"
import { type MemoryDrive, memoryDrive } from "./MemoryDrive.ts"

const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => at % 251)

httpSuite("in memory", async () => {
  const drive = await memoryDrive({ allowPrivateAddresses: true })
  // Time stands still here, so jobs are run as calls come: beside them, because extraction of a picture takes time.
  let jobs: Promise<void> | null = null
  let isClosed = false
  const runJobs = () =>
    jobs ??= drive.runJobs().catch((error) => isClosed || Promise.reject(error)).then(() => void (jobs = null))
  return {
    url: drive.urls.site,
    fetch: (url, init) => {
      void runJobs()
      return drive.fetch(url, init)
    },
    user: drive.user,
    failStorage: () => drive.storage.fail("signForm"),
    // A file that is being extracted then is abandoned.
    close: () => {
      isClosed = true
      return drive.close()
    }
  }
})

describe("memoryDrive", () => {
  const drives: Array<MemoryDrive> = []
  const start = async () => {
    const drive = await memoryDrive()
    drives.push(drive)
    return drive
  }
  afterAll(() => Promise.all(drives.map((drive) => drive.close())))

  it("HOST-10 several drives of one process keep to themselves", async () => {
    const [one, two] = [await start(), await start()]
    const ada = await one.user({ handle: "ada" })
    await ada.upload({ fileName: "a.bin", bytes: bytes(10) })
    assert.isNull(await two.accounts.findByHandle("ada"))
    assert.deepStrictEqual(await two.storage.objects(), [])
    assert.strictEqual((await one.storage.objects()).length, 1)
  })

  it("HOST-10 UP-45 moving the clock runs what falls due: an idle upload is aborted after 7 days", async () => {
    const drive = await start()
    const ada = await drive.user({ quotaBytes: 100 })
    const input = await ada.describe({ fileName: "a.bin", bytes: bytes(90) })
    await ada.ok("/create-multipart-upload", input)
    await drive.clock.advance("6 days")
    assert.strictEqual((await drive.as(ada.userId).getUserStorageUsage()).pendingBytes, 90)
    await drive.clock.advance("25 hours")
    assert.strictEqual((await drive.as(ada.userId).getUserStorageUsage()).pendingBytes, 0)
  })

  it("HOST-10 AUTH-3 a session ends after a day", async () => {
    const drive = await start()
    const ada = await drive.user()
    const { gelToken } = await ada.session()
    const call = () => ada.raw("/select-user-files", { headers: { authorization: `Bearer ${gelToken}` } })
    assert.strictEqual((await call()).status, 200)
    await drive.clock.advance("86400 seconds")
    const ended = await call()
    assert.deepStrictEqual([ended.status, ended.body.code], [401, "session_expired"])
  })

  it("HOST-99 a client exchanges its token anew when its session has ended, once for all calls that are told so", async () => {
    const drive = await start()
    const { apiToken, userId } = await drive.user()
    let exchanges = 0
    const ada = new DriveClient({
      url: drive.urls.site,
      apiToken,
      fetch: (url, init) => {
        if (url.endsWith("/exchange-token")) exchanges++
        return drive.fetch(url, init)
      }
    })
    const id = await ada.upload({ fileName: "a.bin", bytes: bytes(10) })
    for (const time of ["86400 seconds", "31 days"] as const) {
      await drive.clock.advance(time)
      const before = exchanges
      await Promise.all([ada.ok("/select-user-files"), ada.ok("/search-files"), ada.ok("/select-user-files")])
      assert.deepStrictEqual(await ada.download(id), bytes(10))
      assert.strictEqual(exchanges - before, 1)
    }
    await drive.accounts.suspend(userId)
    assert.strictEqual((await ada.call("/select-user-files")).status, 401)
  })

  it("HOST-10 TR-6 bytes that storage would not remove are removed later", async () => {
    const drive = await start()
    const ada = await drive.user()
    const id = await ada.upload({ fileName: "a.bin", bytes: bytes(10) })
    await drive.storage.fail("remove", 2)
    assert.deepStrictEqual(await ada.ok("/delete-files", [{ id }]), { deleted: [id] })
    assert.strictEqual((await drive.storage.objects()).length, 1)
    await drive.clock.advance("1 hour")
    await drive.clock.advance("1 hour")
    assert.deepStrictEqual(await drive.storage.objects(), [])
  })
})
