/** A proxy that breaks what passes through it. */
import { createServer, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/** What becomes of a request. */
export interface Fault {
  /** The connection ends after so many bytes of the request. */
  readonly cutAfterBytes?: number
  /** It is carried out, and its answer never comes. */
  readonly losesAnswer?: true
  /** It is taken, and nothing comes of it as long as the connection lasts. */
  readonly isSilent?: true
  /** It is not carried out. */
  readonly status?: number
  readonly retryAfter?: string
  readonly delayMillis?: number
  /** The answer ends after so many bytes. */
  readonly answerBytes?: number
}

export interface Passed {
  readonly method: string
  readonly path: string
  /** From 1: how many requests of this method and path without its query came before, and this. */
  readonly nth: number
}

export class FaultProxy {
  /** Those that were carried out. */
  readonly passed: Array<string> = []
  fault: (request: Passed) => Fault | undefined = () => undefined
  readonly #server: Server
  readonly #counts = new Map<string, number>()
  #target = ""

  constructor() {
    this.#server = createServer((incoming, outgoing) => {
      const path = incoming.url!.split("?")[0]!
      const key = `${incoming.method} ${path}`
      const nth = (this.#counts.get(key) ?? 0) + 1
      this.#counts.set(key, nth)
      const fault = this.fault({ method: incoming.method!, path, nth }) ?? {}
      const {
        answerBytes = Infinity,
        cutAfterBytes = Infinity,
        delayMillis,
        isSilent,
        losesAnswer,
        retryAfter,
        status
      } = fault
      if (isSilent === true) return void incoming.resume()
      if (status !== undefined) {
        incoming.resume()
        incoming.on("end", () => {
          outgoing.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter })
          outgoing.end("<html>a proxy's page</html>")
        })
        return
      }
      const { hostname, port } = new URL(this.#target)
      const onward = request({
        hostname,
        port,
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers
      })
      onward.on("error", () => incoming.socket.destroy())
      incoming.on("error", () => onward.destroy())
      incoming.on("close", () => {
        if (!incoming.complete) onward.destroy()
      })
      onward.on("response", (answer) => {
        if (losesAnswer === true) {
          answer.resume()
          answer.on("end", () => incoming.socket.destroy())
          return
        }
        outgoing.writeHead(answer.statusCode!, answer.headers)
        let left = answerBytes
        answer.on("data", (chunk: Buffer) => {
          left -= chunk.length
          outgoing.write(left < 0 ? chunk.subarray(0, chunk.length + left) : chunk)
          if (left <= 0) {
            // What was written is on its way before the end is.
            setImmediate(() => incoming.socket.destroy())
            onward.destroy()
          }
        })
        answer.on("end", () => outgoing.end())
        answer.on("error", () => incoming.socket.destroy())
      })
      const pass = () => {
        let bytes = 0
        incoming.on("data", (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > cutAfterBytes) {
            onward.destroy()
            incoming.socket.destroy()
          } else if (!onward.write(chunk)) {
            incoming.pause()
            onward.once("drain", () => incoming.resume())
          }
        })
        incoming.on("end", () => {
          this.passed.push(key)
          onward.end()
        })
      }
      if (delayMillis !== undefined) setTimeout(pass, delayMillis)
      else pass()
    })
  }

  listen(): Promise<string> {
    return new Promise((resolve) =>
      this.#server.listen(
        0,
        "127.0.0.1",
        () => resolve(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`)
      )
    )
  }

  to(target: string): void {
    this.#target = target
  }

  count(key: string): number {
    return this.passed.filter((passed) => passed.startsWith(key)).length
  }

  /** Ends every connection, as a network that goes away. */
  cutAll(): void {
    this.#server.closeAllConnections()
  }

  async close(): Promise<void> {
    this.cutAll()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** A chance that is the same in each run. */
export const seeded = (seed: number): () => number => () => {
  seed = seed + 0x6d2b79f5 | 0
  let mixed = Math.imul(seed ^ seed >>> 15, 1 | seed)
  mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
  return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32
}
