import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, it } from "vitest"
import { madeServer } from "../scripts/madeServer.mjs"

const root = mkdtempSync(join(tmpdir(), "filedrive-made-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const source = join(root, "source.ts")
const seconds = 1_700_000_000

const write = (text: string, time = seconds) => {
  writeFileSync(source, text)
  utimesSync(source, time, time)
}

it("HOST-150 what npm start runs is made anew when a source has another size or time, or is gone", () => {
  const cache = join(root, "cache")
  assert.isUndefined(madeServer(root, cache))
  mkdirSync(join(cache, "files"), { recursive: true })
  write("one")
  const list = { directory: "files", inputs: [["source.ts", seconds * 1_000, 3]] }
  writeFileSync(join(cache, "made.json"), JSON.stringify(list))
  assert.strictEqual(madeServer(root, cache), join(cache, "files"))
  write("three")
  assert.isUndefined(madeServer(root, cache))
  write("two", seconds + 1)
  assert.isUndefined(madeServer(root, cache))
  write("one")
  assert.strictEqual(madeServer(root, cache), join(cache, "files"))
  rmSync(source)
  assert.isUndefined(madeServer(root, cache))
  write("one")
  rmSync(join(cache, "files"), { recursive: true })
  assert.isUndefined(madeServer(root, cache))
})
