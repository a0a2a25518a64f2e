/** The serving thread's side of {@link file://./PgliteWorker.ts}. */
import { Duplex } from "node:stream"
import type { Worker } from "node:worker_threads"
import type { RoomLeft } from "../DiskReserve.ts"
import { takeThread } from "./EarlyThread.ts"
import { whatToDo } from "./PgliteDirectory.ts"
import type { FromWorker, ToWorker, WorkerOptions } from "./PgliteWorker.ts"
import { ThreadWatch } from "./ThreadWatch.ts"

export interface ThreadOptions extends WorkerOptions {
  /** A thread that gives no answer for this long is ended. Default 30 seconds; work on whole tables has longer. */
  readonly patienceMillis?: number
  /** How long closing in order may take before the thread is ended. Default 10 seconds. */
  readonly closeMillis?: number
  /** The module the thread runs: tests use a faulty one. */
  readonly module?: URL
}

/**
 * A PGlite in a thread of its own. When the thread dies, fails or gives no answer
 * its connections fail, and the next one starts another thread.
 */
export class PgliteThread {
  readonly watch: ThreadWatch
  private readonly options: ThreadOptions
  private readonly connections = new Map<number, ThreadConnection>()
  private sent = 0
  private roomLeft: RoomLeft = "ample"
  /** Callers who wait for how much room is left. */
  private askers: Array<(left: RoomLeft) => void> = []
  private worker: Worker | undefined
  private closing = false
  /** How many connections wait for the answer to a statement: only then does the thread keep the process running. */
  private working = 0
  /** It was told to end and may still be running: two threads on one directory would destroy the database. */
  private ending = false
  /** Why the last thread has ended. */
  private reason = ended
  private last = 0
  private wasOpen = false

  constructor(options: ThreadOptions) {
    this.options = options
    this.watch = new ThreadWatch(options.patienceMillis ?? 30_000)
  }

  /** Resolves when the database is open; rejects with the reason when it can't be. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = this.running()
      worker.on("message", (message: FromWorker) => message.tag === "ready" && resolve())
      worker.once("exit", () => reject(this.reason === ended ? endedOnOpening : this.reason))
    })
  }

  /** How many statements it got so far, in all connections; a batch of them counts once. */
  readonly asked = (): number => this.sent

  /** How much room the disk had at the last check, a moment ago. */
  readonly room = (): RoomLeft => this.roomLeft

  /** How much it has now. A thread that has ended is started again by the next statement, which may tell more. */
  readonly lookAtRoom = (): Promise<RoomLeft> =>
    new Promise((resolve) => {
      if (this.worker === undefined || this.ending) return resolve(this.roomLeft)
      this.askers.push(resolve)
      if (this.askers.length === 1) this.worker.postMessage({ tag: "readRoom" } satisfies ToWorker)
    })

  readonly connect = (): Duplex => {
    const id = ++this.last
    const connection = new ThreadConnection(
      (bytes) => {
        this.watch.sent()
        this.sent++
        this.running().postMessage({ tag: "data", connection: id, bytes } satisfies ToWorker, [bytes.buffer])
      },
      () => {
        this.connections.delete(id)
        this.worker?.postMessage({ tag: "end", connection: id } satisfies ToWorker)
      },
      (isWorking) => {
        this.working += isWorking ? 1 : -1
        if (this.working > 0) this.worker?.ref()
        else if (!this.closing) this.worker?.unref()
      }
    )
    this.connections.set(id, connection)
    if (this.closing) connection.destroy(new Error("The embedded database is closed"))
    else if (this.ending) connection.destroy(this.reason)
    return connection
  }

  /** Closes the database in order, or kills its thread when that takes too long: nothing of it runs afterwards. */
  async close(): Promise<void> {
    this.closing = true
    const worker = this.worker
    if (worker !== undefined) {
      worker.ref()
      await new Promise<void>((resolve) => {
        const giveUp = setTimeout(resolve, this.options.closeMillis ?? 10_000)
        const done = () => {
          clearTimeout(giveUp)
          resolve()
        }
        worker.once("exit", done)
        worker.on("message", (message: FromWorker) => message.tag === "closed" && done())
        worker.postMessage({ tag: "close" } satisfies ToWorker)
      })
      await worker.terminate()
    }
  }

  /** Kills the thread without closing anything, as a crash would. */
  async crash(): Promise<void> {
    await this.worker?.terminate()
  }

  private running(): Worker {
    return this.worker ??= this.start()
  }

  private start(): Worker {
    const { directory, module, schema } = this.options
    const worker = takeThread(module)
    worker.postMessage({ tag: "open", directory, mustExist: this.wasOpen, schema } satisfies ToWorker)
    this.reason = ended
    const end = (reason: Error) => {
      this.reason = reason
      this.ending = true
      this.fail()
      void worker.terminate()
    }
    this.watch.start(() => worker.postMessage({ tag: "ping" } satisfies ToWorker), end)
    worker.on("error", (error) => (this.reason = error instanceof Error ? error : new Error(String(error))))
    worker.on("message", (message: FromWorker) => {
      if (this.ending) return
      this.watch.heard()
      switch (message.tag) {
        case "data": {
          const { buffer, byteLength, byteOffset } = message.bytes
          return void this.connections.get(message.connection)?.push(Buffer.from(buffer, byteOffset, byteLength))
        }
        case "end":
          return void this.connections.get(message.connection)?.destroy()
        case "ready":
          this.wasOpen = true
          this.watch.opened()
          if (this.working === 0 && !this.closing) worker.unref()
          return this.watch.answeredAll()
        case "pong":
          return this.watch.answeredAll()
        case "room":
          this.roomLeft = message.left
          return message.isAnswer ? this.answerAskers() : undefined
        case "refused":
          return end(Object.assign(new Error(message.reason), message.code === undefined ? {} : { code: message.code }))
      }
    })
    worker.on("exit", () => {
      this.worker = undefined
      this.ending = false
      this.fail()
    })
    return worker
  }

  private answerAskers(): void {
    for (const resolve of this.askers.splice(0)) resolve(this.roomLeft)
  }

  /** Fails what the thread will no longer answer. */
  private fail(): void {
    this.watch.stop()
    // No longer known; the next start of the thread tells.
    this.roomLeft = "ample"
    this.answerAskers()
    for (const connection of this.connections.values()) connection.destroy(this.reason)
  }
}

const ended = new Error("The thread of the embedded database has ended.")

const endedOnOpening = new Error(
  `PGlite ended while it was opening the database's files: they may be damaged. ${whatToDo}`
)

class ThreadConnection extends Duplex {
  private readonly send: (bytes: Uint8Array<ArrayBuffer>) => void
  private readonly announceEnd: () => void
  private readonly announceWork: (isWorking: boolean) => void
  private isWorking = false

  constructor(
    send: (bytes: Uint8Array<ArrayBuffer>) => void,
    end: () => void,
    announceWork: (isWorking: boolean) => void
  ) {
    super({ allowHalfOpen: false })
    this.send = send
    this.announceEnd = end
    this.announceWork = announceWork
  }

  /** Like `ref` of a socket: from now on the connection keeps the process running. */
  ref(): void {
    this.turn(true)
  }

  /** Like `unref` of a socket: from now on it doesn't. */
  unref(): void {
    this.turn(false)
  }

  private turn(isWorking: boolean): void {
    if (isWorking === this.isWorking) return
    this.isWorking = isWorking
    this.announceWork(isWorking)
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    // Copied, because the chunk may be part of a larger buffer that the driver keeps.
    this.send(new Uint8Array(chunk))
    done()
  }

  override _final(done: (error?: Error) => void): void {
    this.announceEnd()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.announceEnd()
    this.unref()
    this.push(null)
    done(error)
  }
}
