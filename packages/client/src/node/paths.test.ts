/** Paths that are no files. */
import { execFileSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openPath, walkPath } from "./paths.ts"

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "filedrive-client-"))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

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
