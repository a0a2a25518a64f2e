/**
 * Lets `@effect/sql-pg` speak its own wire protocol to a PGlite in this thread:
 * `PgClient.layer({ stream: wire.connect, ssl: false })`.
 *
 * Each virtual connection is a Duplex; all of them share PGlite's one session.
 * What makes that look like many:
 * - a batch (everything up to Sync or Query) runs in one piece;
 * - while a transaction is open only its owner's batches run, the others queue;
 * - after a long one those who waited go first, and background work after all others ({@link "./Precedence.ts"});
 * - a notification goes to each connection that listens on its channel;
 * - a closed connection takes its transaction and prepared statements with it.
 */
import { Duplex } from "node:stream"
import { backgroundLagMillis, Precedence } from "./Precedence.ts"
import {
  begins,
  channelOf,
  closeStatements,
  encodeQuery,
  type Frame,
  frameLength,
  frames,
  isNamed,
  startup
} from "./WireFrames.ts"

/** The one session behind the wire. `execute` runs synchronously and returns the backend's bytes. */
export interface WireBackend {
  readonly execute: (message: Uint8Array) => Buffer
  readonly inTransaction: () => boolean
  /**
   * Called after each batch; `run` runs a statement of the backend's own and says whether that worked, `isFree` says that
   * no transaction is open.
   */
  readonly afterBatch?: ((run: (sql: string) => boolean, isFree: boolean) => void) | undefined
  /** The machine's own, in milliseconds. */
  readonly clock?:
    | { readonly now: () => number; readonly after: (millis: number, work: () => void) => void }
    | undefined
}

interface Batch {
  readonly connection: WireConnection
  readonly bytes: Buffer
  /** Whether it begins a transaction. */
  readonly begins: boolean
  readonly asked: number
}

/** The application name by which the connection of background work is recognised. */
export const backgroundName = "filedrive background"

const machineClock: NonNullable<WireBackend["clock"]> = {
  now: () => performance.now(),
  after: (millis, work) => void setTimeout(work, millis)
}

export class PgliteWire {
  private readonly backend: WireBackend
  private readonly clock: NonNullable<WireBackend["clock"]>
  private readonly precedence = new Precedence()
  private readonly connections = new Set<WireConnection>()
  private queue: Array<Batch> = []
  private owner: WireConnection | undefined
  private scheduled = false
  /** Only transactions that must pause are in the queue. */
  private pausing = false
  private broken: Error | undefined

  constructor(backend: WireBackend) {
    this.backend = backend
    this.clock = backend.clock ?? machineClock
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

  enqueue(connection: WireConnection, bytes: Buffer, begins: boolean): void {
    this.queue.push({ connection, bytes, begins, asked: this.clock.now() })
    this.schedule()
  }

  /** Removes a connection, and what it left in the shared session. */
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

  /** Takes the next batch from the queue; undefined while the queue is empty or everything in it has to wait. */
  private take(): Batch | undefined {
    const now = this.clock.now()
    let pause = Infinity
    let [next, nextPlace] = [-1, Infinity]
    /** Later batches of these connections come after the one that waits. */
    const seen = new Set<WireConnection>()
    for (const [index, { asked, begins, connection }] of this.queue.entries()) {
      if (seen.has(connection) || (this.owner !== undefined && connection !== this.owner)) continue
      seen.add(connection)
      const { isBackground } = connection
      const wait = this.owner === undefined && (begins || isBackground) ? this.precedence.wait(asked, now) : 0
      const place = isBackground ? asked + backgroundLagMillis : asked
      if (wait > 0) pause = Math.min(pause, wait)
      else if (place < nextPlace) [next, nextPlace] = [index, place]
    }
    if (next >= 0) return this.queue.splice(next, 1)[0]
    if (this.owner === undefined && this.queue.length > 0 && !this.pausing) {
      this.pausing = true
      this.clock.after(pause, () => {
        this.pausing = false
        this.schedule()
      })
    }
    return undefined
  }

  private drain(): void {
    for (;;) {
      const batch = this.take()
      if (batch === undefined) {
        return
      }
      if (this.owner === undefined) this.precedence.begin(this.clock.now())
      const answer = this.backend.execute(batch.bytes)
      this.owner = this.backend.inTransaction() ? batch.connection : undefined
      if (this.owner === undefined) {
        this.precedence.end(this.clock.now(), this.queue.some(({ connection }) => connection !== batch.connection))
      }
      if (batch.connection.droppedChannels.size > 0) {
        this.keepListening(batch.connection)
      }
      this.deliver(batch.connection, answer)
      this.backend.afterBatch?.(this.run, this.owner === undefined)
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
const bind = 0x42 // B
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
  /** Those of the prepared statements that begin a transaction. */
  private readonly beginnings = new Set<string>()
  private begins = false
  isBackground = false

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
        this.wire.enqueue(this, this.pending.subarray(batchStart, offset + length), this.begins)
        this.begins = false
        batchStart = offset + length
      }
    }
    this.pending = this.pending.subarray(batchStart)
    done()
  }

  /** Whether the start-up message has been passed on; encryption is declined and a cancel request is ignored. */
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
        this.isBackground = isNamed(message.bytes, backgroundName)
        this.wire.enqueue(this, message.bytes, false)
        return true
      }
    }
  }

  /** Keeps track of what this connection holds in the shared session. */
  private note({ bytes, type }: Frame): void {
    if (type === parse) {
      const nameEnd = bytes.indexOf(0, 5)
      const name = bytes.toString("latin1", 5, nameEnd)
      if (name !== "") {
        this.statements.add(name)
      }
      if (begins(bytes, nameEnd + 1)) this.beginnings.add(name)
      else this.beginnings.delete(name)
      this.noteListen(bytes, nameEnd + 1)
    } else if (type === bind) {
      const nameStart = bytes.indexOf(0, 5) + 1
      const name = bytes.toString("latin1", nameStart, bytes.indexOf(0, nameStart))
      if (this.beginnings.has(name)) this.begins = true
    } else if (type === simpleQuery) {
      if (begins(bytes, 5)) this.begins = true
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
