/**
 * An archive with an entry over 4 GiB, as the programs read it that people have. They take about half a minute, so it is read once in a
 * whole run: where `CI` is set, on the embedded database (no database is asked).
 */
import { assert, it } from "@effect/vitest"
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { planOf, records, type ZeroFile } from "./ZeroArchive.ts"
import { listed, missing, tools } from "./ZipTools.ts"

const absent = await missing()
const hasTime = process.env["CI"] !== undefined

/** An archive whose zeros are left to the file system. */
const writeSparse = (path: string, files: ReadonlyArray<ZeroFile>) => {
  const file = openSync(path, "w")
  ftruncateSync(file, planOf(files).totalBytes)
  for (const [offset, record] of records(files)) writeSync(file, record, 0, record.length, offset)
  closeSync(file)
}

it.skipIf(absent !== undefined || !hasTime)(
  `ZIP-7 an entry over 4 GiB is taken by all programs (takes long: only where CI is set${
    absent === undefined ? "" : `; ${absent}`
  })`,
  async () => {
    const files = [
      { name: "before.txt", sizeBytes: 10 },
      { name: "large.bin", sizeBytes: 4 * 1024 ** 3 + 123 },
      { name: "日本/after.txt", sizeBytes: 20 },
      { name: "empty", sizeBytes: 0 }
    ]
    const directory = mkdtempSync(join(tmpdir(), "filedrive-zip."))
    try {
      const path = join(directory, "large.zip")
      writeSparse(path, files)
      for (const { test } of tools) await test(path)
      assert.deepStrictEqual(await listed(path), files.map(({ name, sizeBytes }) => [name, sizeBytes]))
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  },
  300_000
)
