/** A server that answers as an S3 engine might, to show what real ones do only on bad days. */
import { ObjectStore as Port } from "@filedrive/core"
import { Effect, Fiber, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { probeKey } from "../src/storage/s3/S3ProbeKey.ts"
import * as S3Store from "../src/storage/s3/S3Store.ts"

export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly url: URL
  readonly headers: IncomingMessage["headers"]
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface FakeS3 {
  readonly options: S3Store.S3Options
  /** All but the looks at the buckets and their probes, in the order they came. */
  readonly asked: ReadonlyArray<Asked>
}

export const error = (status: number, code: string): Answer => ({
  status,
  headers: { "content-type": "application/xml" },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret-of-the-engine</Message></Error>`
})

export const xml = (body: string): Answer => ({
  status: 200,
  headers: { "content-type": "application/xml" },
  body: `<?xml version="1.0"?>${body}`
})

/** Takes the request into its own hands by answering none; "silent" leaves a look at a bucket without an answer too. */
type Answering = (
  asked: Asked,
  request: IncomingMessage,
  response: ServerResponse,
  body: string
) => Answer | "silent" | undefined

const isHeadBucket = ({ method, url }: Asked) => method === "HEAD" && /^\/[^/]+\/?$/.test(url.pathname)

/** Of the probes; where it says nothing, they are there once they were made. */
export type Probing = (asked: Asked) => Answer | "silent" | undefined

const isProbe = ({ url }: Asked) => url.pathname.endsWith(`/${probeKey}`)

/** Whether somebody without credentials asks. */
export const isStranger = ({ headers }: Asked) => headers.authorization === undefined

/**
 * Serves until the scope closes. Buckets are there, unless `answer` says otherwise, and so are their probes, which
 * `probing` answers by itself where it says something.
 */
export const serveFakeS3 = (
  answer: Answering,
  probing: Probing = () => undefined
): Effect.Effect<FakeS3, never, Scope.Scope> =>
  Effect.gen(function*() {
    const asked: Array<Asked> = []
    let probe: string | undefined
    const answerProbe = (one: Asked, body: string): Answer => {
      if (one.method === "PUT") {
        probe = body
        return { status: 200, headers: { etag: "\"p\"" } }
      }
      return probe === undefined ? error(404, "NoSuchKey") : { status: 200, body: probe }
    }
    const server = createServer((request, response) => {
      const one: Asked = {
        method: request.method ?? "",
        url: new URL(request.url ?? "/", "http://fake"),
        headers: request.headers
      }
      if (!isHeadBucket(one) && !isProbe(one)) asked.push(one)
      const reply = (body: string) => {
        if (isProbe(one)) {
          response.sendDate = false
          const said = probing(one) ?? answerProbe(one, body)
          if (said !== "silent") response.writeHead(said.status, said.headers ?? {}).end(said.body)
          return
        }
        const said = answer(one, request, response, body) ?? (isHeadBucket(one) ? { status: 200 } : undefined)
        if (said === undefined || said === "silent") return
        response.writeHead(said.status, said.headers ?? {})
        response.end(said.body)
      }
      if (one.method !== "POST" && !isProbe(one)) return reply("")
      let body = ""
      request.setEncoding("utf8").on("data", (chunk: string) => body += chunk).on("end", () => reply(body))
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    const { port } = server.address() as AddressInfo
    return {
      asked,
      options: {
        endpoint: `http://127.0.0.1:${port}`,
        region: "us-east-1",
        privateBucket: "drive-private",
        publicBucket: "drive-public",
        forcePathStyle: true,
        credentials: { accessKeyId: "key", secretAccessKey: "secret-of-the-drive" }
      }
    }
  })

/** Runs an effect and lets its time pass, as calls of the engine's need it: for what waits between tries. */
export const patiently = <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(run, { startImmediately: true })
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust("20 millis")
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
    return yield* Fiber.join(fiber)
  })

/** Runs `use` on a store whose engine answers by `answer`. */
export const withEngine = <A, E>(
  answer: Parameters<typeof serveFakeS3>[0],
  use: (store: typeof Port.ObjectStore.Service, engine: FakeS3) => Effect.Effect<A, E>,
  change: Partial<S3Store.S3Options> = {},
  probing?: Probing
) =>
  Effect.scoped(Effect.gen(function*() {
    const engine = yield* serveFakeS3(answer, probing)
    const context = yield* Layer.build(S3Store.layer({ ...engine.options, ...change }))
    return yield* use(yield* Effect.provide(Port.ObjectStore, context), engine)
  }))
