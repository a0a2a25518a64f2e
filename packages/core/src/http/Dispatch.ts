/**
 * Runs the endpoints an `HttpApi` declares: path → checks → payload → handler → answer.
 *
 * The declaration stays the one source of routes, types and the OpenAPI
 * document; only the running of it is ours. It reads and answers bodies as the
 * contract says for every case HttpApi leaves open, and a request costs about
 * half of what it costs through `HttpApiBuilder.layer`, which a service whose
 * calls are small feels.
 */
import { Context, Effect, Redacted, Schema, SchemaAST } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiEndpoint, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { json } from "./Answers.ts"
import { BadRequest } from "./ApiError.ts"
import * as FieldIssue from "./FieldIssue.ts"
import * as Handlers from "./Handlers.ts"
import * as RequestBody from "./RequestBody.ts"

type Request = HttpServerRequest.HttpServerRequest
type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>

/** A declared route, ready to run. What it fails with is not rendered yet. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly run: (request: Request) => Answer
}

/** Every route of `api`, from the handlers that `Handlers.group` put into the context. */
export const routes = (api: HttpApi.Top): Effect.Effect<ReadonlyArray<Route>> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.succeed(
      Object.values(api.groups as Record<string, HttpApiGroup.Top>).flatMap((group) => {
        const handlers = Context.getUnsafe(context, Handlers.key(group))
        return Object.values(group.endpoints).map((endpoint) => ({
          method: endpoint.method,
          path: endpoint.path,
          run: guarded(group, endpoint, context, withPayload(group, endpoint, handlers[endpoint.identifier]!))
        }))
      })
    )
  )

const withPayload = (group: HttpApiGroup.Top, endpoint: HttpApiEndpoint.Top, handler: Handlers.Handler) => {
  const decode = payloadDecoder(endpoint)
  const [success] = endpoint.success
  const encode = success === undefined ? undefined : Schema.encodeUnknownEffect(success as Schema.Codec<unknown>)
  return (request: Request): Answer =>
    RequestBody.readText(request).pipe(
      Effect.flatMap((text) => decode(text, request)),
      Effect.flatMap((payload) => handler({ payload, request, endpoint, group })),
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

/** From the text of a body to what the handler takes. */
const payloadDecoder = (
  endpoint: HttpApiEndpoint.Top
): (text: string, request: Request) => Effect.Effect<unknown, BadRequest> => {
  const schemas = Array.from(endpoint.payload.values()).flatMap(({ schemas }) => schemas as ReadonlyArray<Schema.Top>)
  const isNull = (schema: Schema.Top) => SchemaAST.isNull(SchemaAST.toEncoded(schema.ast))
  const body = schemas.find((schema) => !isNull(schema))
  const optional = schemas.some(isNull)
  if (body === undefined) {
    // A route without a body takes none, nothing in it, null, or an object whose fields are all unknown.
    return (text) => text === "" ? Effect.succeed(null) : Effect.flatMap(RequestBody.parse(text), nullOr("object"))
  }
  // With the input a complaint can tell a list's length from a text's; it is never echoed.
  const decode = Schema.decodeUnknownEffect(body as Schema.Codec<unknown>, { reportInput: true })
  const shape = SchemaAST.isArrays(SchemaAST.toEncoded(body.ast)) ? "array" : "object"
  const shaped = optional ? nullOr(shape) : (value: unknown) => RequestBody.shaped(value, shape)
  return (text, request) =>
    text === "" && optional
      ? Effect.succeed(null)
      : RequestBody.parseTyped(text, request).pipe(
        Effect.flatMap(shaped),
        Effect.flatMap((value) =>
          value === null
            ? Effect.succeed(null)
            : Effect.mapError(decode(value), ({ issue }) => badField(FieldIssue.first(issue)))
        ),
        // Only an escape can bring in what no database holds, so most bodies need no second look.
        text.includes("\\u") ? Effect.flatMap(storable) : (decoded) => decoded
      )
}

const nullOr = (shape: "object" | "array") => (value: unknown) =>
  value === null ? Effect.succeed(null) : RequestBody.shaped(value, shape)

const storable = (value: unknown): Effect.Effect<unknown, BadRequest> => {
  const path = RequestBody.unstorable(value)
  return path === undefined ? Effect.succeed(value) : Effect.fail(badField({
    code: "invalid_field",
    field: FieldIssue.pathText(path),
    because: "must be valid Unicode without NUL characters"
  }))
}

const badField = ({ because, code, field }: FieldIssue.FieldIssue): BadRequest =>
  new BadRequest({
    error: `${field === "" ? "The body" : field} ${because}.`,
    code,
    ...(field !== "" && { field }),
    retryable: false
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
const bearer = (header: string | undefined): Redacted.Redacted<string> =>
  Redacted.make(header === undefined ? "" : /^bearer +(\S+)\s*$/i.exec(header)?.[1] ?? "")
