/**
 * Serves a stored file to a program on this machine, while the program reads
 * it: at a port of 127.0.0.1, by ranges, whatever the storage. So no
 * program is given a signed link, and every byte is counted here.
 *
 * Arguments of a program are shown to everyone on the machine. So the address in
 * them is useless by itself: the program has to request it from a proxy, and the
 * proxy's address, with the password that it requires, is in the environment, which
 * only its own user can read.
 *
 * A program that makes a file sends it to the same address, and what receives it decides how fast it comes.
 */
import { DriveError } from "@filedrive/core"
import { Deferred, Effect, Exit, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { SourceBlocks } from "../SourceBlocks.ts"

export interface Served {
  /** The same for every file. */
  readonly url: string
  readonly environment: Readonly<Record<string, string>>
  /** Fails once the file can't be read any further: by the store's failure, or when the reader's limit is reached. */
  readonly failed: Effect.Effect<never, DriveError.Unreadable | DriveError.Unavailable>
}

/** What a program sends. */
export interface Upload<E> {
  /** Takes the next bytes. Its failure ends the program. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, E>
}

/** Of a program that sends something. */
export interface ServedBothWays<E> extends Omit<Served, "failed"> {
  readonly failed: Effect.Effect<never, DriveError.Unreadable | DriveError.Unavailable | E>
  /** Resolves when all of it was received. */
  readonly received: Effect.Effect<void>
}

export interface RangeProxy {
  /** Where it listens on 127.0.0.1. */
  readonly port: Effect.Effect<number, DriveError.Unavailable>
  /** Serves a file until the scope closes; connections to it end then. */
  readonly serve: (blocks: SourceBlocks) => Effect.Effect<Served, DriveError.Unavailable, Scope.Scope>
  /** The same, and receives what the program sends, once. */
  readonly serveBothWays: <E>(
    blocks: SourceBlocks,
    upload: Upload<E>
  ) => Effect.Effect<ServedBothWays<E>, DriveError.Unavailable, Scope.Scope>
}

interface Job {
  readonly blocks: SourceBlocks
  /** Receives what is sent; null when nothing is expected, or it has come. */
  receive: ((request: IncomingMessage) => Effect.Effect<void>) | null
  readonly failure: Deferred.Deferred<never, DriveError.Unreadable | DriveError.Unavailable>
  readonly connections: Set<ServerResponse>
}

const url = "http://file/"
const user = "filedrive"

/** First and last byte of a range header, null without one, undefined when it is not within the file. */
export const parseRange = (
  header: string | undefined,
  sizeBytes: number
): { readonly start: number; readonly end: number } | null | undefined => {
  if (header === undefined) return null
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header) ?? []
  if (first === undefined) return undefined
  const start = Number(first)
  const end = last === "" || last === undefined ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  return start <= end ? { start, end } : undefined
}

/** Resolves when the connection has accepted the bytes; never when it has closed. */
const write = (response: ServerResponse, bytes: Uint8Array): Effect.Effect<void> =>
  Effect.callback((resume) =>
    void response.write(bytes, (error) => {
      if (!error) resume(Effect.void)
    })
  )

const send = (job: Job, response: ServerResponse, start: number, end: number) =>
  Effect.gen(function*() {
    for (let at = start; at <= end;) {
      at += yield* job.blocks.withBlock(at, (block) => {
        const bytes = block.subarray(0, end + 1 - at)
        return Effect.as(write(response, bytes), bytes.byteLength)
      })
    }
    response.end()
  }).pipe(
    Effect.catch((error) => Effect.andThen(Deferred.fail(job.failure, error), Effect.sync(() => response.destroy())))
  )

/** The bytes of a request, as fast as `write` takes them. Ends early when the connection does. */
const bytesOf = <E>(request: IncomingMessage, write: Upload<E>["write"]): Effect.Effect<boolean, E> =>
  Effect.gen(function*() {
    const chunks = request[Symbol.asyncIterator]()
    while (true) {
      const next = yield* Effect.promise(() => chunks.next().catch(() => undefined))
      if (next === undefined) return false
      if (next.done === true) return request.complete
      yield* write(next.value as Buffer)
    }
  })

const listen = (server: Server): Effect.Effect<number, DriveError.Unavailable> =>
  Effect.callback((resume) => {
    server.once("error", (cause) => resume(Effect.fail(new DriveError.Unavailable({ code: "unavailable", cause }))))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
    server.unref()
  })

/** Listens once a file is to be served, until the scope closes. */
export const make: Effect.Effect<RangeProxy, never, Scope.Scope> = Effect.gen(function*() {
  const runFork = Effect.runForkWith(yield* Effect.context())
  const jobs = new Map<string, Job>()

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const [, secret = ""] = /^Basic (.+)$/.exec(request.headers["proxy-authorization"] ?? "") ?? []
    // Programs send it only after a 407.
    if (secret === "") {
      response.writeHead(407, { "proxy-authenticate": "Basic realm=\"filedrive\"" }).end()
      return
    }
    const job = jobs.get(secret)
    if (job !== undefined && job.receive !== null && request.method === "PUT") {
      const { receive } = job
      job.receive = null
      const closed = new AbortController()
      job.connections.add(response)
      response.once("close", () => {
        job.connections.delete(response)
        closed.abort()
      })
      if (request.headers.expect !== undefined) response.writeContinue()
      runFork(Effect.andThen(receive(request), Effect.sync(() => response.writeHead(200).end())), {
        signal: closed.signal
      })
      return
    }
    if (job === undefined || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404).end()
      return
    }
    const { sizeBytes } = job.blocks
    const range = parseRange(request.headers.range, sizeBytes)
    if (range === undefined) {
      response.writeHead(416, { "content-range": `bytes */${sizeBytes}` }).end()
      return
    }
    const { end, start } = range ?? { start: 0, end: sizeBytes - 1 }
    response.writeHead(range === null ? 200 : 206, {
      "accept-ranges": "bytes",
      "content-type": "application/octet-stream",
      "content-length": end + 1 - start,
      ...range === null ? {} : { "content-range": `bytes ${start}-${end}/${sizeBytes}` }
    })
    if (request.method === "HEAD") {
      response.end()
      return
    }
    const closed = new AbortController()
    job.connections.add(response)
    response.once("close", () => {
      job.connections.delete(response)
      closed.abort()
    })
    runFork(send(job, response, start, end), { signal: closed.signal })
  }

  const server = createServer({ noDelay: true, keepAlive: false, requestTimeout: 0 }, answer)
  // A program that sends a file asks first, and sends it again with the secret.
  server.on("checkContinue", answer)
  // The cause that prevented listening, such as too many open files, may be temporary.
  const port = yield* Effect.cachedWithTTL(listen(server), (exit) => Exit.isSuccess(exit) ? Infinity : 0)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )

  const serveJob = Effect.fnUntraced(function*<E>(blocks: SourceBlocks, upload: Upload<E> | null) {
    const at = yield* port
    const failure = yield* Deferred.make<never, DriveError.Unreadable | DriveError.Unavailable>()
    const refusal = yield* Deferred.make<never, E>()
    const received = yield* Deferred.make<void>()
    const receive = upload === null ? null : (request: IncomingMessage) =>
      bytesOf(request, upload.write).pipe(
        Effect.flatMap((isWhole) => isWhole ? Deferred.succeed(received, undefined) : Effect.void),
        Effect.catchCause((cause) => Deferred.failCause(refusal, cause)),
        Effect.asVoid
      )
    const word = randomBytes(24).toString("base64url")
    const secret = Buffer.from(`${user}:${word}`).toString("base64")
    const job: Job = { blocks, failure, receive, connections: new Set() }
    yield* Effect.acquireRelease(
      Effect.sync(() => jobs.set(secret, job)),
      () =>
        Effect.sync(() => {
          jobs.delete(secret)
          for (const response of job.connections) response.destroy()
        })
    )
    const environment = { http_proxy: `http://${user}:${word}@127.0.0.1:${at}` }
    return {
      url,
      environment,
      failed: Effect.raceFirst(Deferred.await(failure), Deferred.await(refusal)),
      received: Deferred.await(received)
    } satisfies ServedBothWays<E>
  })

  return {
    port,
    // Without what nothing will ever resolve.
    serve: (blocks) => Effect.map(serveJob<never>(blocks, null), ({ received: _none, ...served }) => served),
    serveBothWays: serveJob
  }
})
