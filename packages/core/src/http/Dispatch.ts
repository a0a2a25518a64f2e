/**
 * Runs the endpoints an `HttpApi` declares: path → checks → payload and query → handler → answer.
 *
 * The declaration stays the one source of routes, types and the OpenAPI
 * document; only the running of it is ours. The contract fixes what HttpApi leaves
 * open (bodies that are no JSON, other methods, faults, a body that a host's parser has read), and each of
 * these would need undoing around `HttpApiBuilder.layer`; here it is said once, and a call costs a little less.
 */
import { Context, Effect, Redacted, Result, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiEndpoint, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { json } from "./Answers.ts"
import * as Bearer from "./Bearer.ts"
import * as Handlers from "./Handlers.ts"
import * as Operation from "./Operation.ts"
import * as Payload from "./Payload.ts"
import * as RequestBody from "./RequestBody.ts"

type Request = HttpServerRequest.HttpServerRequest
type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>

/** A declared route, ready to run. What it fails with is not rendered yet. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly run: (request: Request) => Answer
}

/** What runs a call whose body has arrived and is valid; it may answer in the handler's place. */
export type Guard = (request: Request, call: Effect.Effect<unknown, unknown>) => Effect.Effect<unknown, unknown>

const unguarded: Guard = (_request, call) => call

/** Every route of `api`, from the handlers that `Handlers.group` put into the context. */
export const routes = (api: HttpApi.Top, guard = unguarded): Effect.Effect<ReadonlyArray<Route>> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.succeed(
      Object.values(api.groups as Record<string, HttpApiGroup.Top>).flatMap((group) => {
        const handlers = Context.getUnsafe(context, Handlers.key(group))
        return Object.values(group.endpoints).map((endpoint) => ({
          method: endpoint.method,
          path: endpoint.path,
          run: guarded(group, endpoint, context, withPayload(group, endpoint, handlers[endpoint.identifier]!, guard))
        }))
      })
    )
  )

const withPayload = (
  group: HttpApiGroup.Top,
  endpoint: HttpApiEndpoint.Top,
  handler: Handlers.Handler,
  guard: Guard
) => {
  const whole = Operation.of(endpoint).effect === "reads" ? handler : Handlers.finished(handler)
  const decode = Payload.decoder(endpoint)
  const decodeQuery = Payload.queryDecoder(endpoint)
  const [success] = endpoint.success
  const encode = success === undefined ? undefined : Schema.encodeUnknownEffect(success as Schema.Codec<unknown>)
  return (request: Request): Answer =>
    RequestBody.readText(request).pipe(
      Effect.flatMap((text) => {
        const payload = decode(text, request)
        if (Result.isFailure(payload)) return Effect.fail(payload.failure)
        const query = decodeQuery?.(request.url)
        if (query !== undefined && Result.isFailure(query)) return Effect.fail(query.failure)
        return guard(request, whole({ payload: payload.success, query: query?.success, request, endpoint, group }))
      }),
      Effect.flatMap((value) =>
        HttpServerResponse.isHttpServerResponse(value)
          ? Effect.succeed(value)
          : encode === undefined
          ? Effect.succeed(json(200, {}))
          // An answer that does not fit its own declaration is a fault of ours.
          : Effect.map(Effect.orDie(encode(value)), (body) => json(200, body))
      )
    )
}

/** Wraps `run` in the middleware the endpoint declares; the last declared is the first to run. */
const guarded = (
  group: HttpApiGroup.Top,
  endpoint: HttpApiEndpoint.Top,
  context: Context.Context<never>,
  run: (request: Request) => Answer
): (request: Request) => Answer => {
  let guardedRun = run
  for (const key of endpoint.middlewares as ReadonlySet<HttpApiMiddleware.AnyService>) {
    const inner = guardedRun
    const service = Context.getUnsafe(context, key)
    if (HttpApiMiddleware.isSecurity(key)) {
      const [name] = Object.keys(key.security)
      guardedRun = (request) =>
        service[name!](inner(request), { credential: bearer(request.headers.authorization), endpoint, group })
    } else {
      guardedRun = (request) => service(inner(request), { endpoint, group })
    }
  }
  return guardedRun
}

/** The bearer token of an `Authorization` header, empty when there is none. */
const bearer = (header: string | undefined): Redacted.Redacted<string> => Redacted.make(Bearer.tokenOf(header))
