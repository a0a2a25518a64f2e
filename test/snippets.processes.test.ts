/** What the documentation offers to copy runs as it stands. */
import { assert, describe, it } from "@effect/vitest"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { type Ready, startServer } from "../examples/node-server/test/ServerProcess.ts"
import { packages, root } from "../scripts/workspace.ts"

interface Snippet {
  readonly document: string
  readonly number: number
  readonly code: string
}

/**
 * The whole programs among a document's blocks: those that import a package of ours by which a host has a drive. One that
 * needs a framework the workspace doesn't have is marked, like "ts needs=hono", and is not run here.
 */
const snippetsOf = async (document: string): Promise<ReadonlyArray<Snippet>> => {
  const text = await readFile(join(root, document), "utf8")
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, code], at) => ({ document, number: at + 1, code: code! }))
    .filter(({ code }) => /^import .* from "@filedrive\/(?:adapter-\w+|testing)"$/m.test(code))
}

const documents = ["README.md", "docs/embedding.md", "docs/apps.md"]
const readmes = packages.map(({ directory }) => relative(root, join(directory, "README.md")))

const snippets = (await Promise.all([...documents, ...readmes].map(snippetsOf))).flat()

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}

/** What the program has printed, once it has ended or a request to its drive is answered. */
const outcome = async (child: ChildProcess, port: number, mount: string, isDone: (output: string) => boolean) => {
  let output = ""
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => void (output += chunk))
  const ended = once(child, "exit")
  const isUp = () => fetch(`http://127.0.0.1:${port}${mount}/healthz`).then(({ ok }) => ok, () => false)
  while (child.exitCode === null && child.signalCode === null && !(isDone(output) && await isUp())) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill("SIGTERM")
  const [code, signal] = await ended
  return { output, code, signal }
}

/** What a program that ends by itself has printed. */
const printed = async (path: string, variables: Readonly<Record<string, string>>): Promise<string> => {
  const child = spawn(process.execPath, [path], { env: { ...process.env, ...variables } })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => void (output += chunk))
  await once(child, "close")
  return output
}

describe("programs of the documentation", () => {
  it("there are examples for a drive of its own, node:http, Express, Fastify and a host's tests", () => {
    const all = snippets.map(({ code }) => code).join()
    for (const name of ["serve(drive", "createServer(", "express()", "Fastify({", "memoryDrive()"]) {
      assert.include(all, name)
    }
  })

  it.each(snippets)(
    "HOST-131 $document, block $number, runs as it stands, and again on what it left",
    async ({ code }) => {
      const directory = await mkdtemp(join(tmpdir(), "filedrive-snippet-"))
      try {
        const port = await freePort()
        await symlink(join(root, "node_modules"), join(directory, "node_modules"))
        await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module" }))
        await writeFile(join(directory, "host.ts"), code.replaceAll(/\b(?:3000|4500)\b/g, String(port)))
        const mount = code.includes("/drive\"") ? "/drive" : ""
        const prints = code.includes("console.log")
        const run = async () => {
          const child = spawn(process.execPath, ["--conditions=@filedrive/source", "host.ts"], { cwd: directory })
          const { code: exitCode, output, signal } = await outcome(
            child,
            port,
            mount,
            (output) => !prints || output.includes("fileName")
          )
          // One without a handler of its own for the signal ends by it.
          assert.isTrue(exitCode === 0 || signal === "SIGTERM", output)
          assert.notMatch(output, /Error/)
          if (prints) assert.lengthOf(output.match(/fileName/g) ?? [], 1, output)
        }
        await run()
        await run()
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    },
    120_000
  )

  /** Runs `walk` beside a server of the example's. */
  const besideServer = async (walk: (directory: string, server: Ready) => Promise<void>) => {
    const directory = await mkdtemp(join(tmpdir(), "filedrive-snippet-"))
    const server = startServer({ FILEDRIVE_DATA: join(directory, "data") })
    try {
      await walk(directory, await server.ready)
    } finally {
      server.signal("SIGTERM")
      await server.ended
      await rm(directory, { recursive: true, force: true })
    }
  }

  it("HOST-131 a file goes in and comes back over HTTP as the documentation shows it", async () => {
    const text = await readFile(join(root, "docs/embedding.md"), "utf8")
    const section = text.slice(text.indexOf("## A file over HTTP"))
    const [, code = ""] = /^```ts\n(.*?)^```$/ms.exec(section) ?? []
    await besideServer(async (directory, { accounts: [account], siteUrl }) => {
      const program = join(directory, "walk.ts")
      await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module" }))
      await writeFile(program, code.replaceAll("http://127.0.0.1:4500", siteUrl))
      assert.strictEqual(await printed(program, { TOKEN: account!.apiToken }), "Hello\n")
    })
  }, 120_000)

  it("HOST-131 the commands of docs/http.md bring a file in and back", async () => {
    const text = await readFile(join(root, "docs/http.md"), "utf8")
    const commands = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code).join("")
    await besideServer(async (directory, { accounts: [account], siteUrl }) => {
      const { status, stderr, stdout } = spawnSync("bash", ["-euo", "pipefail", "-c", commands], {
        cwd: directory,
        env: { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, SITE: siteUrl, TOKEN: account!.apiToken },
        encoding: "utf8"
      })
      assert.strictEqual(status, 0, stderr)
      assert.match(stdout, /\[ 'hello\.txt 14' \]\nHello, drive\.\n$/)
    })
  }, 120_000)
})
