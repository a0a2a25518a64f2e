/**
 * Lets `@effect/sql-pg` speak its own wire protocol to a PGlite in this thread:
 * `PgClient.layer({ stream: wire.connect, ssl: false })`.
 *
 * Each virtual connection is a Duplex; all of them share PGlite's one session.
 * What makes that look like many:
 * - a batch (everything up to Sync or Query) runs in one piece;
 * - while a transaction is open only its owner's batches run, the others queue;
 * - a notification goes to each connection that listens on its channel;
 * - a closed connection takes its transaction and prepared statements with it.
 */
import { Duplex } from "node:stream"
import { channelOf, closeStatements, encodeQuery, type Frame, frameLength, frames, startup } from "./WireFrames.ts"

/** The one session behind the wire. `execute` runs synchronously and answers the backend's bytes. */
export interface WireBackend {
  readonly execute: (message: Uint8Array) => Buffer
  readonly inTransaction: () => boolean
  /** Called after each batch; `run` runs a statement of the backend's own and says whether that worked. */
  readonly afterBatch?: ((run: (sql: string) => boolean) => void) | undefined
}

interface Batch {
  readonly connection: WireConnection
  readonly bytes: Buffer
}

export class PgliteWire {
  private readonly backend: WireBackend
  private readonly connections = new Set<WireConnection>()
  private queue: Array<Batch> = []
  private owner: WireConnection | undefined
  private scheduled = false
  private broken: Error | undefined

  constructor(backend: WireBackend) {
    this.backend = backend
  }

  readonly connect = (): Duplex => {
    const connection = new WireConnection(this)
    if (this.broken === undefined) {
      this.connections.add(connection)
    } else {
      connection.destroy(this.broken)
    }
    return connection
  }

  enqueue(connection: WireConnection, bytes: Buffer): void {
    this.queue.push({ connection, bytes })
    this.schedule()
  }

  /** Forgets a connection, and what it left in the shared session. */
  release(connection: WireConnection): void {
    if (!this.connections.delete(connection) || this.broken !== undefined) {
      return
    }
    this.queue = this.queue.filter((batch) => batch.connection !== connection)
    if (this.owner === connection) {
      this.owner = undefined
      this.backend.execute(encodeQuery("ROLLBACK"))
    }
    if (connection.statements.size > 0) {
      this.backend.execute(closeStatements(connection.statements))
    }
    this.schedule()
  }

  private schedule(): void {
    if (!this.scheduled) {
      this.scheduled = true
      queueMicrotask(() => {
        this.scheduled = false
        this.drain()
      })
    }
  }

  private drain(): void {
    for (;;) {
      const index = this.owner === undefined ? 0 : this.queue.findIndex((batch) => batch.connection === this.owner)
      const batch = index < 0 ? undefined : this.queue.splice(index, 1)[0]
      if (batch === undefined) {
        return
      }
      const answer = this.backend.execute(batch.bytes)
      this.owner = this.backend.inTransaction() ? batch.connection : undefined
      if (batch.connection.droppedChannels.size > 0) {
        this.keepListening(batch.connection)
      }
      this.deliver(batch.connection, answer)
      this.backend.afterBatch?.(this.run)
    }
  }

  private readonly run = (sql: string): boolean => {
    for (const { type } of frames(this.backend.execute(encodeQuery(sql)))) {
      if (type === failed) return false
    }
    return true
  }

  /** The session is lost: every connection fails, and so does each one made later. */
  fail(cause: unknown): void {
    this.broken = new Error("PGlite has stopped working", { cause })
    this.queue = []
    for (const connection of this.connections) {
      connection.destroy(this.broken)
    }
  }

  /** UNLISTEN of one connection has ended the others' listening on the channel: the session is shared. */
  private keepListening(connection: WireConnection): void {
    for (const channel of connection.droppedChannels) {
      if ([...this.connections].some((other) => other.channels.has(channel))) {
        this.backend.execute(encodeQuery(`LISTEN "${channel.replaceAll("\"", "\"\"")}"`))
      }
    }
    connection.droppedChannels.clear()
  }

  private deliver(connection: WireConnection, answer: Buffer): void {
    const own: Array<Buffer> = []
    let start = 0
    let offset = 0
    for (const { bytes, type } of frames(answer)) {
      if (type === notification) {
        own.push(answer.subarray(start, offset))
        start = offset + bytes.length
        this.notify(bytes)
      }
      offset += bytes.length
    }
    connection.push(own.length === 0 ? answer : Buffer.concat([...own, answer.subarray(start)]))
  }

  private notify(frame: Buffer): void {
    const channel = frame.toString("utf8", 9, frame.indexOf(0, 9))
    for (const connection of this.connections) {
      if (connection.channels.has(channel)) {
        connection.push(frame)
      }
    }
  }
}

const notification = 0x41 // A
const failed = 0x45 // E
const parse = 0x50 // P
const simpleQuery = 0x51 // Q
const sync = 0x53 // S
const terminate = 0x58 // X
const close = 0x43 // C

class WireConnection extends Duplex {
  /** Prepared statements this connection has made in the session. */
  readonly statements = new Set<string>()
  readonly channels = new Set<string>()
  readonly droppedChannels = new Set<string>()
  private readonly wire: PgliteWire
  private pending: Buffer = Buffer.alloc(0)
  private started = false

  constructor(wire: PgliteWire) {
    super({ allowHalfOpen: false })
    this.wire = wire
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk])
    if (!this.started && !this.start()) {
      return done()
    }
    let batchStart = 0
    let offset = 0
    for (let length; (length = frameLength(this.pending, offset)) !== undefined; offset += length) {
      const frame: Frame = { type: this.pending[offset]!, bytes: this.pending.subarray(offset, offset + length) }
      this.note(frame)
      if (frame.type === terminate) {
        this.destroy()
        return done()
      }
      if (frame.type === sync || frame.type === simpleQuery) {
        this.wire.enqueue(this, this.pending.subarray(batchStart, offset + length))
        batchStart = offset + length
      }
    }
    this.pending = this.pending.subarray(batchStart)
    done()
  }

  /** Whether the start-up message has been passed on; encryption is declined and a cancel has nobody to reach. */
  private start(): boolean {
    for (;;) {
      const message = startup(this.pending)
      if (message === undefined) {
        return false
      }
      this.pending = this.pending.subarray(message.bytes.length)
      if (message.kind === "ssl") {
        this.push("N")
      } else if (message.kind === "cancel") {
        this.destroy()
        return false
      } else {
        this.started = true
        this.wire.enqueue(this, message.bytes)
        return true
      }
    }
  }

  /** Keeps track of what this connection holds in the shared session. */
  private note({ bytes, type }: Frame): void {
    if (type === parse) {
      const nameEnd = bytes.indexOf(0, 5)
      if (nameEnd > 5) {
        this.statements.add(bytes.toString("latin1", 5, nameEnd))
      }
      this.noteListen(bytes, nameEnd + 1)
    } else if (type === simpleQuery) {
      this.noteListen(bytes, 5)
    } else if (type === close && bytes[5] === sync) {
      this.statements.delete(bytes.toString("latin1", 6, bytes.length - 1))
    }
  }

  private noteListen(bytes: Buffer, start: number): void {
    const found = channelOf(bytes, start)
    if (found?.listen === true) {
      this.channels.add(found.channel)
    } else if (found !== undefined && this.channels.delete(found.channel)) {
      this.droppedChannels.add(found.channel)
    }
  }

  override _final(done: (error?: Error) => void): void {
    this.wire.release(this)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.wire.release(this)
    this.push(null)
    done(error)
  }
}
