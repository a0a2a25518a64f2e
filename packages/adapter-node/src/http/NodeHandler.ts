/**
 * Effect's HTTP handler for `node:http`. The build bundles `@effect/platform-node` into this module: a host that installs that
 * package gets its peer `redis` too (15 MB), which the drive never loads.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { Effect, Scope } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"

// Types are written out, so that the declarations name nothing of a package that hosts don't install.

/** A listener of a server's requests. A request's fiber is interrupted when its caller disconnects, or with `scope`. */
export const makeHandler: <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  options: { readonly scope: Scope.Scope }
) => Effect.Effect<
  (request: IncomingMessage, response: ServerResponse) => void,
  never,
  Exclude<R, HttpServerRequest.HttpServerRequest | Scope.Scope>
> = NodeHttpServer.makeHandler

/** Node's request behind one that came by {@link makeHandler}. */
export const toIncomingMessage = (request: HttpServerRequest.HttpServerRequest): IncomingMessage =>
  NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage

/** Node's response to a request that came by {@link makeHandler}. */
export const toServerResponse = (request: HttpServerRequest.HttpServerRequest): ServerResponse =>
  NodeHttpServerRequest.toServerResponse(request) as ServerResponse
