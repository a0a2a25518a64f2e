import { assert, describe, it } from "@effect/vitest"
import { writeSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { unpack } from "./PreparedDatabase.ts"

describe("a prepared database that is unpacked", () => {
  it("STO-130 is whole also where the disk takes fewer bytes of a write than it was given", async () => {
    const root = await mkdtemp(join(tmpdir(), "filedrive-unpack-"))
    try {
      const bytes = Buffer.from(Array.from({ length: 10_000 }, (_, at) => at % 251))
      const files = [
        { path: "a", offset: 0, length: 7_000, size: 7_000 },
        { path: "base/b", offset: 5_000, length: 5_000, size: 20_000 },
        { path: "empty", offset: 0, length: 0, size: 0 }
      ]
      const prepared = { pglite: "0", directories: ["base"], files, bytes }
      await unpack(
        prepared,
        join(root, "new"),
        (descriptor, from, offset, length) => writeSync(descriptor, from, offset, Math.ceil(length / 3))
      )
      for (const { length, offset, path, size } of files) {
        const expected = Buffer.concat([bytes.subarray(offset, offset + length), Buffer.alloc(size - length)])
        assert.isTrue(expected.equals(await readFile(join(root, "new", path))), path)
      }
    } finally {
      await rm(root, { recursive: true })
    }
  })
})
