/** The client in the runtimes of servers: Node, and Deno and Bun where they are installed. */
import { build } from "esbuild"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type ForwardProxy, forwardProxy } from "./ForwardProxy.ts"
import { type ServedDrive, servedDrive } from "./servedDrive.ts"

const run = promisify(execFile)

const isInstalled = (name: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((directory) => existsSync(join(directory, name)))

const runtimes = [
  ["Node", process.execPath, [], true],
  ["Deno", "deno", ["run", "--allow-all", "--no-prompt"], isInstalled("deno")],
  ["Bun", "bun", [], isInstalled("bun")]
] as const

/** Reached by the proxy alone. */
const hiddenUrl = "http://drive.invalid"

let open: ServedDrive
let hidden: ServedDrive
let proxy: ForwardProxy
let program: string
beforeAll(async () => {
  open = await servedDrive()
  hidden = await servedDrive({ urlOf: () => hiddenUrl })
  proxy = await forwardProxy(hidden.url)
  program = join(open.directory, "walk.mjs")
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
afterAll(async () => {
  await proxy.close()
  await Promise.all([open.close(), hidden.close()])
})

const photos = Array.from({ length: 12 }, (_, at) => `${at}.txt`)
const names = [...photos, "large.bin", "small.txt", "stream.bin"].toSorted()

/** What the program tells of its walk. */
const walk = async (drive: ServedDrive, url: string, [path, ...args]: ReadonlyArray<string>, env: object = {}) => {
  const { apiToken } = await drive.user()
  const directory = await mkdtemp(join(open.directory, "walk-"))
  const { stdout } = await run(path!, [...args, program, url, apiToken, directory], { env: { ...process.env, ...env } })
  return JSON.parse(stdout)
}

const walked = {
  small: "Hello",
  sentBytes: 66 * 1024 ** 2,
  streamedBytes: 66 * 1024 ** 2,
  isSame: true,
  doneFiles: 12,
  failures: [],
  seen: names,
  names,
  refused: [400, "invalid_field", "fileName"]
}

describe("a program", () => {
  for (const [name, path, args, isThere] of runtimes) {
    const command = [path, ...args]

    it.skipIf(!isThere)(`CLIENT-148 does in ${name} what it does elsewhere (needs ${name})`, async () => {
      assert.deepStrictEqual(await walk(open, open.url, command), walked)
    }, 120_000)

    it.skipIf(!isThere)(
      `CLIENT-218 goes in ${name} by the proxy that its environment names (needs ${name})`,
      async () => {
        const before = proxy.count()
        const env = { HTTP_PROXY: proxy.url, NO_PROXY: "", ...name === "Node" && { NODE_USE_ENV_PROXY: "1" } }
        assert.deepStrictEqual(await walk(hidden, hiddenUrl, command, env), walked)
        assert.isAbove(proxy.count(), before)
      },
      120_000
    )
  }
})
