/** `filedrive doctor --storage` as a process of its own, on a drive that was used and then stopped. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createDrive, type Drive } from "@filedrive/adapter-node"
import { ObjectStore } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { Layout } from "../../src/storage/disk/Layout.ts"
import { formBody } from "../formBody.ts"

const command = resolve(import.meta.dirname, "../../bin/filedrive.mjs")
const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-store" }

/** Without what the test's own environment says about drives. */
const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:FILEDRIVE_|S3_|AWS_|DATABASE_URL)/.test(name))
)

const doctor = (environment: Readonly<Record<string, string>>, ...options: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [command, "doctor", "--storage", ...options], {
    encoding: "utf8",
    env: { ...cleanEnvironment, ...environment },
    timeout: 60_000
  })

const url = "http://drive.test"

const upload = async (drive: Drive, userId: string, name: string, content: string): Promise<string> => {
  const me = drive.as(userId)
  const file = { type: "Text", fileName: name, fileSize: content.length, objectKey: `users/${userId}/${name}` } as const
  const { uploadForm, uploadUrl } = await me.generateFileUrls(file)
  const body = formBody(uploadForm, content)
  const { status } = await drive.fetch(new Request(uploadUrl, { method: "POST", body }))
  assert.strictEqual(status, 204)
  return (await me.insertFile(file)).id
}

/** The files of all objects of a store (of one in a directory, of its first part), by their first bytes. */
const objectsOf = async (data: string) => {
  const found = new Map<string, string>()
  for (const bucket of ["private", "public"] as const) {
    for (const shard of new Layout(join(data, "storage")).shards(bucket)) {
      for (const name of await readdir(shard)) {
        const path = join(shard, name)
        const file = (await stat(path)).isDirectory() ? join(path, "p00001") : path
        found.set((await readFile(file, "latin1")).slice(0, 8), file)
      }
    }
  }
  return found
}

describe("filedrive doctor --storage", () => {
  const roots: Array<string> = []
  const drives: Array<Drive> = []
  const temporary = async () => {
    const root = await mkdtemp(join(tmpdir(), "filedrive-doctor-"))
    roots.push(root)
    return root
  }
  afterAll(async () => {
    await Promise.all(drives.map((drive) => drive.close()))
    await Promise.all(roots.map((root) => rm(root, { recursive: true, force: true })))
  })

  let data: string
  let ids: Record<"lost" | "damaged" | "cut" | "sound" | "archive", string>
  const open = () => {
    const drive = createDrive({ dataDirectory: data, url, media: false, log: "off" })
    drives.push(drive)
    return drive
  }

  beforeAll(async () => {
    data = await temporary()
    const drive = open()
    const { userId } = (await drive.accounts.create({ plan: "pro" }))!
    ids = {
      lost: await upload(drive, userId, "a.txt", "lost lost lost"),
      damaged: await upload(drive, userId, "b.txt", "damaged damaged"),
      cut: await upload(drive, userId, "c.txt", "cut off cut off"),
      sound: await upload(drive, userId, "d.txt", "as it was stored"),
      archive: ""
    }
    const me = drive.as(userId)
    const { id } = await me.createArchiveRequest({ fileIds: [ids.lost, ids.sound] })
    ids.archive = id
    const find = async () => (await me.selectArchives({ ids: [id] }))[0]!
    let archive = await find()
    while (archive.status === "working") {
      await new Promise((resolve) => setTimeout(resolve, 50))
      archive = await find()
    }
    assert.strictEqual(archive.status, "done")
    await drive.close()
  }, 60_000)

  it("STO-71 of a drive whose storage is as the database says, all is well", () => {
    const { status, stderr, stdout } = doctor({ FILEDRIVE_DATA: data })
    assert.strictEqual(status, 0, stderr)
    assert.match(
      stdout,
      /^4 files, 1 kept archive and \d+ objects were checked: storage holds what the database says, and nothing else\.\n$/
    )
    assert.strictEqual(stderr, "Comparing 4 files of the database with storage; this may take a while.\n")
  }, 60_000)

  it("STO-98 pieces that a killed process left are told, and are no fault", async () => {
    const piece = join(data, "storage", "t", "part.upload.1.killed")
    await writeFile(piece, new Uint8Array(12_345))
    const { status, stdout } = doctor({ FILEDRIVE_DATA: data })
    await rm(piece)
    assert.strictEqual(status, 0)
    assert.match(
      stdout,
      /: storage holds what the database says, and 1 unfinished piece of 12,345 bytes, which the drive removes when it goes on or after a day\.\n$/
    )
  }, 60_000)

  it("STO-99 a file or directory that was copied to another object's place is orphaned", async () => {
    const original = (await objectsOf(data)).get("as it wa")!
    const shard = join(data, "storage", "o", "private", "ab")
    const file = join(shard, `ab${basename(original).slice(2)}`)
    await cp(original, file)
    const directory = join(shard, "ab".padEnd(64, "0"))
    await mkdir(directory)
    const parts = [{ firstNumber: 1, count: 1, sizeBytes: 16 }]
    const meta = { key: "files/x", headers, sizeBytes: 16, etag: "e", storedMillis: 1, parts }
    await writeFile(join(directory, "meta.json"), JSON.stringify(meta))
    await writeFile(join(directory, "p00001"), "as it was stored")
    const { status, stdout } = doctor({ FILEDRIVE_DATA: data })
    await rm(file)
    await rm(directory, { recursive: true })
    assert.strictEqual(status, 1)
    for (const [kind, path] of [["file", file], ["directory", directory]]) {
      assert.match(
        stdout,
        new RegExp(`^orphaned   ${kind} ${path}, 16 bytes, not where its object files/\\S+ is$`, "m")
      )
    }
    assert.match(
      stdout,
      /: 2 orphaned\. It does not remove files and directories that are in the wrong place: delete them by hand\.\n$/
    )
  }, 60_000)

  it("STO-72 while the drive runs it says that the database is in use", async () => {
    const drive = open()
    await drive.ready()
    const { status, stderr, stdout } = doctor({ FILEDRIVE_DATA: data })
    await drive.close()
    assert.deepStrictEqual([status, stderr, stdout], [1, "The database is in use: stop the drive first.\n", ""])
  }, 60_000)

  it("STO-71 what is lost, damaged and orphaned is named, in each run again", async () => {
    const objects = await objectsOf(data)
    await rm(objects.get("lost los")!)
    const part = objects.get("damaged ")!
    const bytes = await readFile(part)
    bytes[3]! ^= 1
    await writeFile(part, bytes)
    const zip = [...objects].find(([start]) => start.startsWith("PK\u0003\u0004"))![1]
    const zipped = await readFile(zip)
    zipped[60]! ^= 1
    await writeFile(zip, zipped)
    const cut = objects.get("cut off ")!
    await truncate(cut, (await stat(cut)).size - 1)
    const key = "files/019845e1-682f-7b02-a706-3b2422d13aff/orphaned"
    const uploadId = await Effect.runPromise(
      Effect.gen(function*() {
        const store = yield* ObjectStore.ObjectStore
        const body = Stream.make(new Uint8Array(1_234))
        yield* store.put({ at: { bucket: "private", key }, headers, sizeBytes: 1_234, body })
        yield* store.put({ at: { bucket: "public", key }, headers, sizeBytes: 1_234, body })
        yield* store.put({ at: { bucket: "private", key: "of/the/owner" }, headers, sizeBytes: 1_234, body })
        return yield* store.createUpload({ bucket: "private", key: `${key}-parts` }, headers)
      }).pipe(Effect.provide(DiskStore.layer({ root: join(data, "storage"), endpoint: url })))
    )
    const runs = [1, 2].map(() => doctor({ FILEDRIVE_DATA: data }))
    for (const { status, stderr, stdout } of runs) {
      assert.strictEqual(status, 1)
      // Sentences for people, and no line of a log.
      assert.strictEqual(stderr, "Comparing 4 files of the database with storage; this may take a while.\n")
      assert.match(stdout, / has other bytes than were stored, somewhere in bytes 0 to 14$/m)
      assert.match(
        stdout,
        new RegExp(`^lost +file ${ids.lost} "a.txt" of account \\S+, object files/\\S+: no such object$`, "m")
      )
      assert.match(stdout, new RegExp(`^damaged +file ${ids.damaged} .* has other bytes than were stored`, "m"))
      assert.match(
        stdout,
        new RegExp(`^damaged +file ${ids.cut} .* is of another length or has a damaged description$`, "m")
      )
      assert.match(stdout, new RegExp(`^damaged +archive ${ids.archive} of account .* has other bytes`, "m"))
      assert.notInclude(stdout, ids.sound)
      assert.notInclude(stdout, "of/the/owner")
      for (const bucket of ["private", "public"]) {
        assert.include(stdout, `orphaned   object ${key} (${bucket}), 1,234 bytes\n`)
      }
      assert.include(stdout, `orphaned   upload ${uploadId} of ${key}-parts (private)\n`)
      assert.match(
        stdout,
        /^4 files, 1 kept archive and \d+ objects were checked: 1 lost, 3 damaged, 3 orphaned\. Restore /m
      )
      assert.strictEqual(stdout.split("\n").filter((line) => /^(?:lost|damaged|orphaned) /.test(line)).length, 7)
    }
  }, 60_000)

  it("STO-151 orphaned objects are copied out, whole, each to a file named by its bucket and key", async () => {
    const copies = join(await temporary(), "copies")
    const { status, stderr, stdout } = doctor({ FILEDRIVE_DATA: data }, "--copy-out", copies)
    assert.strictEqual(status, 1, stderr)
    assert.include(stdout, `\n2 orphaned objects were copied to ${copies}.\n`)
    for (const bucket of ["private", "public"]) {
      assert.deepStrictEqual(await readdir(join(copies, bucket)), [
        "files_019845e1-682f-7b02-a706-3b2422d13aff_orphaned"
      ])
      const copied = await readFile(join(copies, bucket, "files_019845e1-682f-7b02-a706-3b2422d13aff_orphaned"))
      assert.isTrue(copied.equals(new Uint8Array(1_234)))
    }
  }, 60_000)

  it("STO-72 where there is no drive it says so, and makes none", async () => {
    const empty = await temporary()
    const nothing = doctor({ FILEDRIVE_DATA: empty })
    assert.strictEqual(nothing.status, 1)
    assert.strictEqual(nothing.stdout, "")
    assert.match(nothing.stderr, /^FILEDRIVE_DATA: there is no database and no storage of a drive in .*\n$/)
    assert.isFalse(existsSync(join(empty, "database")))
    const sentences = [
      [{ DATABASE_URL: "mysql://secret@x" }, /^DATABASE_URL must be an address like postgres:.*\n$/],
      [{ FILEDRIVE_DATA: data, DATABASE_URL: "postgres://u:secret@127.0.0.1:1/x" }, /^The database can't be used.*\n$/],
      [{ S3_PRIVATE_BUCKET: "a" }, /^S3_PUBLIC_BUCKET is not set, but S3_PRIVATE_BUCKET is.*\n$/],
      [
        {
          FILEDRIVE_DATA: data,
          S3_ENDPOINT: "http://127.0.0.1:1",
          S3_PRIVATE_BUCKET: "a",
          S3_PUBLIC_BUCKET: "b",
          AWS_ACCESS_KEY_ID: "k",
          AWS_SECRET_ACCESS_KEY: "secret"
        },
        /^The object storage on http:\/\/127.0.0.1:1 can't be used/
      ]
    ] as const
    for (const [environment, says] of sentences) {
      const { status, stderr, stdout } = doctor(environment)
      assert.deepStrictEqual([status, stdout], [1, ""])
      assert.match(stderr, says)
      assert.notInclude(stderr, "secret")
    }
  }, 120_000)
})
