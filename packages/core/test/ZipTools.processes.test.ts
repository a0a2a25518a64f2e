/** Archives as the programs read them that people have. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { crc32 } from "../src/archives/TableCrc32.ts"
import * as ZipStream from "../src/archives/ZipStream.ts"
import { entryNames } from "./entryNames.ts"
import { planOf, records, source, type ZeroFile } from "./ZeroArchive.ts"
import { readZip } from "./ZipReader.ts"
import { listed, missing, tools } from "./ZipTools.ts"

const absent = await missing()
const directory = mkdtempSync(join(tmpdir(), "filedrive-zip."))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Writes an archive of zeros as the builder makes it. */
const write = async (path: string, files: ReadonlyArray<ZeroFile>) => {
  const plan = planOf(files)
  const file = openSync(path, "w")
  await Effect.runPromise(
    ZipStream.stretch({
      plan,
      source: source(files),
      crcs: new Uint32Array(files.length),
      crc32,
      from: 0,
      to: plan.totalBytes
    }).pipe(Stream.runForEach((bytes) => Effect.sync(() => void writeSync(file, bytes))))
  )
  closeSync(file)
}

describe.skipIf(absent !== undefined)(`ZIP programs${absent === undefined ? "" : ` (${absent})`}`, () => {
  const names = entryNames(
    [
      "plain.txt",
      "日本語のファイル.txt",
      "🎉 party.png",
      "e\u0301.txt",
      "É.txt",
      "../../up.txt",
      "/abs.txt",
      "C:\\con.txt",
      "con",
      "same.txt",
      "SAME.TXT",
      "..",
      "line\nfeed",
      "'quotes' \"and\" $dollars `ticks`",
      "-rf",
      "%2e%2e",
      "x".repeat(1_000)
    ].flatMap((
      fileName,
      at
    ) => [{ fileName, folderPath: null }, { fileName, folderPath: `/Ordner ${at % 3}/フォルダ` }])
  )
  const oddNames = names.map((name, at) => ({ name, sizeBytes: at * 1_000 }))
  const many = Array.from({ length: 70_000 }, (_, at) => ({ name: `${at % 700}/${at}`, sizeBytes: at % 100 }))

  it.each(tools)("ZIP-7 $name takes any names", async ({ name, test }) => {
    const path = join(directory, `names-${name}.zip`)
    await write(path, oddNames)
    await test(path)
  })

  it("ZIP-7 names and sizes are read as they were meant", async () => {
    const path = join(directory, "listed.zip")
    await write(path, oddNames)
    assert.deepStrictEqual(await listed(path), oddNames.map(({ name, sizeBytes }) => [name, sizeBytes]))
  })

  it("ZIP-7 an archive of 70,000 entries is taken by all of them", async () => {
    const path = join(directory, "many.zip")
    await write(path, many)
    for (const { test } of tools) await test(path)
    assert.strictEqual((await listed(path)).length, 70_000)
  }, 120_000)
})

it("ZIP-7 an archive of 70,000 entries is read whole", () => {
  const many = Array.from({ length: 70_000 }, (_, at) => ({ name: String(at), sizeBytes: 0 }))
  const plan = planOf(many)
  const bytes = new Uint8Array(plan.totalBytes)
  for (const [offset, record] of records(many)) bytes.set(record, offset)
  const entries = readZip({ sizeBytes: bytes.length, read: (from, to) => bytes.subarray(from, to) })
  assert.strictEqual(entries.length, 70_000)
})
