/**
 * A2A over HTTP: who calls, then what they send. Checks run in one order, and the first that fails decides the answer: credential (HTTP
 * 401, 403), media type, JSON, envelope, version, method, parameters (all HTTP 200 with an error of JSON-RPC).
 *
 * Spec: "Agent interface", "Authentication". Contract: "The agent".
 */
import {
  Bearer,
  Bearers,
  Challenge,
  type Credential,
  CurrentCredential,
  type Events,
  FairPlaces,
  Faults,
  fromDriveError,
  JsonBounds,
  type Mount,
  RateLimitsGuard,
  RequestBody,
  statusOfError,
  type Tasks
} from "@filedrive/core"
import { Cause, Duration, Effect, Result, type Scope } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { A2a } from "./A2a.ts"
import { agentCard, type AgentCardOptions } from "./AgentCard.ts"
import * as CardHttp from "./CardHttp.ts"
import * as Envelope from "./Envelope.ts"
import * as Methods from "./Methods.ts"
import {
  internalError,
  invalidRequest,
  isSupported,
  ProtocolError,
  versionNotSupported,
  wrongContentType
} from "./ProtocolError.ts"

type Request = HttpServerRequest.HttpServerRequest
type Answer = HttpServerResponse.HttpServerResponse

export interface A2aHttpOptions extends AgentCardOptions {
  /** Where the agent is below the drive's mount, like `/a2a`. */
  readonly path: string
}

const uncached = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

const rpc = (body: object): Answer => HttpServerResponse.jsonUnsafe(body, { headers: uncached })

const isJson = (contentType = ""): boolean => /^application\/(?:json|[\w.!#$&^-]+\+json)\s*(?:;|$)/i.test(contentType)

/** The version that a request is of: the header, or the parameter that stands for it; empty where neither says one. */
const versionOf = ({ headers, url }: Request): string => {
  const header = headers["a2a-version"]?.trim()
  if (header !== undefined && header !== "") return header
  const at = url.indexOf("?")
  return at === -1 ? "" : new URLSearchParams(url.slice(at + 1)).get("A2A-Version") ?? ""
}

const tooComplex = invalidRequest(
  `The body is nested more than ${JsonBounds.depthMax} deep, or has more than ${JsonBounds.fieldsMax} fields or ` +
    `${JsonBounds.groupsMax} objects and arrays.`
)

/** The call in a body, and the id of its request. */
const callOf = (
  text: string,
  version: string
): Result.Result<readonly [Envelope.RequestId, Methods.Call], Envelope.Unreadable> => {
  if (!JsonBounds.isWithinBounds(text, 0)) return Result.fail({ id: null, error: tooComplex })
  return Result.flatMap(Envelope.parse(text), ({ id, method, params }) =>
    Result.mapBoth(
      isSupported(version) ? Methods.call(method, params) : Result.fail(versionNotSupported(version)),
      { onFailure: (error) => ({ id, error }), onSuccess: (call) => [id, call] as const }
    ))
}

/** What a call still waits for: the answer, which fails with nothing. */
type Pending = Effect.Effect<Answer, never, CurrentCredential>

/** A body that may need some 20 times its size while it is read, parsed and stored. */
const largeBytes = 262_144

const isLarge = ({ headers }: Request): boolean => {
  const length = headers["content-length"]
  return length === undefined || Number(length) > largeBytes
}

/**
 * Large bodies are few at a time, and accounts take turns with them. One that arrives slowly is given up after its turn when another account
 * waits that has had less.
 */
const makeLarge = FairPlaces.make(
  { places: 4, asideMax: 0, ofGroup: 2, waitingOfGroup: 50, waitingMax: 200, preempts: true },
  { turn: Duration.seconds(5), waitMax: Duration.seconds(30) },
  {
    tooMany: (account) => `Too many large messages of the account ${account} wait to be read`,
    preempted: (account) => `A large message of the account ${account} arrived too slowly, and others waited`
  }
)

const mounts = Effect.fnUntraced(function*({ path, ...card }: A2aHttpOptions) {
  const a2a = yield* A2a
  const bearers = yield* Bearers
  const limits = yield* RateLimitsGuard
  const random = yield* SecureRandom.SecureRandom
  const large = yield* makeLarge
  const cardAnswer = yield* CardHttp.make(agentCard(card))

  const refuse = (
    status: 401 | 403,
    code: string,
    error: string,
    reason: Parameters<typeof Challenge.value>[2],
    scope: Parameters<typeof Challenge.value>[1] = ["agent"]
  ) =>
    HttpServerResponse.jsonUnsafe({ error, code, retryable: false }, {
      status,
      headers: { ...uncached, "www-authenticate": Challenge.value(card.url, scope, reason) }
    })

  const noCredential = refuse(
    401,
    "no_credential",
    "Send an API token of the drive, or an access token, as a bearer token.",
    null
  )

  /** The answer to a caller whose token is not valid. */
  const unresolved = (error: unknown): Effect.Effect<Answer, unknown> =>
    statusOfError(error) === 401
      ? Effect.succeed(refuse(401, "invalid_token", (error as { error: string }).error, "invalid_token"))
      : Effect.fail(error)

  const mayAgent = ({ limits: { permissions } }: Credential) => permissions === null || permissions.includes("agent")

  const insufficient = ({ limits: { permissions } }: Credential) =>
    refuse(
      403,
      "insufficient_scope",
      "This token may not give the agent tasks: it lacks the permission agent.",
      "insufficient_scope",
      Challenge.scopeToAsk(["agent"], permissions)
    )

  /** A cause that no method foresaw. The log has it; the caller gets a reference. */
  const faulted = (id: Envelope.RequestId, cause: Cause.Cause<unknown>) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.failCause(cause as Cause.Cause<never>)
      : Effect.map(Faults.of(cause, path, random), (fault) => {
        const { code, error } = fault
        const reference = "reference" in fault ? { reference: fault.reference } : {}
        return Envelope.failure(id, internalError(error, { code, retryable: String(fault.retryable), ...reference }))
      })

  const failed = (id: Envelope.RequestId) => (cause: Cause.Cause<unknown>): Effect.Effect<Answer> => {
    const error = Cause.squash(cause)
    return Effect.map(
      error instanceof ProtocolError ? Effect.succeed(Envelope.failure(id, error)) : faulted(id, cause),
      rpc
    )
  }

  const refusal = (id: Envelope.RequestId, error: ProtocolError): Pending =>
    Effect.succeed(rpc(Envelope.failure(id, error)))

  /** Reads and carries out a call. What it still waits for has nothing of the body any more. */
  const takeBody = (request: Request): Effect.Effect<Pending, never, CurrentCredential | Scope.Scope> =>
    RequestBody.readText(request).pipe(
      Effect.matchEffect({
        onFailure: ({ error }) => Effect.succeed(refusal(null, invalidRequest(error))),
        onSuccess: (text) =>
          Result.match(callOf(text, versionOf(request)), {
            onFailure: ({ error, id }) => Effect.succeed(refusal(id, error)),
            onSuccess: ([id, call]) =>
              a2a.run(call).pipe(
                Effect.map((result) =>
                  result.pipe(Effect.map((result) => rpc(Envelope.success(id, result))), Effect.catchCause(failed(id)))
                ),
                Effect.catchCause((cause) => Effect.map(failed(id)(cause), Effect.succeed))
              )
          })
      })
    )

  const answerBody = ({ accountId }: Credential, request: Request): Effect.Effect<Answer, unknown, CurrentCredential> =>
    isJson(request.headers["content-type"])
      ? Effect.scoped(Effect.flatten(
        isLarge(request) ? Effect.mapError(large.run(accountId, takeBody(request)), fromDriveError) : takeBody(request)
      ))
      : refusal(null, wrongContentType)

  const answer = (request: Request): Effect.Effect<Answer, unknown> => {
    const token = Bearer.tokenOf(request.headers["authorization"])
    if (token === "") return Effect.succeed(noCredential)
    const resolved = Effect.mapError(bearers.resolve(token, card.url), fromDriveError)
    // A wrong token counts as a call without one, as at the API: tokens are looked up with every call, and people share addresses.
    return resolved.pipe(
      Effect.flatMap((credential) =>
        limits.ofAccount(
          credential.accountId,
          mayAgent(credential)
            ? Effect.provideService(answerBody(credential, request), CurrentCredential, credential)
            : Effect.succeed(insufficient(credential))
        )
      ),
      Effect.catch(unresolved)
    )
  }

  return [
    { path, methods: ["POST"], run: answer },
    {
      path: CardHttp.cardPath,
      isForAllOrigins: true,
      methods: ["GET"],
      run: (request) => Effect.succeed(cardAnswer(request))
    }
  ] satisfies ReadonlyArray<Mount>
})

/** The agent and its card, as mounts of the drive. */
export const make = (options: A2aHttpOptions): Effect.Effect<
  ReadonlyArray<Mount>,
  never,
  Bearers | Events | Tasks | RateLimitsGuard | SecureRandom.SecureRandom | Digest.Digest
> => Effect.provide(mounts(options), A2a.layerNoDeps)
