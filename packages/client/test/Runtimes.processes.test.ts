/** The client in the runtimes of servers: Node, and Deno and Bun where they are installed. */
import { build } from "esbuild"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type ServedDrive, servedDrive } from "./servedDrive.ts"

const run = promisify(execFile)

const isInstalled = (name: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((directory) => existsSync(join(directory, name)))

const runtimes = [
  ["Node", process.execPath, [], true],
  ["Deno", "deno", ["run", "--allow-all", "--no-prompt"], isInstalled("deno")],
  ["Bun", "bun", [], isInstalled("bun")]
] as const

let served: ServedDrive
let program: string
beforeAll(async () => {
  served = await servedDrive()
  program = join(served.directory, "walk.mjs")
  await build({
    entryPoints: [join(import.meta.dirname, "runtimeWalk.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "es2022",
    conditions: ["@filedrive/source"]
  })
})
afterAll(() => served.close())

describe("a program", () => {
  for (const [name, path, args, isThere] of runtimes) {
    it.skipIf(!isThere)(`CLIENT-148 does in ${name} what it does elsewhere (needs ${name})`, async () => {
      const { apiToken } = await served.user()
      const directory = await mkdtemp(join(served.directory, "walk-"))
      const { stdout } = await run(path, [...args, program, served.url, apiToken, directory])
      const photos = Array.from({ length: 12 }, (_, at) => `${at}.txt`)
      const names = [...photos, "large.bin", "small.txt", "stream.bin"].toSorted()
      assert.deepStrictEqual(JSON.parse(stdout), {
        small: "Hello",
        sentBytes: 66 * 1024 ** 2,
        streamedBytes: 66 * 1024 ** 2,
        isSame: true,
        doneFiles: 12,
        failures: [],
        seen: names,
        names,
        refused: [400, "invalid_field", "fileName"]
      })
    }, 120_000)
  }
})
