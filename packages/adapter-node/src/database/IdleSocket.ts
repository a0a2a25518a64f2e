/**
 * Sockets to a PostgreSQL server that keep no process running by themselves. A pool may open a connection that nobody then needs, as
 * another one became free first; the watch of statements sees only those that are used, and keeps the process running for a statement.
 */
import * as Net from "node:net"

/** Where a server listens, as the driver reads it from a URL: parameters come before the authority, and a directory has a local socket. */
export const addressOf = (url: string): Net.NetConnectOpts => {
  const { hostname, port: given, searchParams } = new URL(url)
  const authority = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1")
  const host = searchParams.getAll("host").at(-1) ?? (authority === "" ? "localhost" : authority)
  const port = Number(searchParams.getAll("port").at(-1) ?? (given === "" ? 5_432 : given))
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

/**
 * Makes sockets to the server of a URL that the driver has accepted. What a TLS connection over one keeps running is up to
 * this socket too.
 */
export const idleSockets = (url: string, keepAliveMillis: number) => (): Net.Socket => {
  const socket = Net.connect({
    ...addressOf(url),
    // A statement is one write and then a wait for its answer, which Nagle's algorithm would hold back.
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMillis
  })
  // Not before: where a name has several addresses, each that is tried has a socket of its own below this one.
  return socket.once("connect", () => socket.unref())
}
