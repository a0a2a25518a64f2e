/** A drive on disk whose database was restored from a backup, and `filedrive doctor --accept-storage` as a process of its own. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { createDrive, type Drive } from "@filedrive/adapter-node"
import { spawnSync } from "node:child_process"
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { formBody } from "../formBody.ts"

const command = resolve(import.meta.dirname, "../../bin/filedrive.mjs")

const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:FILEDRIVE_|S3_|AWS_|DATABASE_URL)/.test(name))
)

const doctor = (data: string, ...options: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [command, "doctor", ...options], {
    encoding: "utf8",
    env: { ...cleanEnvironment, FILEDRIVE_DATA: data },
    timeout: 120_000
  })

const url = "http://drive.test"
const day = 86_400_000

const upload = async (drive: Drive, userId: string, name: string): Promise<string> => {
  const me = drive.as(userId)
  const file = { type: "Text", fileName: name, fileSize: name.length, objectKey: `users/${userId}/${name}` } as const
  const { uploadForm, uploadUrl } = await me.generateFileUrls(file)
  const { status } = await drive.fetch(new Request(uploadUrl, { method: "POST", body: formBody(uploadForm, name) }))
  assert.strictEqual(status, 204)
  const { id } = await me.insertFile(file)
  await drive.settled()
  return id
}

const contentOf = async (drive: Drive, userId: string, id: string) => {
  const { downloadUrl } = await drive.as(userId).generateDownloadUrl({ id })
  return (await drive.fetch(new Request(downloadUrl!))).text()
}

describe("filedrive doctor --accept-storage", () => {
  let data: string
  afterAll(() => rm(data, { recursive: true, force: true }))

  it(
    "STO-146 it ends the hold after a restore: until then the newer storage is kept, and every place reports it",
    async () => {
      data = await mkdtemp(join(tmpdir(), "filedrive-restore-"))
      const start = Date.now() - 20 * day
      /** One start of the drive, so many days later. */
      const during = async <A>(days: number, use: (drive: Drive) => Promise<A>): Promise<A> => {
        const began = Date.now()
        const clock = () => start + days * day + Date.now() - began
        const drive = createDrive({ dataDirectory: data, url, media: false, log: "off", clock, runJobs: false })
        try {
          return await use(drive)
        } finally {
          await drive.close()
        }
      }
      const statuses = (drive: Drive, urls: ReadonlyArray<string>) =>
        Promise.all(urls.map(async (url) => (await drive.fetch(new Request(url))).status))
      const ready = async (drive: Drive) => (await drive.fetch(new Request(`${url}/readyz`))).json()
      const names = (count: number, from: number) => Array.from({ length: count }, (_, n) => `file ${from + n}`)

      const { ids, userId } = await during(0, async (drive) => {
        const { userId } = (await drive.accounts.create({}))!
        const ids = []
        for (const name of names(3, 0)) ids.push(await upload(drive, userId, name))
        return { ids, userId }
      })
      await cp(join(data, "database"), join(data, "backup"), { recursive: true })
      const links = await during(1, async (drive) => {
        const added = []
        for (const name of names(6, 3)) added.push(await upload(drive, userId, name))
        const published = [ids[1]!, ids[2]!, added[0]!]
        const me = drive.as(userId)
        const urls: Array<string> = []
        for (const id of published) {
          await me.toggleFileAccess({ id })
          urls.push((await me.generateDownloadUrl({ id })).downloadUrl!)
        }
        await drive.runJobs()
        return urls
      })
      await during(2, (drive) => drive.runJobs())
      await rm(join(data, "database"), { recursive: true })
      await cp(join(data, "backup"), join(data, "database"), { recursive: true })

      const newer = "storage is newer than the database, as after a restore; nothing is removed until " +
        "`filedrive doctor --accept-storage` (first look with `filedrive doctor --storage`, and restore a newer database if there is " +
        "one: After a restore, in docs/operating.md)"
      await during(6, async (drive) => {
        await drive.ready()
        assert.deepStrictEqual(await ready(drive), { status: "ok", detail: newer })
        await drive.runJobs()
        for (const [n, id] of ids.entries()) assert.strictEqual(await contentOf(drive, userId, id), `file ${n}`)
        // Files that the database knows as private: the link of the one that is trashed ends, the other stays as it is.
        assert.deepStrictEqual(await statuses(drive, links), [200, 200, 200])
        await drive.as(userId).trashFiles([{ id: ids[2]! }])
        await drive.runJobs()
        assert.deepStrictEqual(await statuses(drive, links), [200, 404, 200])
        await drive.as(userId).restoreFiles([{ id: ids[2]! }])
      })
      await during(9, (drive) => drive.runJobs())
      const found = doctor(data, "--storage")
      assert.strictEqual(found.status, 1, found.stderr)
      assert.strictEqual(found.stdout.split("\n")[0], `held       ${newer}`)
      // Six that are newer, and the public copies of two that the database has as private files, one of them in the private bucket by now.
      assert.match(
        found.stdout,
        /^3 files and 11 objects were checked: 8 orphaned\. Storage is newer than the database/m
      )
      const copies = join(data, "copies")
      const copied = doctor(data, "--storage", "--copy-out", copies)
      assert.match(copied.stdout, /^8 orphaned objects were copied to /m)
      const texts = await Promise.all(["private", "public"].map(async (bucket) => {
        const names = await readdir(join(copies, bucket))
        assert.isTrue(names.every((name) => name.startsWith(`files_${userId}_`)), names.join())
        return Promise.all(names.map((name) => readFile(join(copies, bucket, name), "utf8")))
      }))
      assert.sameMembers(texts.flat(), [...names(6, 3), "file 1", "file 2"])

      const accepted = doctor(data, "--accept-storage")
      assert.strictEqual(accepted.status, 0, accepted.stderr)
      assert.match(
        accepted.stdout,
        /^Storage is newer than the database.*\nFiles without an object in storage: 0\. Objects .*: 8, of 48 bytes\.\nAccepted: /
      )
      assert.match(accepted.stdout, /^The public links of 2 objects among these have ended\.$/m)
      await during(9.5, async (drive) => assert.deepStrictEqual(await statuses(drive, links), [404, 404, 404]))
      // The command moved them by the clock of the machine.
      await during(22, async (drive) => {
        await drive.ready()
        assert.deepStrictEqual(await ready(drive), { status: "ok" })
        await drive.runJobs()
        for (const [n, id] of ids.entries()) assert.strictEqual(await contentOf(drive, userId, id), `file ${n}`)
      })
      const left = doctor(data, "--storage")
      assert.strictEqual(left.status, 0, left.stdout)
      assert.match(left.stdout, /^3 files and 3 objects were checked: storage holds what the database says/m)
    },
    240_000
  )
})
