/**
 * The thread that PGlite runs in. Only bytes of the wire protocol cross, under
 * the number of their connection.
 */
import type { Duplex } from "node:stream"
import { parentPort, workerData } from "node:worker_threads"
import type { RoomLeft } from "../DiskReserve.ts"
import { openOnDisk } from "./PgliteDisk.ts"

export type ToWorker =
  | { readonly tag: "data"; readonly connection: number; readonly bytes: Uint8Array }
  | { readonly tag: "end"; readonly connection: number }
  | { readonly tag: "close" }
  /** Answered by `room`. */
  | { readonly tag: "look" }
  | { readonly tag: "ping" }

export type FromWorker =
  | { readonly tag: "ready" }
  /** The thread is of no use: it could not open the database, has lost it, or has no room left for its log. */
  | { readonly tag: "refused"; readonly reason: string; readonly code?: string | undefined }
  | { readonly tag: "pong" }
  /** How much room is left on the disk: when that has changed, and when it was asked. */
  | { readonly tag: "room"; readonly left: RoomLeft; readonly isAnswer: boolean }
  | { readonly tag: "data"; readonly connection: number; readonly bytes: Uint8Array }
  | { readonly tag: "end"; readonly connection: number }
  | { readonly tag: "closed" }

export interface WorkerOptions {
  readonly directory: string
  /** Whether it was open before in this process, so that no new one must be made. */
  readonly mustExist?: boolean
}

/** How often the disk is looked at, which others fill too. */
const lookMillis = 250

const said = (error: unknown): string => error instanceof Error ? error.message : String(error)

const serve = async (port: NonNullable<typeof parentPort>, { directory, mustExist = false }: WorkerOptions) => {
  const post = (message: FromWorker, transfer: ReadonlyArray<ArrayBuffer> = []) => port.postMessage(message, transfer)
  let last: RoomLeft = "ample"
  const tell = (left: RoomLeft, isAnswer = false) => {
    if (left !== last || isAnswer) post({ tag: "room", left, isAnswer })
    last = left
  }
  const { look, pglite, wire } = await openOnDisk({
    directory,
    mustExist,
    onReserveGiven: (left) => tell(left),
    onFail: (cause) => post({ tag: "refused", reason: `The embedded database has stopped working: ${said(cause)}` }),
    onLogFull: () =>
      post({ tag: "refused", reason: "The disk has no room for the log of the database.", code: "ENOSPC" })
  })
  const lookAt = (isAnswer = false) => {
    try {
      tell(look(), isAnswer)
    } catch (error) {
      post({ tag: "refused", reason: said(error) })
    }
  }
  const connections = new Map<number, Duplex>()

  const open = (connection: number): Duplex => {
    const stream = wire.connect()
    connections.set(connection, stream)
    stream.on("data", (chunk: Buffer) => {
      const bytes = new Uint8Array(chunk)
      post({ tag: "data", connection, bytes }, [bytes.buffer])
    })
    // The other side learns of it from the end that follows.
    stream.on("error", () => {})
    stream.on("close", () => {
      connections.delete(connection)
      post({ tag: "end", connection })
    })
    return stream
  }

  port.on("message", (message: ToWorker) => {
    switch (message.tag) {
      case "data":
        return void (connections.get(message.connection) ?? open(message.connection)).write(Buffer.from(message.bytes))
      case "end":
        return void connections.get(message.connection)?.destroy()
      case "ping":
        return post({ tag: "pong" })
      case "look":
        return lookAt(true)
      case "close":
        return void pglite.close().then(() => post({ tag: "closed" }))
    }
  })
  lookAt()
  setInterval(() => lookAt(), lookMillis).unref()
  post({ tag: "ready" })
}

if (parentPort !== null) {
  const port = parentPort
  serve(port, workerData as WorkerOptions).catch((error: unknown) =>
    port.postMessage(
      {
        tag: "refused",
        reason: said(error),
        code: (error as { readonly code?: string } | null)?.code
      } satisfies FromWorker
    )
  )
}
