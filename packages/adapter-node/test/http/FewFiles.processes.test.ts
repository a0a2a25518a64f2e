/** A server of a process that may have few files open. */
import { assert, it } from "@effect/vitest"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { start } from "../database/ChildProcess.ts"

it("HOST-251 with more connections than the process may have files, calls are answered", async () => {
  const server = start(
    [],
    ["sh", "-c", "ulimit -n 128 && exec \"$@\"", "sh"],
    fileURLToPath(new URL("./FewFiles.ts", import.meta.url))
  )
  const sockets: Array<Socket> = []
  try {
    await server.printed(1)
    const origin = server.lines[0]!
    for (let n = 0; n < 300; n++) {
      const socket = connect(Number(new URL(origin).port), "127.0.0.1").on("error", () => {})
      sockets.push(socket)
      await once(socket, "connect")
    }
    for (let n = 0; n < 20; n++) {
      const answer = await fetch(origin, { headers: { connection: "close" } })
      assert.strictEqual(answer.status, 200)
      assert.isAbove(Number(await answer.text()), 100)
    }
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.kill()
  }
}, 60_000)
