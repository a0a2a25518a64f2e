/** Processes of hosts that never close their drive: when they end, and what they leave. */
import { assert, describe, it } from "@effect/vitest"
import { createDrive } from "@filedrive/adapter-node"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { start } from "../database/ChildProcess.ts"
import { certificate, startTlsProxy } from "../database/TlsProxy.ts"

const script = fileURLToPath(new URL("./EndingHost.ts", import.meta.url))

/** How long the test waits for a process that should end by itself, before it fails. */
const failsAfter = 120_000

type Run = (what: string, url?: string, wrapper?: ReadonlyArray<string>) => ReturnType<typeof start>

const hosting = async (use: (run: Run, directory: string) => Promise<void>) => {
  const directory = await fs.mkdtemp(path.join(os.tmpdir(), "filedrive-ending-"))
  const running: Array<ReturnType<typeof start>> = []
  try {
    await use((what, url, wrapper) => {
      const child = start([what, directory, ...url === undefined ? [] : [url]], wrapper, script)
      running.push(child)
      return child
    }, directory)
  } finally {
    for (const child of running) await child.kill()
    await fs.rm(directory, { recursive: true })
  }
}

describe("a process with a drive that is not closed", () => {
  it(
    "HOST-106 it ends by itself, with the embedded database and a warm sandbox; what it stored is there",
    () =>
      hosting(async (run) => {
        for (const what of ["opens", "puts", "lists"]) {
          const child = run(what)
          assert.strictEqual(await child.ended, 0, child.errors())
          assert.strictEqual(child.lines.at(-1), "through")
          if (what === "lists") assert.deepStrictEqual(child.lines, ["a.png", "listed", "through"])
        }
      }),
    failsAfter
  )

  it(
    "HOST-106 it ends by itself on PostgreSQL, also while it listens for other processes",
    () =>
      hosting(async (run) => {
        const child = run("puts", await postgresUrl())
        assert.strictEqual(await child.ended, 0, child.errors())
        assert.strictEqual(child.lines.at(-1), "through")
      }),
    failsAfter
  )

  it(
    "HOST-106 it ends by itself on PostgreSQL also after many calls at once, some of whose connections were never used",
    () =>
      hosting(async (run) => {
        const child = run("putsManyAtOnce", await postgresUrl())
        assert.strictEqual(await child.ended, 0, child.lines.join("; "))
        assert.deepStrictEqual(child.lines, ["through"])
      }),
    failsAfter
  )

  it(
    "HOST-106 it ends by itself on PostgreSQL over TLS",
    () =>
      hosting(async (run, directory) => {
        const proxy = await startTlsProxy(await postgresUrl())
        try {
          await fs.writeFile(path.join(directory, "certificate.pem"), certificate)
          const trusting = ["env", `NODE_EXTRA_CA_CERTS=${path.join(directory, "certificate.pem")}`]
          const child = run("putsManyAtOnce", proxy.url, trusting)
          assert.strictEqual(await child.ended, 0, child.errors() + child.lines.join("; "))
          assert.deepStrictEqual(child.lines, ["through"])
          assert.isAbove(proxy.encrypted(), 1)
        } finally {
          await proxy.close()
        }
      }),
    failsAfter
  )

  it(
    "HOST-107 a call keeps it running until the call has ended, whatever it waits for, and so does a feed that is followed",
    () =>
      hosting(async (run) => {
        const slow = run("putsSlowly")
        assert.strictEqual(await slow.ended, 0, slow.errors())
        assert.strictEqual(slow.lines.length, 2)
        const following = run("follows")
        assert.strictEqual(await following.ended, 0, following.errors())
        assert.deepStrictEqual(following.lines, ["through", "file"])
        const listing = run("lists")
        await listing.ended
        assert.sameMembers([...listing.lines], ["slow.bin", "b", "listed", "through"])
      }),
    failsAfter
  )

  it("HOST-107 one that serves stays until its server is stopped", () =>
    hosting(async (run) => {
      const child = run("serves")
      await child.printed(2)
      const [origin] = child.lines
      for (let n = 0; n < 3; n++) assert.strictEqual((await fetch(`${origin}/readyz`)).status, 200)
      child.stop()
      assert.strictEqual(await child.ended, 0, child.errors())
    }), failsAfter)

  it("HOST-104 a drive is closed at the end of the block that it is declared in by `await using`", async () => {
    const directory = await fs.mkdtemp(path.join(os.tmpdir(), "filedrive-ending-"))
    let drive
    {
      await using mine = createDrive({ dataDirectory: directory, log: "off" })
      await mine.ready()
      drive = mine
    }
    const error: unknown = await drive.ready().catch((error: unknown) => error)
    assert.deepInclude(error, { code: "unavailable", retryable: false })
    await drive[Symbol.asyncDispose]()
    // Nothing of it is open any longer: another drive can open its directory.
    await using next = createDrive({ dataDirectory: directory, log: "off" })
    await next.ready()
    await next.close()
    await fs.rm(directory, { recursive: true })
  }, failsAfter)

  it("HOST-105 a drive opens when `ready` is called, before any call or request", async () => {
    const directory = await fs.mkdtemp(path.join(os.tmpdir(), "filedrive-ending-"))
    await using drive = createDrive({ dataDirectory: directory, log: "off" })
    assert.deepStrictEqual(await fs.readdir(directory), [])
    await drive.ready()
    assert.sameMembers(await fs.readdir(directory), ["database", "secret-key", "storage"])
    await drive.close()
    await fs.rm(directory, { recursive: true })
  }, failsAfter)
})
