/** A drive whose database was lost while its storage was kept. */
import { afterAll, assert, it } from "@effect/vitest"
import { createDrive, type Drive, type LogEntry } from "@filedrive/adapter-node"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Layout } from "../../src/storage/disk/Layout.ts"
import { formBody } from "../formBody.ts"

const ends: Array<() => Promise<unknown>> = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const day = 24 * 60 * 60 * 1_000

it("STO-86 a new database beside full storage causes a warning, and removes nothing", async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-new-"))
  ends.push(() => rm(dataDirectory, { recursive: true, force: true }))
  const logged: Array<LogEntry> = []
  let now = Date.UTC(2026, 0, 1)
  const open = async (): Promise<Drive> => {
    const drive = createDrive({
      dataDirectory,
      url: "http://drive.test",
      media: false,
      runJobs: false,
      clock: () => now,
      log: (entry) => void logged.push(entry)
    })
    ends.push(() => drive.close())
    await drive.ready()
    return drive
  }
  const warnings = () => logged.filter(({ message }) => message.includes("there is no database in"))
  const objects = async () => {
    const shards = new Layout(join(dataDirectory, "storage")).shards("private")
    return (await Promise.all(shards.map((shelf) => readdir(shelf)))).flat().length
  }

  const first = await open()
  const { userId } = (await first.accounts.create({}))!
  const file = { type: "Text", fileName: "a", fileSize: 1, objectKey: `users/${userId}/a` } as const
  const { uploadForm, uploadUrl } = await first.as(userId).generateFileUrls(file)
  const body = formBody(uploadForm, "a")
  assert.strictEqual((await first.fetch(new Request(uploadUrl, { method: "POST", body }))).status, 204)
  await first.as(userId).insertFile(file)
  await first.runJobs()
  await first.close()
  assert.deepStrictEqual(warnings(), [])
  const kept = await objects()
  assert.isAbove(kept, 0)

  await rm(join(dataDirectory, "database"), { recursive: true })
  now += 3 * day
  const second = await open()
  assert.strictEqual(warnings().length, 1)
  assert.match(
    warnings()[0]!.message,
    /storage holds files, .* removes none of them\. Stop the drive, and restore the database/
  )
  await second.runJobs()
  assert.strictEqual(await objects(), kept)
  await second.close()

  now += day
  const third = await open()
  assert.strictEqual(warnings().length, 1)
  await third.runJobs()
  assert.strictEqual(await objects(), kept)
}, 120_000)
