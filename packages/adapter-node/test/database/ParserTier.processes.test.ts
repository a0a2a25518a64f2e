/** What V8 makes of PostgreSQL in WebAssembly, as it says itself; in processes of their own, since its flags are the process's. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(new URL("./ParserProcess.ts", import.meta.url))

/** The sizes in WebAssembly, in bytes, of the functions that V8 has optimised. */
const optimised = (...flags: ReadonlyArray<string>): ReadonlyArray<number> => {
  const directory = mkdtempSync(join(tmpdir(), "filedrive-parser-"))
  try {
    const all = ["--conditions=@filedrive/source", "--trace-wasm-compilation-times", ...flags, script]
    const { status, stderr, stdout } = spawnSync(process.execPath, [...all, join(directory, "database")], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024
    })
    assert.strictEqual(status, 0, stderr)
    assert.match(stdout, /^done$/m)
    assert.match(stdout, /using Liftoff/)
    return [...stdout.matchAll(/using TurboFan.*bodysize (\d+)/g)].map(([, size]) => Number(size))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The parser has 105 kB. */
const large = 90_000

describe("the compiler of WebAssembly", () => {
  it("HOST-190 PostgreSQL's parser is not optimised, and the functions that statements call often are", () => {
    const sizes = optimised()
    assert.isAbove(sizes.length, 15)
    assert.deepStrictEqual(sizes.filter((size) => size > large), [])
  }, 120_000)

  it("HOST-190 what whoever starts the process has decided for all of WebAssembly stays so", () => {
    assert.deepStrictEqual(optimised("--liftoff-only"), [])
  }, 120_000)
})
