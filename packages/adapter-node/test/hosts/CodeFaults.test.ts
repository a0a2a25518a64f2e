/** Whatever a host's own code passes: it is told by a `DriveError`. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Drive, DriveError, type UserDrive } from "@filedrive/adapter-node"
import { Accounts, Operations } from "@filedrive/core"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { failure, first, nobody } from "./failures.ts"
import { temporaryDrive, userOf } from "./hosts.ts"

const bytes = new Uint8Array(3)

/** Every call of a drive, with what it is given. */
const calls = (drive: Drive, me: UserDrive): Readonly<Record<string, (given: never) => unknown>> => ({
  ...Object.fromEntries(Operations.ids.map((id) => [id, me[id] as (given: never) => unknown])),
  ...Object.fromEntries(Operations.publicIds.map((id) => [id, drive.public[id] as (given: never) => unknown])),
  "public options": (given) => drive.public.openFileRequest({ requestId: nobody }, given),
  "put source": (given) => me.files.put(given, { fileName: "a", fileSize: 3 }),
  "put options": (given) => me.files.put(bytes, given),
  "put fileName": (fileName) => me.files.put(bytes, { fileName }),
  "put fileSize": (fileSize) => me.files.put(bytes, { fileName: "a", fileSize }),
  "put folder": (folder) => me.files.put(bytes, { fileName: "a", folder }),
  "get id": (given) => me.files.get(given),
  "get range": (given) => me.files.get(nobody, given),
  "importMany rows": (given) => me.files.importMany(given),
  "importMany row": (given) => me.files.importMany([given]),
  "importMany options": (given) => me.files.importMany([], given),
  "reextract": (given) => me.files.reextract(given),
  "events": (given) => first(me.events(given)),
  "drive.events": (given) => first(drive.events(given)),
  "as": (given) => drive.as(given).selectCollections(),
  "as limits": (given) => drive.as(nobody, given).selectCollections(),
  "accounts.create": (given) => drive.accounts.create(given),
  "accounts.find": (given) => drive.accounts.find(given),
  "accounts.findByHandle": (given) => drive.accounts.findByHandle(given),
  "accounts.setPlan": (given) => drive.accounts.setPlan(nobody, given),
  "accounts.setQuota": (given) => drive.accounts.setQuota(nobody, given),
  "accounts.suspend": (given) => drive.accounts.suspend(given),
  "tokens.create": (given) => drive.tokens.create(nobody, given),
  "tokens.register": (given) => drive.tokens.register(nobody, "x".repeat(40), given),
  "tokens.configure": (given) => drive.tokens.configure(given),
  "tokens.revoke": (given) => drive.tokens.revoke(nobody, given),
  "sessions.open": (given) => drive.sessions.open(nobody, given),
  "sessions.endAll": (given) => drive.sessions.endAll(given)
})

const cycle: Record<string, unknown> = { text: "a" }
for (const name of ["a", "b", "c", "d", "e", "fileIds", "folder"]) cycle[name] = cycle
const endless: Array<unknown> = []
endless.push(endless, endless)
const throwing = {
  get: () => {
    throw new RangeError("the host's getter")
  }
}
const names = [
  "text",
  "id",
  "fileId",
  "fileIds",
  "fileName",
  "title",
  "folder",
  "start",
  "permissions",
  "handle",
  "after"
]

/** Values that no JSON text can have, or whose reading throws. */
const strange: ReadonlyArray<unknown> = [
  null,
  7n,
  Symbol("s"),
  () => 7,
  NaN,
  -0,
  "\u0000",
  cycle,
  endless,
  new Date(NaN),
  new Map([["text", "a"]]),
  new Proxy({}, { ownKeys: throwing.get, get: throwing.get }),
  Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { ...throwing, enumerable: true }]))),
  new (class {
    get text(): string {
      return throwing.get()
    }
  })(),
  Object.create(null),
  Object.fromEntries(names.map((name) => [name, 7n])),
  Object.fromEntries(names.map((name) => [name, Symbol("s")])),
  Object.fromEntries(names.map((name) => [name, cycle])),
  Object.fromEntries(names.map((name) => [name, null])),
  [cycle],
  [7n],
  [{ id: Symbol("s") }],
  [undefined],
  { [Symbol.asyncIterator]: 7 },
  { [Symbol.iterator]: 7 }
]

const isDriveError = (error: unknown): boolean =>
  error === undefined || (error instanceof DriveError && typeof error.code === "string" && error.status >= 400)

describe("a drive in code, whatever it is given", () => {
  let host: Awaited<ReturnType<typeof temporaryDrive>>
  let me: UserDrive
  let directory: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "filedrive-faults-"))
    host = await temporaryDrive({ url: "http://drive.test" })
    me = host.drive.as((await userOf(host.drive)()).userId)
    await me.files.put(bytes, { fileName: "a" })
  })
  afterAll(() => Promise.all([host.close(), rm(directory, { recursive: true, force: true })]))

  it(
    "HOST-94 values that JSON doesn't have, and getters that throw, are refused by a DriveError in every call",
    async () => {
      for (const [name, call] of Object.entries(calls(host.drive, me))) {
        for (const [at, given] of strange.entries()) {
          const error = await failure(() => call(given as never))
          assert.isTrue(isDriveError(error), `${name} with the ${at}. value: ${String(error)}`)
          // It is the caller's fault, and no fault of the drive.
          if (error instanceof DriveError) {
            assert.notStrictEqual(
              error.code,
              "internal",
              `${name} with the ${at}. value`
            )
          }
        }
      }
    },
    120_000
  )

  it("HOST-94 any value at all is taken, or refused by a DriveError", async () => {
    const all = Object.values(calls(host.drive, me))
    const anything = fc.anything({
      key: fc.constantFrom(...names, "x"),
      maxDepth: 3,
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true
    })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), anything, async (call, given) => {
        const error = await failure(() => call(given as never))
        assert.isTrue(isDriveError(error), String(error))
        if (error instanceof DriveError) assert.notStrictEqual(error.code, "internal", String(error))
      }),
      { numRuns: 1_000 }
    )
  }, 120_000)

  it("HOST-94 the field is named: of a path that can't be read, a range that is null, a getter that throws", async () => {
    const named: ReadonlyArray<readonly [() => Promise<unknown>, string, RegExp]> = [
      [() => me.files.put(join(directory, "none")), "source", /ENOENT/],
      [() => me.files.put(join(directory, "a\0b")), "source", /must be the path of a readable file/],
      [() => me.files.put(""), "source", /ENOENT/],
      [() => me.files.put(directory), "source", /it is no file/],
      [() => me.files.put(new URL("https://drive.test/a")), "source", /must be the path of a readable file/],
      [() => me.files.put(new URL("file:///%00")), "source", /must be the path of a readable file/],
      [() => me.files.get(nobody, null as never), "range", /must be an object/],
      [() => me.files.get(nobody, { start: 0 } as never), "range.end", /is missing/],
      [() => me.files.get(nobody, { start: 0, end: 1, last: 2 } as never), "range.last", /is not a known field/],
      [
        () =>
          me.files.put(bytes, {
            get fileName() {
              return throwing.get()
            }
          }),
        "fileName",
        /the host's getter/
      ],
      [
        () => me.files.put(bytes, { fileName: "a", size: 3 } as never),
        "size",
        /is not a known field; the known ones are fileName, fileSize, mimeType, folder, folderId\.$/
      ],
      [
        () => me.files.importMany([], { verfy: true } as never),
        "verfy",
        /is not a known field; the known ones are verify, extract, onProgress\.$/
      ],
      [() => me.searchFiles({}, { signl: null } as never), "signl", /; the known ones are signal, retries\.$/],
      [
        () =>
          me.searchFiles({
            get text() {
              return throwing.get()
            }
          }),
        "text",
        /the host's getter/
      ],
      [() => me.searchFiles({ text: 7n as never }), "text", /must be text/],
      [() => me.tagFiles({ fileIds: [nobody], tags: [Symbol("s") as never] }), "tags[0]", /must be text/]
    ]
    for (const [act, field, says] of named) {
      const error = await failure(act)
      assert.instanceOf(error, DriveError, field)
      assert.include(["missing_field", "invalid_field", "unknown_field"], error.code, field)
      assert.strictEqual(error.field, field)
      assert.match(error.message, says)
    }
    const locked = new Blob([bytes]).stream()
    locked.getReader()
    assert.deepInclude(await failure(() => me.files.put(locked, { fileName: "a", fileSize: 3 })), {
      code: "invalid_field",
      field: "source"
    })
  })

  it("HOST-94 HOST-91 what the host's own rows, streams and callbacks throw is thrown as it is", async () => {
    const own = new RangeError("the host's own")
    const fails = () => {
      throw own
    }
    const rows = { [Symbol.iterator]: fails }
    const row = { objectKey: "x", storedAs: "a", fileName: "a", type: "Other", fileSize: 1, etag: "e" } as const
    for (
      const act of [
        () => me.files.importMany(rows),
        () => me.files.importMany({ [Symbol.asyncIterator]: fails }),
        () =>
          me.files.importMany((function*() {
            yield* [row]
            fails()
          })()),
        () => me.files.put({ [Symbol.asyncIterator]: fails }, { fileName: "a", fileSize: 3 })
      ]
    ) assert.strictEqual(await failure(act), own)
  })

  it("HOST-94 a fault of the drive is `internal`, with a reference that the log has", async () => {
    const told: Array<unknown> = []
    const broken = Accounts.Accounts.of({ find: () => Effect.die(new Error("the users are broken")) })
    const { close, drive } = await temporaryDrive({
      accounts: Layer.succeed(Accounts.Accounts, broken),
      log: ({ details }) => void told.push(details["reference"])
    })
    const error = await failure(() => drive.sessions.open(nobody))
    assert.instanceOf(error, DriveError)
    assert.deepInclude(error, { code: "internal", status: 500, retryable: true })
    assert.include(told, error.reference)
    assert.include(String((error.cause as Error).message), "the users are broken")
    await close()
  })
})
