/**
 * The connections of a server: how many there may be, and which is closed when there are more.
 *
 * A connection waits for a call (nothing of one has arrived, or half a head) or carries some. One that waits is closed before one
 * that carries, and of those alike the one that has waited or carried longest.
 */
import { ClientAddress } from "@filedrive/core"
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

export interface ConnectionLimits {
  /** Connections altogether. */
  readonly max: number
  /** Connections from one address; a /64 of IPv6 counts as one. */
  readonly maxPerAddress: number
}

/** One connection, as far as the decision needs it. */
export interface Held {
  readonly address: string
  /** Calls whose heads have arrived and whose answers have not ended. */
  calls: number
  /** Grows with time: when it last began to wait, or to carry. */
  since: number
}

/** The one to close first, or undefined of none. */
export const firstToGo = <H extends Held>(held: Iterable<H>): H | undefined => {
  let first: H | undefined
  for (const one of held) {
    if (first === undefined) first = one
    else if ((one.calls === 0) !== (first.calls === 0)) first = one.calls === 0 ? one : first
    else if (one.since < first.since) first = one
  }
  return first
}

interface Connection extends Held {
  readonly socket: Socket
  /** The newest of its calls. */
  request?: IncomingMessage
  /** Bytes that had arrived at the last check. */
  readBytes: number
}

export class Connections {
  readonly #limits: ConnectionLimits
  readonly #held = new Map<Socket, Connection>()
  readonly #byAddress = new Map<string, Set<Connection>>()
  #moments = 0
  #closing = false

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Adds a new connection, and closes another when there are too many. */
  add(socket: Socket): void {
    // A connection that was closed before it was added emits no event.
    if (socket.destroyed) return
    if (this.#closing) return void socket.destroy()
    const address = ClientAddress.network(ClientAddress.ofPeer(socket.remoteAddress))
    const added: Connection = { socket, address, calls: 0, since: this.#moments++, readBytes: 0 }
    const neighbours = this.#byAddress.get(address) ?? new Set<Connection>()
    this.#byAddress.set(address, neighbours.add(added))
    this.#held.set(socket, added)
    socket.once("close", () => this.#remove(added))
    // Peers of a Unix socket have no address; only the total bounds them.
    if (address !== ClientAddress.unknown && neighbours.size > this.#limits.maxPerAddress) this.#closeOne(neighbours)
    else if (this.#held.size > this.#limits.max) this.#closeOne(this.#largest())
  }

  /** A call's head has arrived. */
  began(request: IncomingMessage): void {
    const connection = this.#held.get(request.socket)
    if (connection === undefined) return
    connection.request = request
    if (connection.calls++ === 0) connection.since = this.#moments++
  }

  /** A call's answer has ended. */
  ended(socket: Socket): void {
    const connection = this.#held.get(socket)
    if (connection === undefined || --connection.calls > 0) return
    connection.since = this.#moments++
    if (this.#closing) socket.destroySoon()
  }

  /** Closes those that carry no call now, and the others as soon as their last one has ended, or its body has stalled for so long. */
  close(stallMillis: number): void {
    this.#closing = true
    for (const { calls, socket } of this.#held.values()) {
      if (calls === 0) socket.destroy()
    }
    const look = () => {
      if (this.#held.size === 0) return clearInterval(timer)
      for (const connection of this.#held.values()) {
        const { readBytes, request, socket } = connection
        connection.readBytes = socket.bytesRead
        if (request?.complete === false && readBytes === socket.bytesRead) socket.destroy()
      }
    }
    for (const connection of this.#held.values()) connection.readBytes = connection.socket.bytesRead
    const timer = setInterval(look, stallMillis).unref()
  }

  #remove(connection: Connection): void {
    const { address, socket } = connection
    this.#held.delete(socket)
    const neighbours = this.#byAddress.get(address)
    neighbours?.delete(connection)
    if (neighbours?.size === 0) this.#byAddress.delete(address)
  }

  /** When there are too many, one of the address that has most is closed. */
  #largest(): ReadonlySet<Connection> {
    let largest: ReadonlySet<Connection> = new Set()
    for (const neighbours of this.#byAddress.values()) {
      if (neighbours.size > largest.size) largest = neighbours
    }
    return largest
  }

  #closeOne(among: ReadonlySet<Connection>): void {
    const connection = firstToGo(among)
    if (connection === undefined) return
    this.#remove(connection)
    connection.socket.destroy()
  }
}
