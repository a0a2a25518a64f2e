/** A host's own calls, all at once and beside `close`: what is charged, recorded and stored always fits together in the end. */
import { assert, describe, it } from "@effect/vitest"
import { createDrive, type Drive, type DriveOptions, type UserDrive } from "@filedrive/adapter-node"
import { Database, DatabaseSchema } from "@filedrive/core"
import { MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Context, Effect, Layer, Scope } from "effect"
import * as fc from "fast-check"
import { randomInt } from "node:crypto"
import { formBody } from "../formBody.ts"

const quotaBytes = 60
const folders = ["/a", "/a/b", "/c"] as const

const step = fc.record({
  kind: fc.constantFrom(
    ...[
      "put",
      "put",
      "putInto",
      "form",
      "form",
      "multipart",
      "upload",
      "upload",
      "part",
      "complete",
      "abort",
      "insert",
      "insert",
      "cancelForm",
      "trash",
      "restore",
      "delete",
      "purge",
      "toggle",
      "move",
      "makeFolder",
      "deleteFolder",
      "limited",
      "jobs"
    ] as const
  ),
  key: fc.integer({ min: 0, max: 3 }),
  size: fc.integer({ min: 0, max: 12 }),
  folder: fc.constantFrom(...folders),
  choice: fc.nat(1_000)
})
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const picked = <A>(from: ReadonlyArray<A>, choice: number): A | undefined => from[choice % (from.length || 1)]

/** A database and a store that outlive the drives on them. */
const world = async (database: typeof TestDatabase.layerMemory) => {
  const scope = Scope.makeUnsafe()
  const schema = Layer.effect(DatabaseSchema, Effect.map(Database, ({ schema }) => schema))
  const context = await Effect.runPromise(
    Layer.buildWithScope(Layer.mergeAll(schema.pipe(Layer.provideMerge(database)), MemoryObjectStore.layer), scope)
  )
  // The store goes by the time of the system, and what it signs must not have lapsed.
  let nowMillis = Date.now()
  const given = Layer.succeedContext(context)
  const open = (options: DriveOptions = {}) =>
    createDrive({
      url: "http://drive.test",
      log: "off",
      media: false,
      rateLimits: false,
      migrateAtStart: false,
      runJobs: false,
      clock: () => nowMillis,
      database: given as NonNullable<Extract<DriveOptions["database"], Layer.Any>>,
      storage: given as NonNullable<Extract<DriveOptions["storage"], Layer.Any>>,
      ...options
    })
  const memory = Context.get(context, MemoryObjectStore)
  const query = async <A>(of: (database: Database["Service"]) => Effect.Effect<A, unknown>): Promise<A> =>
    Effect.runPromise(Effect.orDie(of(Context.get(context, Database))))
  return {
    open,
    memory,
    query,
    advance: (millis: number) => void (nowMillis += millis),
    close: () => Effect.runPromise(Scope.close(scope, Effect.runSync(Effect.exit(Effect.void))))
  }
}
type World = Awaited<ReturnType<typeof world>>

/** What a user's calls have brought about so far. */
interface Known {
  readonly files: Array<string>
  readonly uploads: Array<{ readonly token: string; readonly url: string | undefined; readonly size: number }>
}

const run = async ({ memory }: World, drive: Drive, userId: string, me: UserDrive, known: Known, one: Step) => {
  const objectKey = `users/${userId}/${one.key}`
  const input = { type: "Other", fileName: `${one.key}`, fileSize: one.size, objectKey } as const
  const bytes = new Uint8Array(one.size).fill(one.key)
  const file = picked(known.files, one.choice)
  const upload = picked(known.uploads, one.choice)
  switch (one.kind) {
    case "put":
      return known.files.push((await me.files.put(bytes, { fileName: "a" })).id)
    case "putInto":
      return known.files.push((await me.files.put(bytes, { fileName: "a", folder: one.folder })).id)
    case "form": {
      const { uploadForm, uploadUrl } = await me.generateFileUrls(input)
      const body = formBody(uploadForm, bytes)
      const request = new Request(uploadUrl, { method: "POST", body })
      return memory.fetch(uploadUrl, {
        method: "POST",
        headers: request.headers,
        body: await request.arrayBuffer()
      })
    }
    case "multipart": {
      const { signedParts: [part], token } = await me.createMultipartUpload(input)
      return known.uploads.push({ token, url: part?.url, size: one.size })
    }
    case "upload": {
      // Each step waits, so others come between.
      const { signedParts: [part], token } = await me.createMultipartUpload(input)
      known.uploads.push({ token, url: part?.url, size: one.size })
      if (part !== undefined) {
        await memory.fetch(part.url, { method: "PUT", headers: new Headers(), body: bytes.buffer })
      }
      await me.completeMultipartUpload({ token })
      return known.files.push((await me.insertFile(input)).id)
    }
    case "part":
      return upload?.url === undefined ? undefined : memory.fetch(upload.url, {
        method: "PUT",
        headers: new Headers(),
        body: new Uint8Array(upload.size).buffer
      })
    case "complete":
      return upload === undefined ? undefined : me.completeMultipartUpload({ token: upload.token })
    case "abort":
      return upload === undefined ? undefined : me.abortMultipartUpload({ token: upload.token })
    case "insert":
      return known.files.push((await me.insertFile(input)).id)
    case "cancelForm":
      return me.cancelFileUrls({ objectKey })
    case "trash":
      return file === undefined ? undefined : me.trashFiles([{ id: file }])
    case "restore":
      return file === undefined ? undefined : me.restoreFiles([{ id: file }])
    case "delete":
      return file === undefined ? undefined : me.deleteFiles([{ id: file }])
    case "purge":
      return me.purgeTrashedFiles()
    case "toggle":
      return file === undefined ? undefined : me.toggleFileAccess({ id: file })
    case "move":
      return file === undefined ? undefined : me.moveFiles({ fileIds: [file], folder: one.folder })
    case "makeFolder":
      return me.createFolder({ path: one.folder })
    case "deleteFolder": {
      const { id } = await me.createFolder({ path: one.folder })
      return me.deleteFolder({ folderId: id, files: one.choice % 2 === 0 ? "trash" : "parent" })
    }
    case "limited": {
      const { id } = await me.createFolder({ path: one.folder })
      const within = drive.as(userId, { folder: id })
      return one.choice % 2 === 0
        ? known.files.push((await within.files.put(bytes, { fileName: "a" })).id)
        : within.createMultipartUpload({ ...input, objectKey: `${objectKey}/limited` })
    }
    case "jobs":
      return drive.runJobs()
  }
}

/** What an account is charged for, beside the rows that say why. */
const books = ({ query }: World, userId: string) =>
  query(({ sql, tables: t }) =>
    Effect.map(
      sql<Readonly<Record<"used" | "held" | "files" | "forms" | "uploads", number>>>`
        SELECT a.used_bytes::float8 AS used, a.held_bytes::float8 AS held,
          (SELECT coalesce(sum(size), 0)::float8 FROM ${t.files} WHERE account_id = a.id AND derivative_of IS NULL) AS files,
          (SELECT coalesce(sum(size), 0)::float8 FROM ${t.upload_forms} WHERE account_id = a.id AND state = 'open') AS forms,
          (SELECT coalesce(sum(held), 0)::float8 FROM ${t.uploads} WHERE account_id = a.id) AS uploads
        FROM ${t.accounts} a WHERE a.id = ${userId}
      `,
      ([row]) => row!
    )
  )

const checkBooks = async (at: World, userId: string, where: string) => {
  const { files, forms, held, uploads, used } = await books(at, userId)
  assert.deepStrictEqual({ used, held }, { used: files, held: forms + uploads }, where)
  assert.isAtMost(used + held, quotaBytes, where)
}

/** Every file has its object, and after the sweeps every object its file. */
const checkObjects = async (at: World, where: string) => {
  const rows = await at.query(({ sql, tables: t }) =>
    sql<{ readonly bucket: string; readonly key: string; readonly size: number }>`
      SELECT CASE WHEN is_public THEN 'public' ELSE 'private' END AS bucket, store_key AS key, size::float8 AS size
      FROM ${t.files}
    `
  )
  const objects = await Effect.runPromise(at.memory.objects)
  const line = (bucket: string, key: string, size: number) => `${bucket}/${key} ${size}`
  assert.deepStrictEqual(
    objects.map(({ bucket, key, sizeBytes }) => line(bucket, key, sizeBytes)).toSorted(),
    rows.map(({ bucket, key, size }) => line(bucket, key, size)).toSorted(),
    where
  )
}

const hour = 3_600_000

/** Everything that was left lying lapses: forms, uploads, deletions, orphans. */
const settle = async (at: World, drive: Drive) => {
  for (const hours of [2, 7, 26, 60, 8 * 24, 2, 26, 26]) {
    at.advance(hours * hour)
    await drive.runJobs()
  }
}

const storms = (
  database: typeof TestDatabase.layerMemory,
  runs: number,
  cutShort: boolean
) =>
async () => {
  const at = await world(database)
  try {
    const seed = randomInt(2 ** 31)
    const done = new Set<Step["kind"]>()
    for (
      const [n, steps] of fc.sample(fc.array(step, { minLength: 30, maxLength: 60 }), { numRuns: runs, seed }).entries()
    ) {
      const where = `seed ${seed}, run ${n}`
      let drive = at.open(cutShort ? { closeGraceMillis: n % 2 === 0 ? 0 : 20 } : {})
      const { userId } = await drive.accounts.create({ quotaBytes }) ?? assert.fail("no account")
      const me = drive.as(userId)
      const known: Known = { files: [], uploads: [] }
      const faults: Array<unknown> = []
      const waiting = [...steps]
      const worker = async () => {
        for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
          const { kind } = one
          await run(at, drive, userId, me, known, one).then(
            () => done.add(kind),
            (error) => {
              // A refusal is an outcome; a fault is not.
              if (error.code === undefined || error.code === "internal") faults.push([kind, error, error.cause])
            }
          )
        }
      }
      const workers = Promise.all(Array.from({ length: 8 }, worker))
      if (cutShort) {
        // Somewhere among them.
        while (waiting.length > steps.length / 2) await new Promise((resolve) => setTimeout(resolve, 1))
        await drive.close()
      }
      await workers
      assert.deepStrictEqual(faults, [], where)
      if (cutShort) drive = at.open()
      await checkBooks(at, userId, where)
      await settle(at, drive)
      await checkBooks(at, userId, `${where}, settled`)
      assert.strictEqual((await books(at, userId)).held, 0, where)
      await checkObjects(at, where)
      await drive.close()
    }
    // It was no storm of refusals; of one that is cut short most are.
    if (!cutShort) {
      assert.includeMembers([...done], ["put", "putInto", "form", "upload", "trash", "delete", "deleteFolder"])
    }
  } finally {
    await at.close()
  }
}

describe("a host's calls at once", () => {
  it(
    "UP-60 HOST-95 uploads, inserts, trash, deletions and folders beside each other, on the embedded database",
    storms(TestDatabase.layerMemory, 8, false),
    300_000
  )
  it("UP-60 HOST-95 the same on PostgreSQL", storms(TestDatabase.layerPostgres, 12, false), 300_000)
  it(
    "UP-60 HOST-95 the same while the drive is closed, on PostgreSQL",
    storms(TestDatabase.layerPostgres, 12, true),
    300_000
  )
  it(
    "UP-60 HOST-95 the same while the drive is closed, on the embedded database",
    storms(TestDatabase.layerMemory, 6, true),
    300_000
  )
})
