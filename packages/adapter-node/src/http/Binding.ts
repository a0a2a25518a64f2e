/**
 * A built drive behind its two entries: `node:http` and the web's `Request`.
 * Both find the drive's own path under any mount, and pass bytes to the storage
 * routes and the rest to the API.
 */
import { DriveHttp } from "@filedrive/core"
import { Context, Effect, Option, Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Server } from "node:net"
import { StorageRoutes } from "../StorageRoutes.ts"
import * as Answer from "./Answer.ts"
import { boundRest } from "./EarlyAnswer.ts"
import { sending } from "./NodeAnswer.ts"
import * as NodeBody from "./NodeBody.ts"
import { makeHandler } from "./NodeHandler.ts"
import type { HostRequest } from "./ParsedBody.ts"
import { withBody } from "./Replay.ts"

export interface Binding {
  /** Answers a request whose URL, without the mount, is `url`. */
  readonly node: (request: HostRequest, response: ServerResponse, url: string) => void
  readonly web: (request: Request, url: string) => Promise<Response>
}

/** The URL below `prefix`, or undefined. */
const below = (prefix: string, url: string): string | undefined =>
  url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : undefined

/** A server's request timeout cuts long uploads, without any error that tells why; so it warns once. */
const warnOfTimeout = (warn: (sentence: string) => void) => {
  let said = false
  return (request: IncomingMessage) => {
    if (said) return
    const { requestTimeout } =
      (request.socket as { readonly server?: Server & { readonly requestTimeout?: number } }).server ?? {}
    if (requestTimeout === undefined) return
    said = true
    if (requestTimeout === 0) return
    warn(
      `This server's requestTimeout is ${requestTimeout} ms, so it cuts uploads that take longer. ` +
        "Set server.requestTimeout = 0 (headersTimeout stays as it is): the drive cuts what stalls itself."
    )
  }
}

/**
 * The services with those of a request are kept for longer: each time they are merged, all services of
 * the drive are copied.
 */
const roomy = (context: Context.Context<never>): Context.Context<never> =>
  Context.makeUnsafe(new Map(context.mapUnsafe), { maxDepth: 32 })

export const bind = Effect.fnUntraced(function*(storagePath: string) {
  const http = yield* DriveHttp
  const { routes, started } = yield* StorageRoutes
  const storage = Option.getOrUndefined(routes)
  const runFork = Effect.runForkWith(yield* Effect.context())
  const scope = yield* Scope.Scope
  const handleApi = yield* makeHandler(sending(http.app), { scope }).pipe(
    Effect.updateContext(roomy),
    Effect.provide(NodeBody.layer)
  )
  const checkTimeout = warnOfTimeout((sentence) => runFork(Effect.logWarning(sentence)))

  yield* started

  const nodeStorage = (request: HostRequest, response: ServerResponse, url: string) => {
    if (storage === undefined) return Answer.send(response, Answer.unknownRoute)
    checkTimeout(request)
    request.url = url
    const whole = withBody(request)
    if (whole !== null) return storage.handleNode(whole, response)
    runFork(Effect.logError("A body parser before the drive read an upload; mount the drive before it."))
    Answer.send(response, Answer.unreadableBody("The bytes of this upload were changed on their way."))
  }

  const node: Binding["node"] = (request, response, url) => {
    boundRest(request, response, runFork)
    const stored = below(storagePath, url)
    if (stored !== undefined) return nodeStorage(request, response, stored)
    request.url = url
    handleApi(request, response)
  }

  const web: Binding["web"] = (request, url) => {
    const { origin, pathname, search } = new URL(request.url)
    const at = (path: string) => path === pathname + search ? request : new Request(origin + path, request)
    const stored = below(storagePath, url)
    if (stored === undefined) return http.fetch(at(url))
    return storage === undefined ? Promise.resolve(Answer.toWeb(Answer.unknownRoute)) : storage.handleWeb(at(stored))
  }

  return { node, web } satisfies Binding
})
