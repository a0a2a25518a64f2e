/**
 * A node:http server set up for long uploads: a slow but steady body may take
 * as long as it takes, while a client that only holds a connection is cut.
 *
 * Node's own `requestTimeout` bounds a whole request, body included, at 300 s,
 * which a part of 64 MiB outlasts below 1.8 Mbit/s. It is off here; headers
 * have their own bound, the JSON routes bound their bodies in time, the
 * storage routes cut a body that stalls, and a silent socket is closed.
 */
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/** Longer than the 60 s that load balancers keep their idle connections, so that they close them and not we. */
const keepAliveMillis = 75_000
/** A socket without a byte in either direction: no route is silent for so long. */
const silenceMillis = 300_000
const checkMillis = 5_000

export interface ListenOptions {
  /** Default 4500; 0 for any free port. */
  readonly port?: number
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string
  /** How long a client may take to send a request's headers, in milliseconds. Default 20,000. */
  readonly headersMillis?: number
  /** How long requests in flight may go on once the server stops, in milliseconds. Default 30,000. */
  readonly graceMillis?: number
}

export interface DriveServer {
  readonly server: Server
  /** Where it listens, like `http://127.0.0.1:4500`. */
  readonly origin: string
  /**
   * Takes no more connections and waits for the requests in flight, or until
   * the grace is over. Repeating is safe.
   */
  readonly stop: () => Promise<void>
}

const originOf = ({ address, family, port }: AddressInfo): string => {
  // Who listens everywhere is reached here, too.
  const host = address === "0.0.0.0" || address === "::" ? "localhost" : family === "IPv6" ? `[${address}]` : address
  return `http://${host}:${port}`
}

const stopping = (server: Server, graceMillis: number): Promise<void> =>
  new Promise((resolve) => {
    const closeIdle = setInterval(() => server.closeIdleConnections(), 50)
    const giveUp = setTimeout(() => server.closeAllConnections(), graceMillis)
    server.prependListener("request", (_, response) => {
      // A connection that is kept would be used again.
      response.setHeader("Connection", "close")
    })
    server.close(() => {
      clearInterval(closeIdle)
      clearTimeout(giveUp)
      resolve()
    })
  })

/** Starts a server for `handler`. Fails when the port is taken. */
export const listen = (handler: RequestListener, options: ListenOptions = {}): Promise<DriveServer> =>
  new Promise((resolve, reject) => {
    const { graceMillis = 30_000, headersMillis = 20_000, host = "127.0.0.1", port = 4_500 } = options
    const server = createServer({
      requestTimeout: 0,
      headersTimeout: headersMillis,
      keepAliveTimeout: keepAliveMillis,
      connectionsCheckingInterval: Math.min(checkMillis, headersMillis),
      noDelay: true
    }, handler)
    server.setTimeout(silenceMillis)
    server.once("error", reject)
    server.listen(port, host, () => {
      server.off("error", reject)
      let stopped: Promise<void> | undefined
      resolve({
        server,
        origin: originOf(server.address() as AddressInfo),
        stop: () => stopped ??= stopping(server, graceMillis)
      })
    })
  })
