/** The thread of the embedded database that is begun before the drive. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("./PreloadProcess.ts", import.meta.url))

/** What it has printed once it has ended by itself, for drives in new directories of these names. */
const printed = (...names: ReadonlyArray<string>): string => {
  const root = mkdtempSync(join(tmpdir(), "filedrive-preload-"))
  try {
    const directories = names.map((name) => join(root, name))
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ["--conditions=@filedrive/source", program, ...directories],
      { encoding: "utf8", timeout: 100_000 }
    )
    assert.strictEqual(status, 0, stderr)
    return stdout
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

describe("preload", () => {
  it("HOST-191 the next drive uses the thread that was begun, and another drive one of its own", () => {
    assert.strictEqual(printed("first", "second"), "1\n2\n2 at the end\n")
  }, 120_000)

  it("HOST-191 a process ends although no drive has taken the thread", () => {
    assert.strictEqual(printed(), "1 at the end\n")
  }, 120_000)
})
