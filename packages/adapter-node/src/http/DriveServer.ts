/**
 * A node:http server set up for long uploads: a slow but steady body may take
 * as long as it takes, while a client that only holds a connection is cut.
 *
 * Node's own `requestTimeout` bounds a whole request, body included, at 300 s,
 * which a part of 64 MiB outlasts below 1.8 Mbit/s. It is off here; headers
 * have their own bound, the JSON routes bound their bodies in time, the
 * storage routes cut a body that stalls, a silent socket is closed, and the
 * number of connections is bounded.
 */
import { Duration, Effect } from "effect"
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { checkListenOptions } from "../checkOptions.ts"
import * as Descriptors from "../Descriptors.ts"
import { Connections } from "./Connections.ts"
import { boundRest } from "./EarlyAnswer.ts"
import { pathOf } from "./MountPath.ts"

/** Longer than the 60 s that load balancers keep their idle connections, so that they close them and not we. */
const keepAliveMillis = 75_000
/** A socket without a byte in either direction: no route is silent for so long. */
const silenceMillis = 300_000
const checkMillis = 5_000

/** Times are whole milliseconds, at most 2,147,483,647 (24 days); connections at most 10,000,000. */
export interface ListenOptions {
  /** Default 4500; 0 for any free port. */
  readonly port?: number
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string
  /** How long a client may take to send a request's headers, in milliseconds. Default 20,000. */
  readonly headersMillis?: number
  /** How long what is left of a body may take once its request is answered, in milliseconds. Default 10,000. */
  readonly restMillis?: number
  /** How long requests in flight may continue once the server stops, in milliseconds. Default 30,000. */
  readonly graceMillis?: number
  /** How long a request's body may stall once the server stops, in milliseconds. Default 5,000. */
  readonly stallMillis?: number
  /**
   * Connections at a time. With one more, the one goes that waits for a call longest, of the address that has most. Default 10,000, and
   * never more than leave room for other files of the process (`ulimit -n`).
   */
  readonly maxConnections?: number
  /**
   * Connections from one address (a /64 of IPv6) at a time; one more closes the longest of them that waits for a call, else
   * the longest. Default 1,000. Behind a proxy all come from the proxy: give it {@link maxConnections}.
   */
  readonly maxConnectionsPerAddress?: number
}

export interface DriveServer {
  readonly server: Server
  /** Where it listens, like `http://127.0.0.1:4500`. */
  readonly origin: string
  /**
   * Accepts no more connections and waits for the requests in flight, or until
   * the grace is over; one whose body stalls is cut. Repeating is safe.
   */
  readonly stop: () => Promise<void>
}

const originOf = ({ address, family, port }: AddressInfo): string => {
  // A server that listens on all addresses is reached here, too.
  const host = address === "0.0.0.0" || address === "::" ? "localhost" : family === "IPv6" ? `[${address}]` : address
  return `http://${host}:${port}`
}

/** The address at which a connection has arrived on this machine. */
export const originOfSocket = (socket: Socket): string => {
  const { localAddress = "127.0.0.1", localPort = 80 } = socket
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, "")
  const protocol = (socket as { readonly encrypted?: boolean }).encrypted === true ? "https" : "http"
  return `${protocol}://${address.includes(":") ? `[${address}]` : address}:${localPort}`
}

const stopping = (
  server: Server,
  connections: Connections,
  graceMillis: number,
  stallMillis: number
): Promise<void> =>
  new Promise((resolve) => {
    const giveUp = setTimeout(() => server.closeAllConnections(), graceMillis)
    server.prependListener("request", (_, response) => {
      // A connection that is kept alive would be used again.
      response.setHeader("Connection", "close")
    })
    server.close(() => {
      clearTimeout(giveUp)
      resolve()
    })
    // What has reached this machine by now is read first: a call in it is answered.
    setImmediate(() => setImmediate(() => connections.close(stallMillis)))
  })

/** Starts a server for `handler`. Fails when the port is taken, and with `WrongOption` for an option that can't be used. */
export const listen = (handler: RequestListener, options: ListenOptions = {}): Promise<DriveServer> =>
  new Promise((resolve, reject) => {
    checkListenOptions(options)
    const { graceMillis = 30_000, headersMillis = 20_000, host = "127.0.0.1", port = 4_500 } = options
    const { maxConnections = Descriptors.defaultConnections, maxConnectionsPerAddress = 1_000 } = options
    const { restMillis = 10_000, stallMillis = 5_000 } = options
    const connections = new Connections({
      max: Descriptors.bounded(maxConnections),
      maxPerAddress: maxConnectionsPerAddress
    })
    const server = createServer({
      requestTimeout: 0,
      headersTimeout: headersMillis,
      keepAliveTimeout: keepAliveMillis,
      connectionsCheckingInterval: Math.min(checkMillis, headersMillis),
      noDelay: true
    }, handler)
    server.setTimeout(silenceMillis)
    server.on("connection", (socket) => connections.add(socket))
    // All requests to this server, of the drive and of the host.
    const begin = (request: IncomingMessage, response: ServerResponse) => {
      // Whoever answers it finds its path, also when the target is a whole URL.
      request.url = pathOf(request.url ?? "/")
      connections.began(request)
      response.once("close", () => connections.ended(request.socket))
      boundRest(request, response, Effect.runFork, Duration.millis(restMillis))
    }
    server.prependListener("request", begin)
    // Node answers an unknown `Expect` by itself, without an event.
    server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
      begin(request, response)
      response.writeHead(417, { connection: "close", "x-content-type-options": "nosniff" }).end()
    })
    server.once("error", reject)
    server.listen(port, host, () => {
      server.off("error", reject)
      let stopped: Promise<void> | undefined
      resolve({
        server,
        origin: originOf(server.address() as AddressInfo),
        stop: () => stopped ??= stopping(server, connections, graceMillis, stallMillis)
      })
    })
  })
