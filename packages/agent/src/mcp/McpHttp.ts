/**
 * MCP over streamable HTTP: one POST a message, no sessions. Checks run in one order, and the first that fails decides the answer: origin and
 * host (403), credential (401), media type (415), then the message.
 *
 * Contract: "MCP and OAuth".
 */
import {
  Bearer,
  Bearers,
  callerOf,
  Challenge,
  type Credential,
  CurrentAccount,
  Events,
  FairPlaces,
  Faults,
  fromDriveError,
  HttpConfig,
  type Mount,
  Operations,
  RateLimitsGuard,
  RequestBody,
  statusOfError
} from "@filedrive/core"
import { Cause, Duration, Effect, Queue, Result, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { Sse } from "effect/encoding"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { bodyMaxBytes, type Call, parse, type RequestId } from "./Message.ts"
import * as Methods from "./Methods.ts"
import * as Origin from "./Origin.ts"
import * as Progress from "./Progress.ts"
import { internal, invalidParams, invalidRequest, type RpcError } from "./RpcError.ts"
import * as ToolList from "./ToolList.ts"

type Request = HttpServerRequest.HttpServerRequest
type Answer = HttpServerResponse.HttpServerResponse

export interface McpHttpOptions {
  /** Where the tools are below the drive's mount, like `/mcp`. */
  readonly path: string
  /** Where they are reached, like `https://drive.example.com/mcp`. */
  readonly url: string
  /** What people read of the server. */
  readonly name: string
}

const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

const json = (text: string, status = 200): Answer =>
  HttpServerResponse.text(text, { status, contentType: "application/json", headers })

const failureText = (id: RequestId | null, { code, data, message }: RpcError): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, ...data !== undefined && { data } } })

const failure = (id: RequestId | null, error: RpcError): Answer => json(failureText(id, error), error.status)

const success = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

const event = (data: string): string => Sse.encoder.write({ _tag: "Event", id: undefined, event: "message", data })

const isJson = (contentType = ""): boolean => /^application\/json\s*(?:;|$)/i.test(contentType)

/** How often a token is looked up for which progress is told. */
const look = Duration.seconds(1)

/** Accounts take turns with what takes long, and none has more than a few calls at a time: so none slows the others. */
const places = (ofGroup: number, inTurn: number, waitingOfGroup: number, what: string) =>
  FairPlaces.make(
    { places: inTurn, asideMax: 0, ofGroup, waitingOfGroup, waitingMax: 2_000, preempts: false },
    { turn: Duration.seconds(5), waitMax: Duration.seconds(30) },
    {
      tooMany: (account) => `Too many ${what} of the account ${account} wait`,
      preempted: (account) => `The ${what} of the account ${account} took too long`
    }
  )

const mounts = Effect.fnUntraced(function*({ name, path, url }: McpHttpOptions) {
  const bearers = yield* Bearers
  const limits = yield* RateLimitsGuard
  const events = yield* Events
  const operations = yield* Operations.Operations
  const random = yield* SecureRandom.SecureRandom
  const { allowedOrigins } = yield* HttpConfig.HttpConfig
  const calls = yield* places(4, 64, 100, "calls")
  // Nobody waits to be told of progress: without a place the result comes at once.
  const followed = yield* places(8, 256, 0, "calls with progress")

  const challenge = (
    status: 401 | 403,
    body: object,
    permissions: Parameters<typeof Challenge.value>[1],
    reason: Parameters<typeof Challenge.value>[2]
  ) =>
    HttpServerResponse.jsonUnsafe(body, {
      status,
      headers: { ...headers, "www-authenticate": Challenge.value(url, permissions, reason) }
    })

  const noCredential = challenge(
    401,
    {
      error: "Send an API token of the drive, or an access token, as a bearer token.",
      code: "no_credential",
      retryable: false
    },
    CurrentAccount.permissions,
    null
  )

  /** The answer to a caller whose token is not valid. */
  const unresolved = (error: unknown): Effect.Effect<Answer, unknown> =>
    statusOfError(error) === 401
      ? Effect.succeed(challenge(401, { ...error as object }, CurrentAccount.permissions, "invalid_token"))
      : Effect.fail(error)

  /** A result or an error as the text of a message, and its status. */
  const answered = (
    call: Call,
    context: Methods.Context
  ): Effect.Effect<{ readonly text: string; readonly answer: Answer }> => {
    const failed = (error: RpcError) => ({ text: failureText(call.id, error), answer: failure(call.id, error) })
    return Methods.answer(call, context).pipe(
      Effect.provideService(Operations.Operations, operations),
      Effect.match({
        onSuccess: (result) => {
          const text = success(call.id, result)
          return { text, answer: json(text) }
        },
        onFailure: (refused) => {
          if (refused._tag === "RpcError") return failed(refused.error)
          const scope = Challenge.scopeToAsk(refused.permissions, context.credential.limits.permissions)
          // An app can ask its person for more (RFC 6750, section 3.1); an API token stays as it is.
          if (!context.isApp || scope.length === 0) {
            return failed(invalidParams(`Unknown tool: ${JSON.stringify(refused.tool)}`))
          }
          const needed = refused.permissions.join(" or ")
          const error = invalidParams(`The tool ${refused.tool} needs a token with the permission ${needed}.`)
          return {
            text: failureText(call.id, error),
            answer: challenge(
              403,
              { jsonrpc: "2.0", id: call.id, error: { code: error.code, message: error.message } },
              scope,
              "insufficient_scope"
            )
          }
        }
      }),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause as Cause.Cause<never>)
          : Effect.map(Faults.of(cause, path, random), (fault) => {
            const { code, error, retryable } = fault
            const reference = "reference" in fault ? { reference: fault.reference } : {}
            return failed(internal(error, { code, retryable, ...reference }))
          })
      )
    )
  }

  /** The token by which a client asks for progress, of a call that has any. */
  const progressToken = ({ method, params }: Call, { credential }: Methods.Context): RequestId | null => {
    const meta = params["_meta"]
    const token = typeof meta === "object" && meta !== null && "progressToken" in meta ? meta.progressToken : null
    const { name } = params
    const tool = method === "tools/call" && typeof name === "string" ? ToolList.get(name) : undefined
    const hasProgress = tool !== undefined && Progress.isLong(tool.operation) &&
      ToolList.isAllowed(tool, credential.limits)
    return hasProgress && (typeof token === "string" || typeof token === "number") ? token : null
  }

  /** Ends when the bearer token is no longer valid, or can't be looked up. */
  const untilInvalid = (bearer: string): Effect.Effect<void> =>
    Effect.ignoreCause(Effect.forever(Effect.delay(bearers.resolve(bearer, url), look)))

  /** Answers with a stream: how far what the call has begun is, then its result. */
  const streamed = Effect.fnUntraced(function*(
    call: Call,
    context: Methods.Context,
    token: RequestId,
    bearer: string
  ) {
    const { credential } = context
    // A server that stops waits for its answers, so they don't wait for what they tell of.
    const until = Effect.raceFirst(yield* events.nextHangUp, untilInvalid(bearer))
    const messages = Stream.callback<string>((queue) => {
      const report = (progress: Progress.Progress) =>
        Effect.asVoid(Queue.offer(
          queue,
          event(JSON.stringify({
            jsonrpc: "2.0",
            method: "notifications/progress",
            params: { progressToken: token, ...progress }
          }))
        ))
      let following: Effect.Effect<void, unknown> = Effect.void
      const onBegun: Methods.Context["onBegun"] = (operation, begun) => {
        const told = Progress.follow(operation, begun, callerOf(credential), report)
        following = Effect.raceFirst(Effect.provideService(told, Operations.Operations, operations), until)
      }
      return calls.run(credential.accountId, answered(call, { ...context, onBegun })).pipe(
        Effect.match({
          onSuccess: ({ text }) => text,
          onFailure: (error) => failureText(call.id, internal(error.message, { code: error.code, retryable: true }))
        }),
        // What is under way goes on, whether or not it can be followed.
        Effect.tap(() => Effect.ignore(followed.run(credential.accountId, Effect.suspend(() => following)))),
        Effect.flatMap((text) => Queue.offer(queue, event(text))),
        Effect.andThen(Queue.end(queue))
      )
    })
    return HttpServerResponse.stream(Stream.encodeText(messages), {
      contentType: "text/event-stream",
      headers: { ...headers, "cache-control": "no-store, no-transform", "x-accel-buffering": "no" }
    })
  })

  const read = (request: Request): Effect.Effect<Result.Result<Call | null, Answer>> => {
    const { headers } = request
    const sent = {
      version: headers["mcp-protocol-version"],
      method: headers["mcp-method"],
      name: headers["mcp-name"]
    }
    return Effect.match(RequestBody.readText(request, bodyMaxBytes), {
      onFailure: ({ error }) => Result.fail(failure(null, invalidRequest(error))),
      onSuccess: (text) => Result.mapError(parse(text, sent), ({ error, id }) => failure(id, error))
    })
  }

  const perform = Effect.fnUntraced(function*(request: Request, context: Methods.Context, bearer: string) {
    const message = yield* read(request)
    if (Result.isFailure(message)) return message.failure
    const call = message.success
    if (call === null) return HttpServerResponse.empty({ status: 202, headers })
    const token = progressToken(call, context)
    if (token !== null && Origin.accepts(request, "text/event-stream")) {
      return yield* streamed(call, context, token, bearer)
    }
    return (yield* calls.run(context.credential.accountId, answered(call, context))).answer
  })

  const answer = (request: Request): Effect.Effect<Answer, unknown> => {
    const wrong = Origin.fault(request, url, allowedOrigins)
    if (wrong !== null) {
      return Effect.succeed(
        HttpServerResponse.jsonUnsafe({ error: wrong, code: "not_allowed", retryable: false }, { status: 403, headers })
      )
    }
    const token = Bearer.tokenOf(request.headers["authorization"])
    if (token === "") return Effect.succeed(noCredential)
    // A wrong token counts as a call without one, as at the API: tokens are looked up with every call, and people share addresses.
    return Effect.mapError(bearers.resolve(token, url), fromDriveError).pipe(
      Effect.flatMap((credential: Credential) =>
        limits.ofAccount(
          credential.accountId,
          isJson(request.headers["content-type"])
            ? Effect.mapError(
              perform(request, { credential, name, onBegun: null, isApp: token.startsWith("fda_") }, token),
              fromDriveError
            )
            : Effect.succeed(unknownMediaType)
        )
      ),
      Effect.catch(unresolved)
    )
  }

  return [{ path, methods: ["POST"], run: answer }] satisfies ReadonlyArray<Mount>
})

const unknownMediaType = HttpServerResponse.jsonUnsafe(
  { error: "Send a message as application/json.", code: "invalid_body", retryable: false },
  { status: 415, headers }
)

/** The tools, as a mount of the drive. */
export const make = (options: McpHttpOptions): Effect.Effect<
  ReadonlyArray<Mount>,
  never,
  Bearers | Events | Operations.Operations | RateLimitsGuard | SecureRandom.SecureRandom
> => mounts(options)
