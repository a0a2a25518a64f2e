/** A proxy in front of the server that adds an API token to calls of `/mcp` without one: the conformance tool sends none. */
import { createServer, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"

export class TokenProxy {
  readonly #server: Server
  #port = 0
  #token = ""
  constructor() {
    this.#server = createServer((asked, response) => {
      const authorization = asked.headers.authorization ?? (asked.url === "/mcp" ? `Bearer ${this.#token}` : undefined)
      const headers = { ...asked.headers, ...authorization !== undefined && { authorization } }
      const { method = "GET", url = "/" } = asked
      // The name by which it was called stays: the server must refuse wrong ones.
      const passed = request({ host: "127.0.0.1", port: this.#port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      passed.on("error", () => response.destroy())
      response.on("close", () => passed.destroy())
      asked.pipe(passed)
    })
  }
  listen(): Promise<void> {
    return new Promise((resolve) => void this.#server.listen(0, "127.0.0.1", resolve))
  }
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
  lead(port: number, token: string): void {
    this.#port = port
    this.#token = token
  }
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** A port that nothing listens at just now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
