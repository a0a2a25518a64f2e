/** What the documentation offers to copy runs as it stands. */
import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { type Ready, startServer } from "../examples/node-server/test/ServerProcess.ts"
import { freePort } from "../packages/adapter-node/test/freePort.ts"
import { packages, root } from "../scripts/workspace.ts"

interface Snippet {
  readonly document: string
  readonly number: number
  readonly code: string
}

/**
 * The whole programs among a document's blocks: those that import a package of ours by which a host has a drive. Those of
 * Next.js, which the workspace doesn't have, are marked "ts needs=next".
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

/** What the program has printed, once it has ended or a request to its drive is answered; before it is ended, `use` has been done. */
const outcome = async (
  child: ChildProcess,
  port: number,
  mount: string,
  isDone: (output: string) => boolean,
  use?: (output: string) => Promise<void>
) => {
  let output = ""
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => void (output += chunk))
  const ended = once(child, "exit")
  const isUp = () => fetch(`http://127.0.0.1:${port}${mount}/healthz`).then(({ ok }) => ok, () => false)
  while (child.exitCode === null && child.signalCode === null && !(isDone(output) && await isUp())) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  try {
    if (child.exitCode === null && child.signalCode === null) await use?.(output)
  } finally {
    child.kill("SIGTERM")
  }
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

/** A directory with the workspace's libraries, for a program of its own. */
const withProject = async (use: (directory: string) => Promise<void>): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "filedrive-snippet-"))
  try {
    await symlink(join(root, "node_modules"), join(directory, "node_modules"))
    await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module" }))
    await use(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const startProgram = (directory: string, name: string, env: Readonly<Record<string, string>> = {}): ChildProcess =>
  spawn(process.execPath, ["--conditions=@filedrive/source", name], { cwd: directory, env: { ...process.env, ...env } })

/** Sends a file over HTTP and reads it back, as the documentation shows it. */
const walk = async (directory: string, siteUrl: string, token: string): Promise<void> => {
  const text = await readFile(join(root, "docs/embedding.md"), "utf8")
  const [, code = ""] = /^```ts\n(.*?)^```$/ms.exec(text.slice(text.indexOf("## A file over HTTP"))) ?? []
  const program = join(directory, "walk.ts")
  await writeFile(program, code.replaceAll("http://127.0.0.1:4500", siteUrl))
  assert.strictEqual(await printed(program, { TOKEN: token }), "Hello\n")
}

describe("programs of the documentation", () => {
  it("there are examples for a drive of its own, node:http, Express, Fastify, Hono and a host's tests", () => {
    const all = snippets.map(({ code }) => code).join()
    for (const name of ["serve(drive", "createServer(", "express()", "Fastify({", "new Hono()", "memoryDrive()"]) {
      assert.include(all, name)
    }
  })

  it.each(snippets)(
    "HOST-131 $document, block $number, runs as it stands, and again on what it left",
    ({ code }) =>
      withProject(async (directory) => {
        const port = await freePort()
        await writeFile(join(directory, "host.ts"), code.replaceAll(/\b(?:3000|4500)\b/g, String(port)))
        const mount = code.includes("/drive\"") ? "/drive" : ""
        const prints = code.includes("console.log")
        const run = async () => {
          const { code: exitCode, output, signal } = await outcome(
            startProgram(directory, "host.ts"),
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
      }),
    120_000
  )

  it(
    "HOST-131 the program of layers runs as the documentation shows it, and again on what it left",
    () =>
      withProject(async (directory) => {
        const text = await readFile(join(root, "docs/embedding.md"), "utf8")
        const section = text.slice(
          text.indexOf("The drive itself is made of layers"),
          text.indexOf("The agent and the tools")
        )
        const blocks = [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!)
        const port = await freePort()
        const origin = `http://127.0.0.1:${port}`
        await writeFile(join(directory, "host.ts"), blocks.join("\n").replaceAll("4500", String(port)))
        const variables = {
          DATABASE_DIRECTORY: join(directory, "database"),
          STORAGE_DIRECTORY: join(directory, "storage"),
          STORAGE_URL: `${origin}/storage`,
          SECRET_KEY_FILE: join(directory, "secret-key"),
          ORIGIN: origin
        }
        const tokenIn = (output: string) => /The token is (\S+)/.exec(output)?.[1]
        for (let run = 1; run <= 2; run += 1) {
          const { output } = await outcome(
            startProgram(directory, "host.ts", variables),
            port,
            "",
            (output) => tokenIn(output) !== undefined,
            (output) => walk(directory, origin, tokenIn(output)!)
          )
          assert.isDefined(tokenIn(output), output)
          assert.notMatch(output, /Error/)
        }
      }),
    120_000
  )

  it("HOST-131 the route of Next.js answers, bundled like Next bundles it", () =>
    withProject(async (directory) => {
      const text = await readFile(join(root, "docs/embedding.md"), "utf8")
      for (const [, code, path] of text.matchAll(/^```ts needs=next\n(\/\/ ([^\n:]+).*?)^```$/gms)) {
        await mkdir(dirname(join(directory, path!)), { recursive: true })
        await writeFile(join(directory, path!), code!)
      }
      const { default: config } = await import(join(directory, "next.config.ts"))
      await build({
        entryPoints: [join(directory, "app/drive/[[...path]]/route.ts")],
        outfile: join(directory, "route.mjs"),
        bundle: true,
        format: "esm",
        platform: "node",
        external: config.serverExternalPackages
      })
      // A second copy of the module, as Next makes one for each bundle, has the same drive: two could not open one directory.
      await writeFile(
        join(directory, "host.ts"),
        `for (const copy of ["1", "2"]) {
          const { GET } = await import(\`./route.mjs?\${copy}\`)
          console.log((await GET(new Request("http://127.0.0.1:3000/drive/readyz"))).status)
        }`
      )
      for (let run = 1; run <= 2; run += 1) {
        const child = startProgram(directory, "host.ts")
        let output = ""
        for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => void (output += chunk))
        const [code] = await once(child, "close")
        assert.deepStrictEqual({ code, output }, { code: 0, output: "200\n200\n" })
      }
    }), 120_000)

  /** Runs `use` beside a server of the example's. */
  const besideServer = async (use: (directory: string, server: Ready) => Promise<void>) => {
    const directory = await mkdtemp(join(tmpdir(), "filedrive-snippet-"))
    const server = startServer({ FILEDRIVE_DATA: join(directory, "data") })
    try {
      await use(directory, await server.ready)
    } finally {
      server.signal("SIGTERM")
      await server.ended
      await rm(directory, { recursive: true, force: true })
    }
  }

  it(
    "HOST-131 a file goes in and comes back over HTTP as the documentation shows it, and another the next time",
    async () => {
      await besideServer(async (directory, { accounts: [account], siteUrl }) => {
        await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module" }))
        for (let run = 1; run <= 2; run += 1) await walk(directory, siteUrl, account!.apiToken)
      })
    },
    120_000
  )

  it("HOST-131 the commands of docs/http.md bring a file in and back, and another the next time", async () => {
    const text = await readFile(join(root, "docs/http.md"), "utf8")
    const commands = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code).join("")
    await besideServer(async (directory, { accounts: [account], siteUrl }) => {
      for (let run = 1; run <= 2; run += 1) {
        const { status, stderr, stdout } = spawnSync("bash", ["-euo", "pipefail", "-c", commands], {
          cwd: directory,
          env: { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, SITE: siteUrl, TOKEN: account!.apiToken },
          encoding: "utf8"
        })
        assert.strictEqual(status, 0, stderr)
        assert.match(stdout, /\[ (?:'hello\.txt 14',? )+\]\nHello, drive\.\nHello, drive\.\npublic: false\n$/)
        assert.lengthOf(stdout.match(/'hello\.txt 14'/g)!, run)
        assert.include(await readFile(join(directory, "Notes.zip"), "latin1"), "Hello, drive.\n")
      }
    })
  }, 120_000)
})
