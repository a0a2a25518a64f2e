/** The unfinished files of downloads: on disks that take little at once, and where others write. */
import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { fakeStorage } from "../../test/fakeStorage.ts"
import { content } from "../../test/servedDrive.ts"
import { DriveError } from "../DriveError.ts"

const mebibyte = 1024 ** 2

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "filedrive-client-"))
})
afterAll(() => rm(directory, { recursive: true, force: true }))
afterEach(() => void vi.restoreAllMocks())

const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error as DriveError)

const gone = (path: string) => stat(path).then(() => false, () => true)

describe("an unfinished download", () => {
  it("CLIENT-224 has all of it where the disk takes less at once than it is given", async () => {
    const handle = await open(import.meta.filename)
    await handle.close()
    const methods = Object.getPrototypeOf(handle) as FileHandle
    const write = methods.write as (...given: [Uint8Array, number, number, number]) => ReturnType<FileHandle["write"]>
    vi.spyOn(methods, "write").mockImplementation(
      function(this: FileHandle, bytes: Uint8Array, at: number, length: number, position: number) {
        return write.call(this, bytes, at, Math.min(length, 1_000), position)
      } as never
    )
    const path = join(directory, "little by little")
    const bytes = content(200_000)
    const told: Array<number> = []
    await fakeStorage({ one: bytes }).downloadTo("one", path, { onProgress: ({ sentBytes }) => told.push(sentBytes) })
    assert.isTrue(Buffer.from(bytes).equals(await readFile(path)))
    assert.strictEqual(told.at(-1), bytes.byteLength)
  })

  it.each<readonly [string, (part: string) => Promise<unknown>]>([
    ["is cut off", (part) => truncate(part, 100)],
    [
      "has notes of another kind",
      (part) => writeFile(`${part}.json`, JSON.stringify({ size: 40 * mebibyte, etag: "\"one\"", ranges: 5 }))
    ],
    ["has a link in the place of its next notes", (part) => symlink(join(directory, "precious"), `${part}.json.new`)]
  ])("CLIENT-225 that %s is begun anew, or goes on, and harms nothing", async (_, harm) => {
    const path = await mkdtemp(join(directory, "harmed-")) + "/file"
    const bytes = content(40 * mebibyte)
    await writeFile(join(directory, "precious"), "precious")
    const ending = new AbortController()
    const stopped = fakeStorage({ one: bytes }, (nth) => {
      if (nth < 3) return 0
      ending.abort()
      // More than was asked for: the range fails.
      return 1
    }).downloadTo("one", path, { parallel: 1, signal: ending.signal })
    await failureOf(stopped)
    await harm(`${path}.part`)
    await fakeStorage({ one: bytes }).downloadTo("one", path)
    assert.isTrue(Buffer.from(bytes).equals(await readFile(path)))
    assert.strictEqual(await readFile(join(directory, "precious"), "utf8"), "precious")
    assert.deepStrictEqual(await readdir(join(path, "..")), ["file"])
  })

  it("CLIENT-225 is refused while another one to its path is under way, and possible again after that", async () => {
    const path = join(directory, "twice")
    const [one, two] = [content(5_000, 1), content(5_000, 2)]
    let isAsked = () => {}
    let goOn: (more: number) => void = () => {}
    const asked = new Promise<void>((resolve) => isAsked = resolve)
    const gate = new Promise<number>((resolve) => goOn = resolve)
    const client = fakeStorage({ one, two }, (nth) => {
      isAsked()
      return nth === 1 ? gate : 0
    })
    const first = client.downloadTo("one", path)
    await asked
    for (const given of [path, relative(process.cwd(), path), pathToFileURL(path)]) {
      const failed = await failureOf(client.downloadTo("two", given))
      assert.instanceOf(failed, DriveError)
      assert.deepInclude(failed, { code: "invalid_option", field: "path", retryable: false })
    }
    goOn(0)
    await first
    assert.isTrue(Buffer.from(one).equals(await readFile(path)))
    await client.downloadTo("two", path)
    assert.isTrue(Buffer.from(two).equals(await readFile(path)))
  })

  it("CLIENT-225 fails where another program has put its own file in place of the unfinished one, and leaves that alone", async () => {
    const path = join(directory, "replaced")
    const other = content(5_000, 2)
    const client = fakeStorage({ one: content(5_000, 1) }, async () => {
      await rm(`${path}.part`)
      await writeFile(`${path}.part`, other)
      await writeFile(`${path}.part.json`, "theirs")
      return 0
    })
    const failed = await failureOf(client.downloadTo("one", path))
    assert.instanceOf(failed, DriveError)
    assert.deepInclude(failed, { code: "source_changed", retryable: true })
    assert.isTrue(await gone(path))
    assert.isTrue(Buffer.from(other).equals(await readFile(`${path}.part`)))
    assert.strictEqual(await readFile(`${path}.part.json`, "utf8"), "theirs")
  })

  it("CLIENT-225 of two programs to one path has one of their files whole", async () => {
    // As another program has it.
    vi.resetModules()
    const { createClient: createOther } = await import("../createClient.ts")
    const path = join(directory, "both")
    const [one, two] = [content(40 * mebibyte, 1), content(40 * mebibyte, 2)]
    let isAsked = () => {}
    let goOn: (more: number) => void = () => {}
    const asked = new Promise<void>((resolve) => isAsked = resolve)
    const gate = new Promise<number>((resolve) => goOn = resolve)
    const client = fakeStorage({ one }, (nth) => {
      if (nth < 2) return 0
      isAsked()
      return gate
    })
    const first = failureOf(client.downloadTo("one", path, { parallel: 1 }))
    await asked
    // What is there is of another file: it begins anew the next time.
    const others = fakeStorage({ two }, () => 0, () => undefined, createOther)
    assert.deepInclude(await failureOf(others.downloadTo("two", path)), { code: "source_changed" })
    await others.downloadTo("two", path)
    goOn(0)
    assert.deepInclude(await first, { code: "source_changed", retryable: true })
    assert.isTrue(Buffer.from(two).equals(await readFile(path)))
    assert.deepStrictEqual((await readdir(directory)).filter((name) => name.startsWith("both")), ["both"])
  })

  it("CLIENT-225 takes nothing for its own of an unfinished file that its notes are not about", async () => {
    const path = join(directory, "not about it")
    const bytes = content(40 * mebibyte)
    const ending = new AbortController()
    const client = fakeStorage({ one: bytes }, (nth) => {
      if (nth === 2) ending.abort(new Error("crash"))
      return 0
    })
    const options = { signal: ending.signal, parallel: 1 }
    assert.deepInclude(await failureOf(client.downloadTo("one", path, options)), { message: "crash" })
    // Made before the other one goes, it has another inode.
    await writeFile(`${path}.other`, content(40 * mebibyte, 2))
    await rename(`${path}.other`, `${path}.part`)
    await client.downloadTo("one", path)
    assert.isTrue(Buffer.from(bytes).equals(await readFile(path)))
  })
})
