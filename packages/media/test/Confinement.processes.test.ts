/** What sandboxed processes are kept from, tried for real: by a process that Node's permissions don't hold, as native code isn't. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Confinement from "../src/sandbox/Confinement.ts"
import { ownReads, programReads, systemReads } from "../src/sandbox/ReadList.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import { guardFlags } from "../src/sandbox/SandboxProcess.ts"
import { awaited, quadrants } from "./PictureFixtures.ts"
import { childrenOf } from "./Processes.ts"

const linux = process.platform === "linux"
const candidate = (name: string) => Confinement.candidates().find((one) => one.name === name)

/** Something of the drive's to be read, and somebody who listens. */
const withBait = <A>(use: (options: Confinement.ProbeOptions) => Promise<A>) =>
  awaited(async () => {
    const directory = await mkdtemp(join(tmpdir(), "filedrive-bait-"))
    const secret = join(directory, "credentials.json")
    await writeFile(secret, "{}", { mode: 0o600 })
    const server = createServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    try {
      return await use({ secret, pid: process.pid, port: (server.address() as AddressInfo).port, needed: ownReads() })
    } finally {
      server.close()
      await rm(directory, { recursive: true })
    }
  })

/** Where the open files of a process lead, those aside that are closed while this looks. */
const linksOf = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory).flatMap((fd) => {
    try {
      return [readlinkSync(join(directory, fd))]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
      throw error
    }
  })

describe("confinement", () => {
  it.live(
    "HOSTILE-46 what is not confined reaches all of it, so that the trial tells",
    () =>
      withBait(async (options) =>
        assert.deepStrictEqual(await Confinement.tryOut(Confinement.none, options), {
          files: false,
          processes: !linux,
          network: false
        })
      ),
    60_000
  )

  it.live.skipIf(!linux)(
    "HOSTILE-46 what this machine has for it keeps native code from files, processes and ports (needs Linux)",
    () =>
      withBait(async (options) => {
        const chosen = await Confinement.ofThisMachine()
        const held = await Confinement.tryOut(chosen, options)
        assert.deepStrictEqual(held, { files: true, processes: true, network: true }, chosen.name)
      }),
    60_000
  )

  it.live.each(["landlock, user", "landlock"].filter((name) => candidate(name) !== undefined))(
    "HOSTILE-46 so does %s by itself",
    (name) =>
      withBait(async (options) =>
        assert.deepStrictEqual(await Confinement.tryOut(candidate(name)!, options), {
          files: true,
          processes: true,
          network: true
        })
      ),
    60_000
  )

  it.live.skipIf(candidate("user") === undefined)(
    "HOSTILE-46 a user of its own, where there is nothing else, is kept from files and processes (needs Linux, started as root)",
    () =>
      withBait(async (options) =>
        assert.deepInclude(await Confinement.tryOut(candidate("user")!, options), {
          files: true,
          processes: true,
          network: false
        })
      ),
    60_000
  )

  it.live(
    "HOSTILE-46 Node's permissions keep scripts from files and processes everywhere",
    () =>
      withBait(async (options) => {
        const probe = fileURLToPath(new URL("../src/sandbox/ConfinementProbe.ts", import.meta.url))
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [...guardFlags([...ownReads(), ...systemReads()]), probe, JSON.stringify({ ...options, needed: [] })],
          { env: {} }
        )
        assert.deepInclude(JSON.parse(stdout), { files: true, processes: true })
      }),
    60_000
  )

  it.live.skipIf(!linux)(
    "HOSTILE-46 one in which processes don't work is not taken (needs Linux)",
    () =>
      withBait(async (options) => {
        const broken: Confinement.Confinement = {
          ...Confinement.none,
          start: () => ({ path: "/bin/false", args: [] })
        }
        assert.isNull(await Confinement.tryOut(broken, options))
        const blind: Confinement.Confinement = {
          ...Confinement.none,
          start: (path, args, wanted) =>
            candidate("landlock")?.start(path, args, { ...wanted, reads: [] }) ?? broken.start(path, args, wanted)
        }
        assert.isNull(await Confinement.tryOut(blind, options))
      }),
    60_000
  )

  it.live.skipIf(!linux)(
    "HOSTILE-46 a process that decodes is confined, and has no file or connection of the drive's (needs Linux)",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1 })
        const jpeg = yield* awaited(() => quadrants().jpeg().toBuffer())
        yield* sandbox.run("still", { maxSide: 100, fileName: "a" }, Sandbox.contentOf(jpeg))
        const [pid] = childrenOf(process.pid)
        const { name } = yield* Effect.promise(Confinement.ofThisMachine)
        const status = readFileSync(`/proc/${pid}/status`, "utf8")
        if (name.startsWith("landlock")) assert.match(status, /^NoNewPrivs:\t1\n.*\nSeccomp:\t2$|^Seccomp:\t2$/m)
        if (name.includes("user")) assert.notMatch(status, /^Uid:.*\b0\b/m)
        const own = readlinkSync(`/proc/${pid}/fd/0`)
        const open = linksOf(`/proc/${pid}/fd`)
        // Its input, output and messages, and its own state while it counts its CPU; all else are its own threads' wake-ups, and what says what it may read.
        assert.match(own, /^(?:socket|pipe):/)
        const allowed = new RegExp(`^(?:anon_inode|pipe|socket):|^/dev/null$|^/proc/${pid}/stat$`)
        assert.deepStrictEqual(open.filter((link) => !allowed.test(link)), [])
        const mine = new Set(linksOf("/proc/self/fd"))
        assert.deepStrictEqual(open.filter((link) => link.startsWith("socket:") && mine.has(link)), [])
      })),
    60_000
  )

  it.live.skipIf(candidate("landlock") === undefined)(
    "HOSTILE-47 what decodes videos connects to the one port where its file is, and to no other (needs Linux with Landlock)",
    () =>
      withBait(async (options) => {
        const confinement = candidate("landlock")!
        const probe = fileURLToPath(new URL("../src/sandbox/ConfinementProbe.ts", import.meta.url))
        const ask = async (port: number) => {
          const { args, path } = confinement.start(process.execPath, [probe, JSON.stringify(options)], {
            port,
            reads: [...ownReads(), ...systemReads(), ...programReads(process.execPath)]
          })
          return JSON.parse((await promisify(execFile)(path, args, { env: {} })).stdout) as Confinement.Held
        }
        assert.deepStrictEqual(await ask(options.port), { files: true, processes: true, network: false })
        assert.deepStrictEqual(await ask(options.port === 1024 ? 1025 : 1024), {
          files: true,
          processes: true,
          network: true
        })
      }),
    60_000
  )
})
