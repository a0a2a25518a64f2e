/**
 * The disk store's own data plane: the URLs and forms it signs lead here. A
 * host mounts one of the two handlers at the path of the store's endpoint.
 *
 * The server around it must not limit how long a request takes
 * (`server.requestTimeout = 0`): a large upload over a slow line takes hours.
 * Bodies that stall are cut here.
 */
import { Context, Duration, Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { begin, ResponseWriter } from "../../http/ResponseWriter.ts"
import { drain } from "../RestOfBody.ts"
import { ObjectGone } from "./DirectoryObjects.ts"
import { BufferPool, download, toReadableStream } from "./Download.ts"
import { getObject } from "./GetObject.ts"
import { ObjectDamaged } from "./ObjectDamaged.ts"
import { postForm } from "./PostForm.ts"
import { putPart } from "./PutPart.ts"
import { RangeReader } from "./RangeReader.ts"
import { isFull } from "./Room.ts"
import { corsHeaders, header, parseTarget, refuse, type Reply, type S3Exchange } from "./S3Exchange.ts"
import { noSpace, StorageError } from "./StorageError.ts"
import type { Stored } from "./Stored.ts"

export class DiskRoutes extends Context.Service<DiskRoutes, {
  /** For `node:http`; the faster one by half. `req.url` may begin with the mount's path or come without it. */
  readonly handleNode: (req: IncomingMessage, res: ServerResponse) => void
  /** For web-standard hosts. */
  readonly handleWeb: (request: Request) => Promise<Response>
  /** Logs a warning while the disk is full. To be run once all of the program has started, since one that can't start says why. */
  readonly warnIfFull: Effect.Effect<void>
}>()("@filedrive/adapter-node/storage/disk/DiskRoutes") {}

export const make = (store: Stored, logDefect: (error: unknown) => void): DiskRoutes["Service"] => {
  const mount = new URL(store.signing.endpoint).pathname.replace(/\/+$/, "")
  const pool = new BufferPool()
  const idleMillis = Duration.toMillis(store.stalls.interval)

  const route = (exchange: S3Exchange): Promise<Reply> | Reply => {
    if (exchange.method === "OPTIONS") return preflight(exchange)
    const target = parseTarget(exchange.url, mount)
    switch (exchange.method) {
      case "POST":
        return postForm(store, exchange, target)
      case "PUT":
        return putPart(store, exchange, target)
      case "GET":
      case "HEAD":
        return getObject(store, exchange, target)
      default:
        throw new StorageError("MethodNotAllowed", "The store takes GET, HEAD, PUT and POST.", {
          allow: "GET, HEAD, PUT, POST, OPTIONS"
        })
    }
  }

  const answer = async (exchange: S3Exchange): Promise<Reply> => {
    try {
      return await route(exchange)
    } catch (error) {
      if (error instanceof StorageError) return refuse(error)
      if (isFull(error)) return refuse(noSpace())
      if (error instanceof ObjectGone) return refuse(new StorageError("NoSuchKey", "There is no such key."))
      logDefect(error)
      // The same answer as for a deleted object: a retry can't help.
      if (error instanceof ObjectDamaged) {
        return refuse(new StorageError("NoSuchKey", "The bytes of this object are lost."))
      }
      return refuse(new StorageError("InternalError", "The store could not do this; try again."))
    }
  }

  const respond = async (req: IncomingMessage, res: ServerResponse, reply: Reply): Promise<void> => {
    const unread = !req.complete
    if (!begin(res, reply.status, unread ? { ...reply.headers, connection: "close" } : { ...reply.headers })) {
      return reply.body instanceof RangeReader ? reply.body.close() : undefined
    }
    if (reply.body instanceof RangeReader) {
      res.setTimeout(idleMillis, () => res.destroy())
      return download(reply.body, res, pool)
    }
    const writer = new ResponseWriter(res)
    if (!unread) return writer.end(reply.body)
    // The answer is written at once, but ended only after the body was read: a closed socket would lose it.
    void writer.write(reply.body ?? "")
    writer.flush()
    await drain(req, store.stalls)
    writer.end()
  }

  const handleNode = (req: IncomingMessage, res: ServerResponse): void => {
    const exchange = { method: req.method ?? "", url: req.url ?? "", headers: req.headers, body: req }
    answer(exchange).then((reply) => respond(req, res, reply)).catch((error: unknown) => {
      if (!(error instanceof ObjectGone)) logDefect(error)
      res.destroy()
    })
  }

  const handleWeb = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const body = request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as never)
    // A body that is destroyed unread emits an error; its reader knows already.
    body.on("error", () => {})
    const exchange = {
      method: request.method,
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      body
    }
    const reply = await answer(exchange)
    void drain(body, store.stalls)
    const content = reply.body instanceof RangeReader ? toReadableStream(reply.body, store.stalls) : reply.body ?? null
    return new Response(content, { status: reply.status, headers: { ...reply.headers } })
  }

  // A drive whose disk is full starts: what is on it can be read, and removed.
  const warnIfFull = Effect.flatMap(Effect.promise(() => store.room.left()), (left) =>
    left < 1
      ? Effect.logWarning(`The disk of ${store.layout.root} is full: uploads are refused until there is room.`)
      : Effect.void)

  return DiskRoutes.of({ handleNode, handleWeb, warnIfFull })
}

const preflight = (exchange: S3Exchange): Reply => ({
  status: 204,
  headers: {
    ...corsHeaders,
    "access-control-allow-methods": "GET, HEAD, PUT, POST",
    "access-control-allow-headers": header(exchange, "access-control-request-headers") ?? "*",
    "access-control-max-age": "86400"
  }
})
