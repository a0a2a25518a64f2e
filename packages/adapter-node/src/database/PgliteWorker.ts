/**
 * The thread that PGlite runs in. Only bytes of the wire protocol cross, under
 * the number of their connection.
 */
import type { Duplex } from "node:stream"
import { parentPort, workerData } from "node:worker_threads"
import { openOnDisk } from "./PgliteDisk.ts"

export type ToWorker =
  | { readonly tag: "data"; readonly connection: number; readonly bytes: Uint8Array }
  | { readonly tag: "end"; readonly connection: number }
  | { readonly tag: "close" }
  | { readonly tag: "ping" }

export type FromWorker =
  | { readonly tag: "ready" }
  /** The thread is of no use: it could not open the database, has lost it, or has no room left for its log. */
  | { readonly tag: "refused"; readonly reason: string; readonly code?: string | undefined }
  | { readonly tag: "pong" }
  | { readonly tag: "data"; readonly connection: number; readonly bytes: Uint8Array }
  | { readonly tag: "end"; readonly connection: number }
  | { readonly tag: "closed" }

export interface WorkerOptions {
  readonly directory: string
}

const said = (error: unknown): string => error instanceof Error ? error.message : String(error)

const serve = async (port: NonNullable<typeof parentPort>, { directory }: WorkerOptions) => {
  const post = (message: FromWorker, transfer: ReadonlyArray<ArrayBuffer> = []) => port.postMessage(message, transfer)
  const { pglite, wire } = await openOnDisk({
    directory,
    onFail: (cause) => post({ tag: "refused", reason: `The embedded database has stopped working: ${said(cause)}` }),
    onLogFull: () =>
      post({ tag: "refused", reason: "The disk has no room for the log of the database.", code: "ENOSPC" })
  })
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
      case "close":
        return void pglite.close().then(() => post({ tag: "closed" }))
    }
  })
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
