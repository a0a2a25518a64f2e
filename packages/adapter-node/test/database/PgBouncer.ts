/** PgBouncer, where it is installed, in front of a server. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { type AddressInfo, connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const isInstalled = spawnSync("pgbouncer", ["--version"]).status === 0

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}

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
  const isRoot = process.getuid?.() === 0
  const child = isRoot
    ? spawn("setpriv", ["--reuid=nobody", "--regid=nogroup", "--clear-groups", "pgbouncer", "-q", config], {
      stdio: "ignore"
    })
    : spawn("pgbouncer", ["-q", config], { stdio: "ignore" })
  const ended = once(child, "exit")
  const until = performance.now() + 20_000
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > until) throw new Error("PgBouncer did not start.")
  }
  const url = new URL(target)
  url.hostname = "127.0.0.1"
  url.port = String(port)
  return {
    url: url.href,
    stop: async () => {
      child.kill("SIGKILL")
      await ended
      await rm(directory, { recursive: true, force: true })
    }
  }
}
