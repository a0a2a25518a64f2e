/** Bytes that a host's own code stores and reads, without a link to itself. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { DriveError, FileSource, UserDrive } from "@filedrive/adapter-node"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { temporaryDrive, userOf } from "./hosts.ts"

const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251)

const pieces = async function*(all: Uint8Array, size = 1_000) {
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
}

const refusal = async (act: Promise<unknown>): Promise<Partial<DriveError>> =>
  act.then(() => ({ message: "was taken" }), (error) => error)

describe("files of a host's own code", () => {
  let host: Awaited<ReturnType<typeof temporaryDrive>>
  let me: UserDrive
  let userId: string
  let directory: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "filedrive-put-"))
    host = await temporaryDrive({ url: "http://drive.test", quotaBytes: 2_000_000 })
    userId = (await userOf(host.drive)()).userId
    me = host.drive.as(userId)
  })
  afterAll(() => Promise.all([host.close(), rm(directory, { recursive: true, force: true })]))

  const read = async (id: string, range?: { readonly start: number; readonly end: number }) =>
    new Uint8Array(await new Response((await me.files.get(id, range)).stream).arrayBuffer())
  const usage = () => me.getUserStorageUsage()

  it("HOST-90 a path, bytes, a blob and streams become files whose every byte is read back, whole and in ranges", async () => {
    const path = join(directory, "a b.bin")
    await writeFile(path, bytes)
    const sources: ReadonlyArray<readonly [FileSource, string | undefined, number | undefined]> = [
      [path, undefined, undefined],
      [pathToFileURL(path), undefined, undefined],
      [bytes, "a.bin", undefined],
      [new File([bytes], "f.bin"), undefined, undefined],
      [new Blob([bytes]).stream(), "s.bin", bytes.length],
      [pieces(bytes), "i.bin", bytes.length]
    ]
    const names: Array<string> = []
    for (const [source, fileName, fileSize] of sources) {
      const { id } = await me.files.put(source, {
        ...fileName !== undefined && { fileName },
        ...fileSize !== undefined && { fileSize }
      })
      assert.deepStrictEqual(await read(id), bytes)
      assert.deepStrictEqual(await read(id, { start: 1_000, end: 1_009 }), bytes.subarray(1_000, 1_010))
      const record = await me.generateDownloadUrl({ id })
      assert.deepInclude(await me.files.get(id), { fileName: record.fileName, fileSize: bytes.length })
      names.push(record.fileName)
      await me.deleteFiles([{ id }])
    }
    assert.deepStrictEqual(names, ["a b.bin", "a b.bin", "a.bin", "f.bin", "s.bin", "i.bin"])
    assert.deepInclude(await usage(), { usedBytes: 0, pendingBytes: 0 })
  })

  it("HOST-90 an empty file is one too, and a folder is made where the file goes", async () => {
    const { id } = await me.files.put(new Uint8Array(0), { fileName: "empty.txt", folder: "/A/B" })
    assert.strictEqual((await me.generateDownloadUrl({ id })).folder?.path, "/A/B")
    assert.lengthOf(await read(id), 0)
    const within = host.drive.as(userId, { folder: (await me.createFolder({ path: "/A" })).id, permissions: ["add"] })
    const inside = await within.files.put(bytes, { fileName: "in.bin" })
    assert.strictEqual((await me.generateDownloadUrl(inside)).folder?.path, "/A")
    assert.deepInclude(await refusal(within.files.put(bytes, { fileName: "out.bin", folder: "/Elsewhere" })), {
      code: "token_limit",
      status: 403
    })
    await me.deleteFiles([{ id }, inside])
  })

  it("HOST-91 what is not as it was said, or fails on the way, leaves no file and holds no bytes", async () => {
    const broken = async function*() {
      yield bytes
      throw new RangeError("the host's own")
    }
    const wrong: ReadonlyArray<readonly [() => Promise<unknown>, Partial<DriveError>]> = [
      [() => me.files.put(pieces(bytes), { fileName: "a", fileSize: bytes.length + 1 }), {
        code: "size_mismatch",
        field: "fileSize"
      }],
      [() => me.files.put(pieces(bytes), { fileName: "a", fileSize: bytes.length - 1 }), {
        code: "size_mismatch",
        field: "fileSize"
      }],
      [() => me.files.put(pieces(bytes), { fileName: "a", fileSize: 0 }), { code: "size_mismatch", field: "fileSize" }],
      [() => me.files.put(pieces(bytes), { fileName: "a" }), { code: "invalid_field", field: "fileSize" }],
      [() => me.files.put(bytes), { code: "invalid_field", field: "fileName" }],
      [() => me.files.put(bytes, { fileName: "a\u0000" }), { code: "invalid_field", field: "fileName" }],
      [() => me.files.put(bytes, { fileName: "a", folder: "/a", folderId: null }), {
        code: "invalid_field",
        field: "folderId"
      }],
      [() => me.files.put(bytes, { fileName: "a", folderId: "7" }), { code: "invalid_field", field: "folderId" }],
      [() => me.files.put(7 as never, { fileName: "a" }), { code: "invalid_field", field: "source" }],
      [() => me.files.put(directory), { code: "invalid_field", field: "source" }],
      [() => me.files.put(new Uint8Array(3_000_000), { fileName: "a" }), { code: "storage_limit_reached" }],
      [() => host.drive.as(userId, { permissions: ["read"] }).files.put(bytes, { fileName: "a" }), {
        code: "token_limit"
      }],
      [() => me.files.get("7"), { code: "invalid_field", field: "id" }],
      [() => me.files.get("019845e1-682f-7b02-a706-3b2422d13aec"), { code: "file_not_found" }]
    ]
    for (const [act, expected] of wrong) assert.deepInclude(await refusal(act()), expected)
    assert.instanceOf(await refusal(me.files.put(broken(), { fileName: "a", fileSize: 600_000 })), RangeError)
    const gone = (await me.createFolder({ path: "/Gone" })).id
    await me.deleteFolder({ folderId: gone, files: "trash" })
    const within = host.drive.as(userId, { folder: gone }).files
    assert.deepInclude(await refusal(within.put(bytes, { fileName: "a" })), { status: 404 })
    assert.deepInclude(await usage(), { usedBytes: 0, pendingBytes: 0 })

    const { id } = await me.files.put(bytes, { fileName: "a" })
    for (
      const range of [{ start: -1, end: 5 }, { start: 5, end: 4 }, { start: 0, end: bytes.length }, {
        start: 0.5,
        end: 1
      }]
    ) {
      assert.deepInclude(await refusal(me.files.get(id, range)), { code: "invalid_field", field: "range" })
    }
  })
})
