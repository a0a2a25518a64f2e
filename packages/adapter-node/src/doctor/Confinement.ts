/** Tests on this host how the processes that open files are confined. */
import { type Held, ofThisMachine, ownReads, tryOut } from "@filedrive/media/diagnostics"
import { Effect } from "effect"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Finding } from "./Finding.ts"

/** Makes a process try to read a file like the drive's credentials and this process's environment, and to connect to a port. */
const attempt = async (): Promise<{ readonly means: string; readonly held: Held | null }> => {
  const directory = await mkdtemp(join(tmpdir(), "filedrive-doctor-"))
  const secret = join(directory, "credentials.json")
  const server = createServer().listen(0, "127.0.0.1")
  try {
    await once(server, "listening")
    await writeFile(secret, "{}", { mode: 0o600 })
    const { port } = server.address() as AddressInfo
    const chosen = await ofThisMachine()
    const held = await tryOut(chosen, { secret, pid: process.pid, port, needed: ownReads() })
    return { means: chosen.means, held }
  } finally {
    server.close()
    await rm(directory, { recursive: true })
  }
}

const reach: Readonly<Record<keyof Held, string>> = {
  files: "files of the drive's user, its credentials among them",
  processes: "the environment of other processes",
  network: "the network"
}

/** What a faulty library could be made to reach, by what was tried. */
export const finding = (means: string, held: Held | null): Finding => {
  const open = (Object.keys(reach) as ReadonlyArray<keyof Held>).filter((what) => held?.[what] !== true)
  const opens = "keeps what opens files from the drive's files, other processes and the network"
  if (held === null) {
    return { name: "confinement", opens, found: null, advice: "No process can be started on this host." }
  }
  return {
    name: "confinement",
    opens,
    found: means,
    advice: open.length === 0
      ? null
      : `A decoder with a fault could be made to reach ${open.map((what) => reach[what]).join(" and ")}. `
        + "On Linux, install perl, with a kernel that has Landlock (5.13 or later)."
  }
}

export const checkConfinement: Effect.Effect<Finding> = Effect.promise(attempt).pipe(
  Effect.map(({ held, means }) => finding(means, held))
)
