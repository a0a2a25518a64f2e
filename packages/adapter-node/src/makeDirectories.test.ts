import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeDirectories } from "./makeDirectories.ts"

const codeOf = (path: string) => makeDirectories(path).then(() => "made", ({ code }: NodeJS.ErrnoException) => code)

describe("directories", () => {
  it("HOST-78 are made with those above them, as their owner's alone, and are left as they are", async () => {
    const root = await mkdtemp(join(tmpdir(), "filedrive-directories-"))
    try {
      const path = join(root, "a/b/c")
      assert.strictEqual(await codeOf(path), "made")
      assert.strictEqual(await codeOf(path), "made")
      assert.strictEqual((await stat(join(root, "a"))).mode & 0o777, 0o700)
      await writeFile(join(root, "file"), "")
      assert.strictEqual(await codeOf(join(root, "file")), "EEXIST")
      assert.strictEqual(await codeOf(join(root, "file/a/b")), "ENOTDIR")
      assert.strictEqual(await codeOf("/"), "made")
    } finally {
      await rm(root, { recursive: true })
    }
  })

  it.skipIf(!existsSync("/proc/self"))(
    "HOST-78 can't be made in /proc, and nobody tries for ever (needs Linux: /proc)",
    async () => {
      assert.strictEqual(await codeOf("/proc/x"), "ENOENT")
      assert.strictEqual(await codeOf("/proc/x/y"), "ENOENT")
    }
  )
})
