/** Paths that are no files, or that can't be read. */
import { execFileSync } from "node:child_process"
import { type FileHandle, mkdtemp, open, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { createClient } from "../createClient.ts"
import { DriveError } from "../DriveError.ts"
import type { Streamed } from "../Platform.ts"
import { openPath, walkPath } from "./paths.ts"

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "filedrive-client-"))
})
afterAll(() => rm(directory, { recursive: true, force: true }))
afterEach(() => void vi.restoreAllMocks())

const failureOf = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(() => undefined, (error: unknown) => error as DriveError)

const ioError = () => Object.assign(new Error("EIO: i/o error"), { code: "EIO", syscall: "read" })

describe.skipIf(process.platform === "win32")("a path", () => {
  it("CLIENT-197 of a pipe that nobody writes to is refused, and the next ones are opened", async () => {
    const pipe = join(directory, "pipe")
    execFileSync("mkfifo", [pipe])
    const file = join(directory, "file")
    await writeFile(file, "bytes")
    // Node opens four files at once: so many that wait would stop all others.
    const refused = await Promise.allSettled(Array.from({ length: 8 }, () => openPath(pipe)))
    for (const each of refused) {
      assert.deepInclude((each as PromiseRejectedResult).reason, {
        code: "source_unreadable",
        message: `${pipe} is not a file.`
      })
    }
    const source = await openPath(file)
    assert.strictEqual(source.size, 5)
    await source.close!()
    const walked: Array<unknown> = []
    for await (const { source } of walkPath(directory)) walked.push(source)
    assert.deepStrictEqual(walked, [file])
  })

  it("CLIENT-197 of a device is refused", async () => {
    const failed = await openPath("/dev/zero").catch((error: unknown) => error)
    assert.deepInclude(failed, { code: "source_unreadable", message: "/dev/zero is not a file." })
  })
})

const readAll = async (piece: Streamed): Promise<void> => {
  for await (const chunk of piece.read()) assert.isDefined(chunk)
}

describe("a path whose disk fails", () => {
  /** The methods of all open files. */
  const handles = async (): Promise<FileHandle> => {
    const handle = await open(import.meta.filename)
    await handle.close()
    return Object.getPrototypeOf(handle)
  }

  it("CLIENT-229 can't be read: neither what tells it from others, nor its bytes, nor whether it has changed", async () => {
    const path = join(directory, "broken")
    await writeFile(path, "bytes")
    const source = await openPath(path)
    try {
      const methods = await handles()
      vi.spyOn(methods, "read").mockRejectedValue(ioError())
      vi.spyOn(methods, "stat").mockRejectedValue(ioError())
      const piece = await source.slice(0, 5) as Streamed
      for (const reading of [source.print(), readAll(piece), source.check!()]) {
        const failed = await failureOf(reading)
        assert.instanceOf(failed, DriveError)
        assert.deepInclude(failed, {
          code: "source_unreadable",
          message: `${path} can't be read: EIO: i/o error`,
          retryable: false
        })
      }
    } finally {
      await source.close!()
    }
  })

  it("CLIENT-229 can't be opened, and is closed", async () => {
    const stat = vi.spyOn(await handles(), "stat").mockRejectedValue(ioError())
    assert.deepInclude(await failureOf(openPath(import.meta.filename)), { code: "source_unreadable" })
    // As of a file that is closed.
    assert.deepStrictEqual(stat.mock.contexts.map((handle) => (handle as FileHandle).fd), [-1])
  })
})

describe("what is no path of this machine", () => {
  const client = createClient({
    url: "https://drive.example",
    session: async () => "one",
    fetch: () => Promise.reject(new Error("Nothing is asked."))
  })

  it.each([new URL("http://x/a"), "file://host/x", "file:a%2fb", ["a", "b"].join("\0")])(
    "CLIENT-229 is refused, naming the option: %j",
    async (given) => {
      const failed = await failureOf(client.upload(given))
      assert.instanceOf(failed, DriveError)
      assert.deepInclude(failed, { code: "invalid_option", field: "source", retryable: false })
      assert.match(failed!.message, /^source must be a path or a file: URL \(.*\)\.$/)
    }
  )
})
