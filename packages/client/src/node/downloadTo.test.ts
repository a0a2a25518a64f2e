/** Downloads to a path from storage that answers in unusual ways. */
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { content } from "../../test/servedDrive.ts"
import { createClient } from "../createClient.ts"
import { DriveError } from "../DriveError.ts"

const mebibyte = 1024 ** 2

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "filedrive-client-"))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** A drive with files by their ids; `extra` is what storage sends behind a range, by its number of the request. */
const clientOf = (files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>, extra = (_nth: number) => 0) => {
  let nth = 0
  return createClient({
    url: "https://drive.example",
    session: async () => "one",
    retries: 0,
    fetch: async (url, init) => {
      if (!url.startsWith("https://storage.example/")) {
        const { id } = JSON.parse(String(init?.body)) as { readonly id: string }
        return Response.json({ downloadUrl: `https://storage.example/${id}`, fileSize: files[id]!.byteLength })
      }
      const id = url.split("/").at(-1)!
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init!.headers).get("range")!)!
      const ifRange = new Headers(init!.headers).get("if-range")
      if (ifRange !== null && ifRange !== `"${id}"`) return new Response(files[id]!, { status: 200 })
      const more = new Uint8Array(extra(++nth)).fill(255)
      return new Response(new Blob([files[id]!.subarray(Number(start), Number(end) + 1), more]), {
        status: 206,
        headers: { etag: `"${id}"` }
      })
    }
  })
}

const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error as DriveError)

describe("a download to a path", () => {
  it.each([0, -1, Number.NaN])(
    "CLIENT-190 of %s ranges at once is refused, naming it, and leaves nothing",
    async (parallel) => {
      const path = join(directory, `parallel ${parallel}`)
      const failed = await failureOf(clientOf({ one: content(20 * mebibyte) }).downloadTo("one", path, { parallel }))
      assert.instanceOf(failed, DriveError)
      assert.deepInclude(failed, { code: "invalid_option", field: "parallel" })
      assert.isUndefined(await stat(path).catch(() => undefined))
    }
  )

  it.each([
    [-1, 0],
    [1.5, 0],
    [1e300, 0],
    ["7", 0],
    // Half a billion ranges are not listed before the first one fails.
    [2 ** 53 - 1, 410]
  ])("CLIENT-222 of the size %s fails", async (fileSize, status) => {
    const client = createClient({
      url: "https://drive.example",
      session: async () => "one",
      retries: 0,
      fetch: async (url) =>
        url.startsWith("https://storage.example/")
          ? new Response(null, { status: 410 })
          : Response.json({ downloadUrl: "https://storage.example/a", fileSize })
    })
    assert.deepInclude(await failureOf(client.downloadTo("one", join(directory, `size ${fileSize}`))), {
      code: "unexpected_answer",
      status
    })
  })

  it("CLIENT-214 opens nothing when there is no link to it", async () => {
    const path = join(directory, "no link")
    let asked = 0
    const client = createClient({
      url: "https://drive.example",
      session: async () => "one",
      retries: 0,
      fetch: async () =>
        ++asked === 1
          ? Response.json({ downloadUrl: "https://storage.example/1", fileSize: 5 })
          : Response.json({ error: "No.", code: "not_found", retryable: false }, { status: 404 })
    })
    assert.deepInclude(await failureOf(client.downloadTo("1", path)), { code: "not_found" })
    assert.strictEqual(asked, 2)
    assert.isUndefined(await stat(`${path}.part`).catch(() => undefined))
  })

  it("CLIENT-214 leaves no answer unread that is of another file", async () => {
    let isCancelled = false
    let nth = 0
    const client = createClient({
      url: "https://drive.example",
      session: async () => "one",
      fetch: async (url) => {
        const size = 20 * mebibyte
        if (!url.startsWith("https://storage.example/")) {
          return Response.json({ downloadUrl: "https://storage.example/1", fileSize: size })
        }
        if (++nth === 1) {
          return new Response(content(16 * mebibyte), { status: 206, headers: { etag: "one" } })
        }
        const unread = new ReadableStream({ cancel: () => void (isCancelled = true) })
        return new Response(unread, { status: 206, headers: { etag: "two" } })
      }
    })
    assert.deepInclude(await failureOf(client.downloadTo("1", join(directory, "other"))), { code: "source_changed" })
    assert.isTrue(isCancelled)
  })

  it("CLIENT-191 is not overwritten by a range that is longer than what was asked for", async () => {
    const path = join(directory, "longer")
    const bytes = content(40 * mebibyte)
    // Ranges of 16 MiB: the last one is there already when the second one sends too much, and is asked for again.
    const client = clientOf({ one: bytes }, (nth) => nth === 2 ? 20 * mebibyte : 0)
    await client.downloadTo("one", path, { parallel: 2 })
    assert.isTrue(Buffer.from(bytes).equals(await readFile(path)))
  })

  it("CLIENT-192 is of the file that is asked for, also when all of another one of its size is there already", async () => {
    const path = join(directory, "taken")
    const [one, two] = [content(5_000, 1), content(5_000, 2)]
    const client = clientOf({ one, two })
    // It can't take the place of a directory.
    await mkdir(path)
    assert.isDefined(await failureOf(client.downloadTo("one", path)))
    await rm(path, { recursive: true })
    const failed = await failureOf(client.downloadTo("two", path))
    if (failed !== undefined) {
      assert.deepInclude(failed, { code: "source_changed", retryable: true })
      await client.downloadTo("two", path)
    }
    assert.isTrue(Buffer.from(two).equals(await readFile(path)))
  })
})
