/**
 * The thread that PGlite runs in. Only bytes of the wire protocol cross, under
 * the number of their connection.
 */
import type { Duplex } from "node:stream"
import { parentPort } from "node:worker_threads"
import type { RoomLeft } from "../DiskReserve.ts"
import { beginOnDisk } from "./PgliteDisk.ts"

export type ToWorker =
  /** The first: until it comes the thread does what needs no database. */
  | ({ readonly tag: "open" } & WorkerOptions)
  | { readonly tag: "data"; readonly connection: number; readonly bytes: Uint8Array }
  | { readonly tag: "end"; readonly connection: number }
  | { readonly tag: "close" }
  /** Answered by `room`. */
  | { readonly tag: "readRoom" }
  | { readonly tag: "ping" }

export type FromWorker =
  | { readonly tag: "ready" }
  /** The thread can't continue: it could not open the database, has lost it, or has no room left for what it must write. */
  | { readonly tag: "refused"; readonly reason: string; readonly code?: string | undefined }
  | { readonly tag: "pong" }
  /** How much room is left on the disk: sent when that has changed, and on request. */
  | { readonly tag: "room"; readonly left: RoomLeft; readonly isAnswer: boolean }
  | { readonly tag: "data"; readonly connection: number; readonly bytes: Uint8Array }
  | { readonly tag: "end"; readonly connection: number }
  | { readonly tag: "closed" }

export interface WorkerOptions {
  readonly directory: string
  /** Whether it was open before in this process, so that no new one must be made. */
  readonly mustExist?: boolean
  /** Where the drive's tables will be, when the database is made. */
  readonly schema?: string | undefined
}

/** How often the disk is checked, which other programs fill too. */
const checkMillis = 250

const said = (error: unknown): string => error instanceof Error ? error.message : String(error)

const serve = async (
  port: NonNullable<typeof parentPort>,
  openOnDisk: ReturnType<typeof beginOnDisk>,
  { directory, mustExist = false, schema }: WorkerOptions
): Promise<(message: ToWorker) => void> => {
  const post = (message: FromWorker, transfer: ReadonlyArray<ArrayBuffer> = []) => port.postMessage(message, transfer)
  let last: RoomLeft = "ample"
  const tell = (left: RoomLeft, isAnswer = false) => {
    if (left !== last || isAnswer) post({ tag: "room", left, isAnswer })
    last = left
  }
  const { pglite, refill, wire } = await openOnDisk({
    directory,
    mustExist,
    schema,
    onReserveGiven: (left) => tell(left),
    onFail: (cause) => post({ tag: "refused", reason: `The embedded database has stopped working: ${said(cause)}` }),
    onDiskFull: () =>
      post({ tag: "refused", reason: "The disk has no room for what the database must write.", code: "ENOSPC" })
  })
  const sendRoom = (isAnswer = false) => {
    try {
      tell(refill(), isAnswer)
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
    // The other side notices by the exit that follows.
    stream.on("error", () => {})
    stream.on("close", () => {
      connections.delete(connection)
      post({ tag: "end", connection })
    })
    return stream
  }

  const handle = (message: ToWorker) => {
    switch (message.tag) {
      case "open":
        return
      case "data":
        return void (connections.get(message.connection) ?? open(message.connection)).write(Buffer.from(message.bytes))
      case "end":
        return void connections.get(message.connection)?.destroy()
      case "ping":
        return post({ tag: "pong" })
      case "readRoom":
        return sendRoom(true)
      case "close":
        return void pglite.close().then(() => post({ tag: "closed" }))
    }
  }
  sendRoom()
  setInterval(() => sendRoom(), checkMillis).unref()
  post({ tag: "ready" })
  return handle
}

if (parentPort !== null) {
  const port = parentPort
  const begun = beginOnDisk()
  /** Messages that came before the database was open. */
  const waiting: Array<ToWorker> = []
  let handle = (message: ToWorker): void => {
    if (message.tag !== "open") return void waiting.push(message)
    serve(port, begun, message).then(
      (ready) => {
        handle = ready
        for (const message of waiting.splice(0)) ready(message)
      },
      (error: unknown) =>
        port.postMessage(
          {
            tag: "refused",
            reason: said(error),
            code: (error as { readonly code?: string } | null)?.code
          } satisfies FromWorker
        )
    )
  }
  port.on("message", (message: ToWorker) => handle(message))
}
