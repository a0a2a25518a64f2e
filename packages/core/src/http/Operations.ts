/**
 * The drive's operations by their ids. Every surface runs them here: the HTTP dispatcher from the text of a body, a host's
 * own code from values, an agent's tools by their names. So all of them decode their input by the same schema, run
 * the same handler and return the same JSON, and refuse with the same sentences.
 */
import { Cause, Context, Effect, Layer, Option, Result, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Features from "../Features.ts"
import * as Limits from "../limits/Limits.ts"
import { LinkCall } from "../links/LinkCall.ts"
import type { WireError } from "./Answers.ts"
import { Api } from "./Api.ts"
import * as ApiError from "./ApiError.ts"
import { Callers } from "./Callers.ts"
import * as ClientAddress from "./ClientAddress.ts"
import * as Faults from "./Faults.ts"
import * as Handlers from "./Handlers.ts"
import { accountId, LongAnswers } from "./LongAnswers.ts"
import * as Operation from "./Operation.ts"
import * as Payload from "./Payload.ts"
import { isPublic } from "./PublicLink.ts"
import { RateLimitsGuard } from "./RateLimitsGuard.ts"
import { OptionalAccount } from "./Session.ts"

type Groups = typeof Api extends HttpApi.HttpApi<string, infer Groups> ? Groups : never
type Endpoint = HttpApiGroup.Endpoints<Groups>

/** An operation that is called through a public link. */
type PublicEndpoint = {
  [E in Endpoint as E["identifier"]]: LinkCall extends HttpApiEndpoint.MiddlewareProvides<E> ? E : never
}[
  Endpoint["identifier"]
]

/** Operations that answer a stream and no JSON. */
type StreamId = "followDriveEvents" | "followFileReview"

/** An operation of a user's that is answered with JSON, by its id in the OpenAPI document. */
export type OperationId = Exclude<Endpoint["identifier"], StreamId | PublicEndpoint["identifier"]>

/** An operation that somebody without an account calls through a link, by its id. */
export type PublicOperationId = Exclude<PublicEndpoint["identifier"], StreamId>

type EndpointOf<Id extends OperationId | PublicOperationId> = Extract<Endpoint, { readonly identifier: Id }>

/** The documented JSON that an operation takes; never where it takes none. */
export type RequestOf<Id extends OperationId | PublicOperationId> = Exclude<
  Handlers.JsonOf<EndpointOf<Id>["~Payload"]>,
  null
>

/** Whether an operation's request may be left out. */
export type MayOmitRequest<Id extends OperationId | PublicOperationId> = null extends
  Handlers.JsonOf<EndpointOf<Id>["~Payload"]> ? true
  : false

/** The documented JSON that it returns. */
export type AnswerOf<Id extends OperationId | PublicOperationId> = Handlers.JsonOf<EndpointOf<Id>["~Success"]>

/** Somebody without an account, as a host's own code knows them. */
export interface PublicCaller {
  /** The access token of a link that has a password; null without one. */
  readonly access: string | null
  /** The caller's IP address; null where the host doesn't know it, or doesn't want it limited. */
  readonly address: string | null
}

/** What a handler is called with. */
export interface Call {
  readonly payload: unknown
  readonly query: unknown
  readonly request: unknown
}

const idsWhere = (isIncluded: (endpoint: HttpApiEndpoint.Top) => boolean): ReadonlyArray<string> =>
  Object.values((Api as unknown as HttpApi.Top).groups as Record<string, HttpApiGroup.Top>)
    .flatMap((group) => Object.values(group.endpoints))
    // What is followed by GET is a stream.
    .filter((endpoint) => endpoint.method === "POST" && isIncluded(endpoint))
    .map(({ identifier }) => identifier)

/** The operations of a user's. */
export const ids = idsWhere((endpoint) => !isPublic(endpoint)) as ReadonlyArray<OperationId>

/** Those of somebody without an account. */
export const publicIds = idsWhere(isPublic) as ReadonlyArray<PublicOperationId>

/** An endpoint with its handler. */
export interface Bound {
  readonly group: HttpApiGroup.Top
  readonly endpoint: HttpApiEndpoint.Top
  /** Runs the handler; one that reads only is interrupted when its caller is. */
  readonly handle: (call: Call) => Effect.Effect<unknown, unknown>
  /** An answer of the handler as JSON; one that does not fit its declaration is a fault of ours. */
  readonly encode: (answer: unknown) => Effect.Effect<unknown>
}

/** The endpoints of `api` with the handlers that `Handlers.group` put into the context. */
export const bind = (api: HttpApi.Top): Effect.Effect<ReadonlyArray<Bound>> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.succeed(
      Object.values(api.groups as Record<string, HttpApiGroup.Top>).flatMap((group) => {
        const handlers = Context.getUnsafe(context, Handlers.key(group))
        return Object.values(group.endpoints).map((endpoint) => bound(group, endpoint, handlers[endpoint.identifier]!))
      })
    )
  )

const bound = (group: HttpApiGroup.Top, endpoint: HttpApiEndpoint.Top, handler: Handlers.Handler): Bound => {
  const handle = Operation.of(endpoint).effect === "reads" ? handler : Handlers.finished(handler)
  const [success] = endpoint.success
  const encode = success === undefined ? undefined : Schema.encodeUnknownEffect(success as Schema.Codec<unknown>)
  return {
    group,
    endpoint,
    handle: (call) => handle({ ...call, endpoint, group }),
    encode: (answer) =>
      answer instanceof Handlers.Plain
        ? Effect.succeed(answer.value)
        : encode === undefined
        ? Effect.succeed({})
        : Effect.orDie(encode(answer))
  }
}

export class Operations extends Context.Service<Operations, {
  /**
   * Runs an operation for a caller for whose identity the host vouches. `given` and the answer are JSON as the operation's route has
   * it; a list is returned whole, up to {@link Limits.wholeListMaxCount}. Fails with what the route would answer: `not_allowed` for a user who is
   * suspended or unknown, `not_found` when the folder that the call is limited to does not exist, `internal` for a fault, whose cause
   * the log has.
   */
  readonly run: <Id extends OperationId>(
    id: Id,
    given: unknown,
    caller: CurrentAccount["Service"]
  ) => Effect.Effect<AnswerOf<Id>, WireError>

  /**
   * The same for an id that is only known when it runs, as of a tool. Fails with `not_found` where there is no such operation, and with
   * `invalid_body` where its list has more than `listMax` entries.
   */
  readonly runNamed: (
    id: string,
    given: unknown,
    caller: CurrentAccount["Service"],
    listMax?: number
  ) => Effect.Effect<unknown, WireError>

  /** Runs an operation that needs no account but a public link, in the same way. Its rate limits by link hold here too. */
  readonly runPublic: <Id extends PublicOperationId>(
    id: Id,
    given: unknown,
    caller: PublicCaller
  ) => Effect.Effect<AnswerOf<Id>, WireError>

  /** What the services of public links ask of their caller, for calls that are no operations: with the same limits. */
  readonly linkCall: (caller: PublicCaller) => LinkCall["Service"]
}>()("@filedrive/core/http/Operations") {
  /** Asks for the handlers of every group of {@link Api}. */
  static readonly layerNoDeps = Layer.effect(
    Operations,
    Effect.gen(function*() {
      const callers = yield* Callers
      const random = yield* SecureRandom.SecureRandom
      const all = yield* bind(Api as unknown as HttpApi.Top)
      const limits = yield* RateLimitsGuard
      const long = yield* LongAnswers
      const operations = new Map(
        all.map(({ encode, endpoint, handle }) => {
          const decode = Payload.valueDecoder(endpoint)
          const { isLong = false } = Operation.of(endpoint)
          const work = (given: unknown, listMax?: number) =>
            Effect.suspend(() => {
              const payload = decode(given)
              return Result.isFailure(payload) ? Effect.fail(payload.failure) : handle({
                payload: payload.success,
                query: undefined,
                request: undefined
              })
            }).pipe(
              Effect.flatMap((answer) =>
                answer instanceof Handlers.Listed ? wholeList(answer, listMax) : encode(answer)
              )
            )
          const run = (given: unknown, listMax?: number) =>
            isLong
              ? Effect.flatMap(accountId, (id) => long.make(id, work(given, listMax)))
              : work(given, listMax)
          return [endpoint.identifier as OperationId | PublicOperationId, run] as const
        })
      )

      /** Every failure as the route would answer it. */
      const answered = (id: string, run: Effect.Effect<unknown, unknown>) =>
        Effect.catchCause(run, (cause): Effect.Effect<never, WireError> =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause as Cause.Cause<never>)
            : Effect.flatMap(Faults.of(cause, id, random), Effect.fail)) as Effect.Effect<never, WireError>

      const linkCall = ({ access, address }: PublicCaller): LinkCall["Service"] => {
        const known = ClientAddress.ofPeer(address ?? undefined)
        const network = known === ClientAddress.unknown ? null : ClientAddress.network(known)
        return { accessToken: access, network, limits: limits.limitsOfLinks(network) }
      }

      const run = (id: OperationId, given: unknown, caller: CurrentAccount["Service"], listMax?: number) =>
        answered(
          id,
          Effect.mapError(callers.check(caller), ApiError.fromDriveError).pipe(
            Effect.andThen(Effect.suspend(() => operations.get(id)!(given, listMax))),
            Effect.provideService(CurrentAccount, caller),
            Effect.provideService(OptionalAccount, Option.some(caller))
          )
        )

      return Operations.of({
        linkCall,

        run,

        runNamed: (id, given, caller, listMax) =>
          operations.has(id as OperationId)
            ? run(id as OperationId, given, caller, listMax)
            : answered(
              id,
              Effect.fail(
                new ApiError.NotFound({ code: "not_found", error: `There is no operation ${id}.`, retryable: false })
              )
            ),

        runPublic: (id, given, caller) =>
          answered(
            id,
            Effect.provideService(Effect.suspend(() => operations.get(id)!(given)), LinkCall, linkCall(caller))
          )
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([Features.handlers, Callers.layer, RateLimitsGuard.layer, LongAnswers.layer])
  )
}

const wholeList = ({ pages }: Handlers.Listed<unknown>, listMax: number = Limits.wholeListMaxCount.inCode) =>
  Effect.suspend(() => {
    const list: Array<unknown> = []
    const add = (page: ReadonlyArray<unknown>) => {
      for (const one of page) list.push(one)
      return list.length > listMax ? Effect.fail(tooLong(listMax)) : Effect.void
    }
    return Effect.as(Stream.runForEach(pages, add), list)
  })

const tooLong = (listMax: number) =>
  new ApiError.BadRequest({
    error: `The list has more than ${listMax} entries: search for files a page at a time.`,
    code: "invalid_body",
    retryable: false
  })
