/** PgBouncer, where it is installed, in front of a server. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../freePort.ts"

/** Debian's directory is not on every user's PATH. */
const program = ["pgbouncer", "/usr/sbin/pgbouncer"].find((name) => spawnSync(name, ["--version"]).status === 0)

export const isInstalled = program !== undefined

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy()
      resolve(true)
    }).on("error", () => resolve(false))
  })

/** Starts it with its defaults but for the mode. It refuses to run as root, so it runs as nobody there. */
export const startPgBouncer = async (target: string, mode: "session" | "transaction" | "statement") => {
  const { hostname, port: serverPort, username } = new URL(target)
  const directory = await mkdtemp(join(tmpdir(), "filedrive-pgbouncer-"))
  await chmod(directory, 0o755)
  const port = await freePort()
  const users = join(directory, "users")
  const config = join(directory, "config")
  await writeFile(users, `"${username}" ""\n`)
  await writeFile(
    config,
    [
      "[databases]",
      `* = host=${hostname} port=${serverPort}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "auth_type = trust",
      `auth_file = ${users}`,
      "unix_socket_dir =",
      `pool_mode = ${mode}`,
      ""
    ].join("\n")
  )
  const asUser = process.getuid?.() === 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
  const [command, ...args] = [...asUser, program!, "-q", config] as const
  const child = spawn(command!, args, { stdio: "ignore" })
  const ended = once(child, "exit")
  const stop = async () => {
    child.kill("SIGKILL")
    await ended
    await rm(directory, { recursive: true, force: true })
  }
  const until = performance.now() + 20_000
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > until) {
      await stop()
      throw new Error("PgBouncer did not start.")
    }
  }
  const url = new URL(target)
  url.hostname = "127.0.0.1"
  url.port = String(port)
  return { url: url.href, stop }
}
