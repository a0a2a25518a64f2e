/** Streams and rows of a host's own that a call takes and then refuses: nothing of them stays open. */
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import type { FileSource, PutOptions, UserDrive, UserFiles } from "@filedrive/adapter-node"
import { readdirSync, readlinkSync } from "node:fs"
import { Readable } from "node:stream"
import { temporaryDrive, userOf } from "./hosts.ts"

const failure = (act: Promise<unknown>): Promise<{ readonly code?: string }> =>
  act.then(() => assert.fail("it was not refused"), (error) => error)

/** Sources of a megabyte, with whether each was ended before it was read to its end. */
const sources: Readonly<Record<string, () => readonly [FileSource, ended: () => Promise<boolean>]>> = {
  "a web stream": () => {
    let isCancelled = false
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
      cancel: () => void (isCancelled = true)
    })
    return [stream, async () => isCancelled]
  },
  "a Node stream": () => {
    const stream = new Readable({ read: () => void stream.push(Buffer.alloc(1_000)) })
    return [stream, async () => stream.destroyed]
  },
  "a generator": () => {
    const pieces = async function*() {
      for (let n = 0; n < 1_000; n++) yield new Uint8Array(1_000)
    }
    const generator = pieces()
    return [generator, async () => (await generator.next()).done === true]
  }
}

describe("what a refused call has taken", () => {
  let host: Awaited<ReturnType<typeof temporaryDrive>>
  let me: UserDrive
  let reader: UserDrive
  beforeAll(async () => {
    host = await temporaryDrive({ url: "http://drive.test", quotaBytes: 2_500_000 })
    const { userId } = await userOf(host.drive)()
    me = host.drive.as(userId)
    reader = host.drive.as(userId, { permissions: ["read"] })
  })
  afterAll(() => host.close())

  const refusals: Readonly<Record<string, readonly [() => UserFiles, PutOptions, code: string]>> = {
    "the quota": [() => me.files, { fileName: "a", fileSize: 3_000_000 }, "storage_limit_reached"],
    "its limits": [() => reader.files, { fileName: "a", fileSize: 1_000 }, "token_limit"],
    "a missing name": [() => me.files, { fileSize: 1_000 }, "invalid_field"],
    "a wrong option": [() => me.files, { fileName: "a", fileSize: 1_000, folderId: "7" }, "invalid_field"],
    "its length": [() => me.files, { fileName: "a", fileSize: 1_500 }, "size_mismatch"]
  }
  for (const [name, make] of Object.entries(sources)) {
    for (const [why, [files, options, code]] of Object.entries(refusals)) {
      it(`HOST-164 ${name} is ended when the call is refused by ${why}`, async () => {
        const [source, ended] = make()
        assert.strictEqual((await failure(files().put(source, options))).code, code)
        assert.isTrue(await ended())
      })
    }
  }

  it("HOST-164 rows of an import that is refused are ended", async () => {
    const rows = async function*() {
      yield { objectKey: "never read" } as never
    }
    const given = rows()
    assert.strictEqual((await failure(reader.files.importMany(given))).code, "token_limit")
    assert.isTrue((await given.next()).done)
  })

  it("HOST-164 a stream that somebody else reads is left to them", async () => {
    const [source, ended] = sources["a web stream"]!()
    const other = (source as ReadableStream<Uint8Array>).getReader()
    assert.strictEqual((await failure(me.files.put(source, { fileName: "a", fileSize: 10 }))).code, "invalid_field")
    assert.isFalse(await ended())
    assert.strictEqual((await other.read()).value?.length, 1_000)
  })

  it.skipIf(process.platform !== "linux")(
    "HOST-166 a file that is got and never read is not open (needs Linux: /proc)",
    async () => {
      const open = () =>
        readdirSync("/proc/self/fd").flatMap((fd) => {
          try {
            return [readlinkSync(`/proc/self/fd/${fd}`)]
          } catch {
            // It was that of the listing itself.
            return []
          }
        }).filter((path) => /storage\/o\//.test(path))
      const { id } = await me.files.put(new Uint8Array(2_000_000), { fileName: "a" })
      const unread = await Promise.all(Array.from({ length: 10 }, () => me.files.get(id)))
      assert.strictEqual((await new Response((await me.files.get(id)).stream).arrayBuffer()).byteLength, 2_000_000)
      await vi.waitFor(() => assert.deepStrictEqual(open(), []))
      // They can still be read, and be left in the middle.
      const [first, second] = unread
      assert.strictEqual((await new Response(first!.stream).arrayBuffer()).byteLength, 2_000_000)
      await second!.stream.cancel()
      const reader = unread[2]!.stream.getReader()
      await reader.read()
      await reader.cancel()
      await vi.waitFor(() => assert.deepStrictEqual(open(), []))
    }
  )
})
