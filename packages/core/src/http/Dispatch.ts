/**
 * Runs the endpoints an `HttpApi` declares: path → checks → payload and query → handler → answer.
 *
 * The declaration stays the one source of routes, types and the OpenAPI
 * document; only the execution is ours. The contract fixes what HttpApi leaves
 * open (bodies that are not JSON, other methods, faults, a body that a host's parser has read), and each of
 * these would need undoing around `HttpApiBuilder.layer`; here it is said once, and a call costs a little less.
 */
import { Context, Effect, Redacted, Result, type Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiEndpoint, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import type { Permission } from "../accounts/CurrentAccount.ts"
import { guards, json } from "./Answers.ts"
import * as Bearer from "./Bearer.ts"
import * as Handlers from "./Handlers.ts"
import * as JsonPages from "./JsonPages.ts"
import { accountId, caller, isShort, type LongAnswers } from "./LongAnswers.ts"
import * as Operation from "./Operation.ts"
import * as Operations from "./Operations.ts"
import * as Payload from "./Payload.ts"
import type { RepeatedCalls } from "./RepeatedCalls.ts"
import * as RequestBody from "./RequestBody.ts"

type Request = HttpServerRequest.HttpServerRequest
type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>

/** A declared route, ready to run. What it fails with is not rendered yet. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly run: (request: Request) => Answer
  /** A limited caller needs one of these. */
  readonly permissions: ReadonlyArray<Permission>
}

/** Runs a call whose body has arrived and is valid; it may answer instead of the handler. */
export type Guard = (request: Request, call: Effect.Effect<unknown, unknown>) => Effect.Effect<unknown, unknown>

const unguarded: Guard = (_request, call) => call

export interface RouteOptions {
  readonly guard?: Guard
  /** Of operations that are not repeatable; left out: each call is done, also the second of two that are the same. */
  readonly repeated?: RepeatedCalls
  /** Asked by operations whose answers may be long. */
  readonly long?: LongAnswers["Service"]
}

/** Every route of `api`, from the handlers that `Handlers.group` put into the context. */
export const routes = (
  api: HttpApi.Top,
  { guard = unguarded, long, repeated }: RouteOptions = {}
): Effect.Effect<ReadonlyArray<Route>> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.map(Operations.bind(api), (all) =>
      all.map((bound) => ({
        method: bound.endpoint.method,
        path: bound.endpoint.path,
        permissions: Operation.of(bound.endpoint).permissions,
        run: guarded(bound.group, bound.endpoint, context, fromRequest(bound, { guard, long, repeated }))
      })))
  )

const fromRequest = (
  { encode, endpoint, handle }: Operations.Bound,
  { guard, long, repeated }: { readonly [Name in keyof RouteOptions]-?: RouteOptions[Name] | undefined } & {
    readonly guard: Guard
  }
) => {
  const decode = Payload.decoder(endpoint)
  const decodeQuery = Payload.queryDecoder(endpoint)
  const { isLong = false, isRepeatable } = Operation.of(endpoint)
  const encoded = (answer: unknown): Answer =>
    HttpServerResponse.isHttpServerResponse(answer)
      ? Effect.succeed(answer)
      : answer instanceof Handlers.Listed
      ? Effect.map(listed(answer, long), streamed)
      : Effect.map(encode(answer), (body) => json(200, body))
  return (request: Request): Answer =>
    Effect.flatMap(RequestBody.readText(request), (text) => {
      const payload = decode(text, request)
      if (Result.isFailure(payload)) return Effect.fail(payload.failure)
      const query = decodeQuery?.(request)
      if (query !== undefined && Result.isFailure(query)) return Effect.fail(query.failure)
      const done = handle({ payload: payload.success, query: query?.success, request })
      if (isLong && long !== undefined) return inTurn(long, Effect.flatMap(guard(request, done), encoded))
      if (isRepeatable && long !== undefined) {
        return Effect.flatMap(Effect.flatMap(guard(request, done), encoded), (answer) => inShare(long, answer))
      }
      if (isRepeatable || repeated === undefined) return Effect.flatMap(guard(request, done), encoded)
      return repeated(
        request,
        text,
        (remembering) => Effect.flatMap(guard(request, remembering(Effect.flatMap(done, encoded))), encoded)
      )
    })
}

const listed = ({ pages }: Handlers.Listed<unknown>, long: LongAnswers["Service"] | undefined) => {
  const body = JsonPages.encode(pages)
  return long === undefined ? Effect.succeed(body) : Effect.flatMap(accountId, (id) => long.list(id, body))
}

/** Makes an answer of any length in its account's turn, and sends a long one as its reader takes it. */
const inTurn = (long: LongAnswers["Service"], work: Answer): Answer =>
  Effect.flatMap(
    accountId,
    (id) => Effect.flatMap(long.make(id, work), (answer) => inShare(long, answer))
  )

/**
 * Sends a long answer as its reader takes it, if its caller may have so many bytes unsent. Of an operation that may be sent again: it has
 * been done when its answer is refused.
 */
const inShare = (long: LongAnswers["Service"], answer: HttpServerResponse.HttpServerResponse): Answer => {
  const { body } = answer
  return body._tag !== "Uint8Array" || isShort(body.body)
    ? Effect.succeed(answer)
    : Effect.flatMap(caller, (name) => Effect.map(long.send(name, body.body), streamed))
}

const streamed = (body: Stream.Stream<Uint8Array, unknown>) =>
  HttpServerResponse.stream(body, {
    contentType: "application/json",
    headers: { "cache-control": "no-store", ...guards }
  })

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
