/** The serving thread's side of {@link file://./PgliteWorker.ts}. */
import { Duplex } from "node:stream"
import { Worker } from "node:worker_threads"
import type { FromWorker, ToWorker, WorkerOptions } from "./PgliteWorker.ts"

/**
 * A PGlite in a thread of its own. When the thread dies its connections fail,
 * and the next one starts another thread.
 */
export class PgliteThread {
  private readonly options: WorkerOptions
  private readonly connections = new Map<number, ThreadConnection>()
  private worker: Worker | undefined
  private closing = false
  private last = 0

  constructor(options: WorkerOptions) {
    this.options = options
  }

  /** Resolves when the database is open; rejects with the reason when it can't be. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = this.running()
      worker.once("error", reject)
      worker.on("message", (message: FromWorker) => {
        if (message.tag === "ready") {
          resolve()
        } else if (message.tag === "refused") {
          reject(new Error(message.reason))
        }
      })
    })
  }

  readonly connect = (): Duplex => {
    const id = ++this.last
    const connection = new ThreadConnection(
      (bytes) => this.running().postMessage({ tag: "data", connection: id, bytes } satisfies ToWorker, [bytes.buffer]),
      () => {
        this.connections.delete(id)
        this.worker?.postMessage({ tag: "end", connection: id } satisfies ToWorker)
      }
    )
    this.connections.set(id, connection)
    if (this.closing) {
      connection.destroy(new Error("The embedded database is closed"))
    }
    return connection
  }

  /** Closes the database in order: nothing of it is running afterwards. */
  async close(): Promise<void> {
    this.closing = true
    const worker = this.worker
    if (worker !== undefined) {
      await new Promise<void>((resolve) => {
        worker.once("exit", () => resolve())
        worker.on("message", (message: FromWorker) => message.tag === "closed" && resolve())
        worker.postMessage({ tag: "close" } satisfies ToWorker)
      })
      await worker.terminate()
    }
  }

  /** Ends the thread without closing anything, as a crash would. */
  async crash(): Promise<void> {
    await this.worker?.terminate()
  }

  private running(): Worker {
    return this.worker ??= this.start()
  }

  private start(): Worker {
    const worker = new Worker(new URL("./PgliteWorker.ts", import.meta.url), {
      workerData: this.options,
      name: "filedrive-database"
    })
    let reason: unknown = new Error("The thread of the embedded database has ended")
    worker.on("error", (error) => (reason = error))
    worker.on("message", (message: FromWorker) => {
      if (message.tag === "data") {
        const { buffer, byteLength, byteOffset } = message.bytes
        this.connections.get(message.connection)?.push(Buffer.from(buffer, byteOffset, byteLength))
      } else if (message.tag === "end") {
        this.connections.get(message.connection)?.destroy()
      } else if (message.tag === "refused") {
        reason = new Error(message.reason)
        void worker.terminate()
      }
    })
    worker.on("exit", () => {
      this.worker = undefined
      for (const connection of this.connections.values()) {
        connection.destroy(reason instanceof Error ? reason : new Error(String(reason)))
      }
    })
    return worker
  }
}

class ThreadConnection extends Duplex {
  private readonly send: (bytes: Uint8Array<ArrayBuffer>) => void
  private readonly announceEnd: () => void

  constructor(send: (bytes: Uint8Array<ArrayBuffer>) => void, end: () => void) {
    super({ allowHalfOpen: false })
    this.send = send
    this.announceEnd = end
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
    this.push(null)
    done(error)
  }
}
