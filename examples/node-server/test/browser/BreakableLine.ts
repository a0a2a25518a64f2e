/** The line between a browser and a server: connections pass until it is broken, as they do when a laptop leaves its network. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"

export class BreakableLine {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isBroken = false

  constructor(port: () => number) {
    this.#server = createServer((near) => {
      if (this.#isBroken) return near.destroy()
      const far = connect(port(), "127.0.0.1")
      for (const [socket, other] of [[near, far], [far, near]] as const) {
        this.#sockets.add(socket)
        socket.on("error", () => other.destroy())
        socket.on("close", () => {
          this.#sockets.delete(socket)
          other.destroy()
        })
        socket.pipe(other)
      }
    })
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => void this.#server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  break(): void {
    this.#isBroken = true
    for (const socket of this.#sockets) socket.destroy()
  }

  mend(): void {
    this.#isBroken = false
  }

  close(): void {
    this.break()
    this.#server.close()
  }
}

/** A port that nobody listens on. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
