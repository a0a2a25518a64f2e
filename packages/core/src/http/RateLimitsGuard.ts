/** Refuses calls past {@link "./RateLimits.ts"} with 429 and the time to come back. */
import { Context, Effect, Layer, Option } from "effect"
import { Headers, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { RateLimiter } from "effect/persistence"
import type { AccountId } from "../shared/Ids.ts"
import { ofError } from "./Answers.ts"
import { TooManyRequests, Unauthorized } from "./ApiError.ts"
import * as ClientAddress from "./ClientAddress.ts"
import { HttpConfig } from "./HttpConfig.ts"
import { type RateLimit, retryAfterSeconds } from "./RateLimits.ts"
import { layerMemory } from "./RateLimitsStore.ts"

type Answer = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

export class RateLimitsGuard extends Context.Service<RateLimitsGuard, {
  /** Runs `app` unless the caller's address has called too often; before anything is looked up. */
  readonly ofAddress: <E, R>(request: Request, app: Effect.Effect<Answer, E, R>) => Effect.Effect<Answer, E, R>
  /** Runs `app` unless the account has called too often. */
  readonly ofAccount: <E, R>(id: AccountId, app: Effect.Effect<Answer, E, R>) => Effect.Effect<Answer, E, R>
  /** Runs an exchange unless too many from its address have failed. */
  readonly ofExchange: <E, R>(request: Request, app: Effect.Effect<Answer, E, R>) => Effect.Effect<Answer, E, R>
}>()("@filedrive/core/http/RateLimitsGuard") {
  static readonly layerNoDeps = Layer.effect(
    RateLimitsGuard,
    Effect.gen(function*() {
      const { rateLimits, trustedProxies } = yield* HttpConfig
      if (rateLimits === false) return open
      const limiter = yield* RateLimiter.RateLimiter
      let storeAway = false

      type Options = { readonly tokens?: number; readonly onExceeded?: "delay" }

      /** The seconds to wait, 0 when the call may go on, and the calls left. A store that is away refuses nobody. */
      const consume = (key: string, { calls, perSeconds }: RateLimit, options?: Options) =>
        Effect.matchEffect(
          limiter.consume({
            algorithm: "token-bucket",
            key,
            limit: calls,
            window: perSeconds * 1_000,
            ...options
          }),
          {
            onSuccess: ({ remaining }) => {
              storeAway = false
              return Effect.succeed({ remaining, waitSeconds: 0 })
            },
            onFailure: ({ reason }) => {
              if (reason._tag === "RateLimitExceeded") {
                return Effect.succeed({ remaining: 0, waitSeconds: retryAfterSeconds(reason.retryAfter) })
              }
              const warn = storeAway
                ? Effect.void
                : Effect.logWarning("The store of the rate limits does not answer; calls pass uncounted", reason)
              storeAway = true
              return Effect.as(warn, { remaining: calls, waitSeconds: 0 })
            }
          }
        )

      const within = <E, R>(key: string, limit: RateLimit, app: Effect.Effect<Answer, E, R>) =>
        Effect.flatMap(
          consume(key, limit),
          ({ waitSeconds }) => waitSeconds === 0 ? app : Effect.succeed(refusal(waitSeconds))
        )

      /** Undefined where no address is known: all callers would share one bucket, and one could empty it for all. */
      const networkOf = (request: Request): string | undefined => {
        const address = ClientAddress.of(request, trustedProxies)
        return address === ClientAddress.unknown ? undefined : ClientAddress.network(address)
      }

      return RateLimitsGuard.of({
        ofAddress: (request, app) => {
          const network = networkOf(request)
          if (network === undefined) return app
          const signed = request.headers.authorization !== undefined
          return within(
            `address:${network}`,
            rateLimits.address,
            signed ? app : within(`anonymous:${network}`, rateLimits.anonymous, app)
          )
        },

        ofAccount: (id, app) => within(`account:${id}`, rateLimits.account, app),

        ofExchange: (request, app) => {
          const network = networkOf(request)
          if (network === undefined) return app
          const key = `exchange:${network}`
          const limit = rateLimits.failedExchange
          // Exchanges that fail at the same time overdraw the bucket, so they count all the same.
          const counted = Effect.tapError(
            app,
            (error) => error instanceof Unauthorized ? consume(key, limit, { onExceeded: "delay" }) : Effect.void
          )
          return Effect.flatMap(
            consume(key, limit, { tokens: 0 }),
            // Taking one from a bucket without any takes none, and says when there will be one.
            ({ remaining }) =>
              remaining >= 1
                ? counted
                : Effect.flatMap(consume(key, limit), ({ waitSeconds }) =>
                  waitSeconds === 0 ? counted : Effect.succeed(refusal(waitSeconds)))
          )
        }
      })
    })
  )

  /** Counts in the context's `RateLimiterStore` where the host has brought one (Redis), else in this process. */
  static readonly layer = Layer.unwrap(
    Effect.map(Effect.serviceOption(RateLimiter.RateLimiterStore), (own) =>
      this.layerNoDeps.pipe(
        Layer.provide(RateLimiter.layer),
        Layer.provide(Option.match(own, {
          onNone: () => layerMemory,
          onSome: (store) => Layer.succeed(RateLimiter.RateLimiterStore, store)
        }))
      ))
  )
}

/** For hosts without limits. */
const open = RateLimitsGuard.of({
  ofAddress: (_request, app) => app,
  ofAccount: (_id, app) => app,
  ofExchange: (_request, app) => app
})

const refusal = (waitSeconds: number): Answer =>
  ofError(
    new TooManyRequests({
      error: `Too many calls; call again in ${waitSeconds === 1 ? "a second" : `${waitSeconds} seconds`}.`,
      code: "rate_limited",
      retryable: true
    }),
    Headers.fromInput({ "cache-control": "no-store", "retry-after": String(waitSeconds) })
  )!
