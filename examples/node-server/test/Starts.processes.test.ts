/** Failing starts: each ends with a sentence. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ServerProcess, startServer } from "./ServerProcess.ts"

const directory = await mkdtemp(join(tmpdir(), "filedrive-starts-"))
const started: Array<ServerProcess> = []
const servers: Array<Server> = []
afterAll(async () => {
  for (const server of started) server.signal("SIGKILL")
  await Promise.all(started.map((server) => server.ended))
  for (const server of servers) server.close()
  await rm(directory, { recursive: true, force: true })
})

const ends = async (variables: Readonly<Record<string, string>>) => {
  const server = startServer(variables)
  started.push(server)
  return (await server.ended).stderr
}

const listening = async (server: Server): Promise<number> => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}

describe("starts that can't be", () => {
  it.skipIf(!existsSync("/proc/self"))(
    "HOST-78 a data directory below /proc ends the start with a sentence (needs Linux: /proc)",
    async () => {
      for (const path of ["/proc/x", "/proc/x/y"]) {
        assert.strictEqual(
          await ends({ FILEDRIVE_DATA: path }),
          `filedrive can't start: FILEDRIVE_DATA: The directory ${path} can't be used: no directory can be made in /proc.\n`
        )
      }
    },
    30_000
  )

  it(
    "HOST-80 a DATABASE_URL that leads to no PostgreSQL server is named by host and port, without the password",
    async () => {
      const http = await listening(createServer((_, response) => void response.end("hello")))
      const greets = await listening(createTcpServer((socket) => {
        socket.on("error", () => undefined)
        socket.write("SSH-2.0-OpenSSH_9.6\r\n")
      }))
      const hangsUp = await listening(createTcpServer((socket) => {
        socket.on("error", () => undefined)
        socket.on("data", () => socket.end())
      }))
      const nothing = await listening(createTcpServer())
      await new Promise((resolve) => servers.at(-1)!.close(resolve))
      const other = "what is there speaks another protocol, or hung up"
      for (
        const [port, because] of [
          [http, other],
          [greets, other],
          [hangsUp, other],
          [nothing, `connect ECONNREFUSED 127.0.0.1:${nothing}`]
        ] as const
      ) {
        const said = await ends({
          FILEDRIVE_DATA: directory,
          DATABASE_URL: `postgres://someone:hushhush@127.0.0.1:${port}/drive`
        })
        assert.strictEqual(
          said,
          `filedrive can't start: DATABASE_URL: no PostgreSQL server answers at 127.0.0.1:${port} (${because}).\n`
        )
      }
    },
    60_000
  )
})
