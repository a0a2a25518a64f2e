/** A connection to a server that stays open, with as little between as can be. */
import { connect, type Socket } from "node:net"

const headEnd = Buffer.from("\r\n\r\n")

/** One connection: its next request is sent when the last one is answered. */
export class Connection {
  readonly #host: string
  readonly #socket: Socket
  #received: Array<Buffer> = []
  #head = ""
  #needed = Infinity
  #resolve: (body: string) => void = () => {}
  #reject: (error: Error) => void = () => {}

  constructor(origin: string) {
    const { host, hostname, port } = new URL(origin)
    this.#host = host
    this.#socket = connect(Number(port), hostname).setNoDelay()
    this.#socket.on("data", (bytes: Buffer) => this.#take(bytes))
    this.#socket.on("error", (error) => this.#reject(error))
    this.#socket.on("close", () => this.#reject(new Error("The connection was closed.")))
  }

  /** Succeeds with the answer's body; an answer that is not 2xx fails. */
  post(path: string, headers: string, body: ReadonlyArray<string | Buffer>): Promise<string> {
    const length = body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#socket.cork()
      this.#socket.write(`POST ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${headers}content-length: ${length}\r\n\r\n`)
      for (const piece of body) this.#socket.write(piece)
      this.#socket.uncork()
    })
  }

  end(): void {
    this.#reject = () => {}
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    this.#received.push(bytes)
    const all = this.#received.length === 1 ? bytes : Buffer.concat(this.#received)
    this.#received = [all]
    if (this.#head === "") {
      const end = all.indexOf(headEnd)
      if (end < 0) return
      this.#head = all.toString("latin1", 0, end)
      const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1]
      if (length === undefined && !this.#head.startsWith("HTTP/1.1 204")) {
        return this.#reject(new Error(`The answer states no length: ${this.#head}`))
      }
      this.#needed = end + headEnd.length + Number(length ?? 0)
    }
    if (all.length < this.#needed) return
    const head = this.#head
    const body = all.toString("utf8", head.length + headEnd.length, this.#needed)
    this.#received = []
    this.#head = ""
    if (head.startsWith("HTTP/1.1 2")) this.#resolve(body)
    else this.#reject(new Error(`${head}\n${body}`))
  }
}
