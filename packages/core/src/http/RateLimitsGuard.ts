/** Refuses calls above {@link "./RateLimits.ts"} with 429 and the time to wait. */
import { Cause, Clock, Context, Duration, Effect, Exit, Layer, Option } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { type LinkCall, type LinkLimits, siteOf } from "../links/LinkCall.ts"
import { RateLimited } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import { fromDriveError, ServiceUnavailable, Unauthorized } from "./ApiError.ts"
import * as Bearer from "./Bearer.ts"
import * as ClientAddress from "./ClientAddress.ts"
import { ErrorAnswer } from "./ErrorAnswer.ts"
import { HttpConfig } from "./HttpConfig.ts"
import { type RateLimit, retryAfterSeconds } from "./RateLimits.ts"
import { bounded, layerMemory } from "./RateLimitsStore.ts"
import * as ReturnedPlaces from "./ReturnedPlaces.ts"

type Answer = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** What a call has shown so far: it counts as one without a session until `signedIn` is true. */
const CallSignature = Context.Reference<{ signedIn: boolean } | null>(
  "@filedrive/core/http/RateLimitsGuard/CallSignature",
  {
    defaultValue: () => null
  }
)

const signedIn = Effect.withFiber<void>((fiber) => {
  const signature = fiber.getRef(CallSignature)
  if (signature !== null) signature.signedIn = true
  return Effect.void
})

export class RateLimitsGuard extends Context.Service<RateLimitsGuard, {
  /**
   * Runs `app` unless the caller's address has called too often; before anything is looked up. A call that sends a
   * bearer token with which no session is resolved counts as one without a session, once that is known; so does every call where
   * callers show something else (`isSignedOtherwise`), unless {@link signedIn} was run.
   */
  readonly ofAddress: <E, R>(
    request: Request,
    app: Effect.Effect<Answer, E, R>,
    isSignedOtherwise?: boolean
  ) => Effect.Effect<Answer, E, R>
  /** The call that runs this has shown something that is valid: it does not count as one without a session. */
  readonly signedIn: Effect.Effect<void>
  /** Runs `app`, whose session is resolved, unless the account has called too often. */
  readonly ofAccount: <E, R>(id: AccountId, app: Effect.Effect<Answer, E, R>) => Effect.Effect<Answer, E, R>
  /**
   * Runs an exchange, whose body has arrived, unless too many from its address have failed. Each takes its place before
   * the token is checked and returns it unless the token was wrong, so however many come at once, no more than the
   * limit are checked. Where there is no place left, but others are being checked, it waits up to a second for one of theirs.
   * It must not be run before the body has arrived: a caller who sends slowly would hold a place all the while.
   */
  readonly ofExchange: <A, E, R>(request: Request, app: Effect.Effect<A, E, R>) => Effect.Effect<A | Answer, E, R>
  /** Runs `app`, by which an app registers itself, unless too many did from its address, or its site of IPv6 (a /48). */
  readonly ofRegistration: <E, R>(request: Request, app: Effect.Effect<Answer, E, R>) => Effect.Effect<Answer, E, R>
  /** Where a call through a public link comes from, and the limits on it: see {@link LinkLimits}. */
  readonly linkCaller: (request: Request) => Pick<LinkCall["Service"], "network" | "limits">
  /** The same limits for a call of a host's own code. */
  readonly limitsOfLinks: (network: string | null) => LinkLimits
}>()("@filedrive/core/http/RateLimitsGuard") {
  static readonly layerNoDeps = Layer.effect(
    RateLimitsGuard,
    Effect.gen(function*() {
      const { rateLimits, trustedProxies } = yield* HttpConfig

      /** Undefined where no address is known: all callers would share one bucket, and one could empty it for all. */
      const networkOf = (request: Request): string | undefined => {
        const address = ClientAddress.of(request, trustedProxies)
        return address === ClientAddress.unknown ? undefined : ClientAddress.network(address)
      }

      if (rateLimits === false) return unlimited(networkOf)
      const limiter = yield* RateLimiter.RateLimiter
      const places = ReturnedPlaces.make()
      let storeAway = false

      /** The seconds to wait, 0 when the call may proceed, and the calls left. While the store is away no call is refused. */
      const consume = (key: string, { calls, perSeconds }: RateLimit, tokens = 1) =>
        Effect.matchEffect(
          limiter.consume({
            algorithm: "token-bucket",
            key,
            limit: calls,
            window: perSeconds * 1_000,
            tokens
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
          ({ waitSeconds }) => waitSeconds === 0 ? app : refusal(waitSeconds)
        )

      /** Takes one call, which {@link giveBack} puts back. */
      const take = (key: string, limit: RateLimit): Take =>
        Effect.map(consume(key, limit), ({ waitSeconds }) => ({ waitSeconds, giveBack: giveBack(key, limit) }))

      /**
       * The same, but never more than `calls` in any `perSeconds`: a bucket that was full takes nearly twice as many. Each of the
       * calls is a bucket of one, which is full again `perSeconds` after it was emptied.
       */
      const takeExactly = (key: string, limit: RateLimit): Take => {
        if (limit.calls > exactMax) return take(key, limit)
        const one = { calls: 1, perSeconds: limit.perSeconds }
        const from = (at: number, leastSeconds: number): Take =>
          at === limit.calls
            ? Effect.succeed({ waitSeconds: leastSeconds, giveBack: Effect.void })
            : Effect.flatMap(take(`${key}:${at}`, one), (taken) =>
              taken.waitSeconds === 0 ? Effect.succeed(taken) : from(at + 1, Math.min(leastSeconds, taken.waitSeconds)))
        return from(0, limit.perSeconds)
      }

      /**
       * The same for a limit that many callers share. A fifth of it is kept for those who took little: a few who take all they can leave the
       * others room. Whose network nobody knows has no part in that.
       */
      const takeShared = (network: string | null, limit: RateLimit) => (key: string): Take => {
        const kept = Math.floor(limit.calls / 5)
        const common = take(key, { ...limit, calls: limit.calls - kept })
        if (network === null || kept === 0) return common
        const ofKept = take(`${key}:kept`, { ...limit, calls: kept })
        const own = take(`${key}:kept:${siteOf(network) ?? network}`, { ...limit, calls: Math.min(keptOfCaller, kept) })
        return Effect.gen(function*() {
          const first = yield* common
          if (first.waitSeconds === 0) return first
          const ours = yield* own
          if (ours.waitSeconds > 0) return first
          const second = yield* ofKept
          if (second.waitSeconds === 0) return { ...second, giveBack: Effect.andThen(second.giveBack, ours.giveBack) }
          yield* ours.giveBack
          return first
        })
      }

      /** Puts one call back, without filling the bucket over its brim where it has filled up meanwhile. */
      const giveBack = (key: string, limit: RateLimit) =>
        Effect.flatMap(
          consume(key, limit, -1),
          ({ remaining }) => remaining > limit.calls ? consume(key, limit, remaining - limit.calls) : Effect.void
        )

      const countedUnlessSignedIn = <E, R>(key: string, app: Effect.Effect<Answer, E, R>) =>
        Effect.suspend(() => {
          const signature = { signedIn: false }
          const count = Effect.suspend(() => signature.signedIn ? free : consume(key, rateLimits.anonymous))
          return app.pipe(
            Effect.provideService(CallSignature, signature),
            Effect.onInterrupt(() => count),
            Effect.exit,
            Effect.flatMap((exit) =>
              isFault(exit)
                ? exit
                : Effect.flatMap(
                  count,
                  ({ waitSeconds }) => waitSeconds === 0 ? exit : refusal(waitSeconds)
                )
            )
          )
        })

      /**
       * Runs `app` if its limit has a place, which it returns at its end unless it is to be counted. Where there is no place left, but others
       * are running, it waits for one of theirs.
       */
      const placed = <A, E, R>(
        key: string,
        take: Take,
        app: Effect.Effect<A, E, R>,
        isCounted: (exit: Exit.Exit<A, E>) => boolean,
        patience: Duration.Duration
      ): Effect.Effect<A, E | RateLimited, R> =>
        Effect.gen(function*() {
          const start = yield* Clock.currentTimeMillis
          let taken = yield* take
          while (taken.waitSeconds > 0 && (yield* places.wait(key, start, patience))) taken = yield* take
          if (taken.waitSeconds > 0) return yield* new RateLimited({ retryAfterSeconds: taken.waitSeconds })
          const { giveBack } = taken
          return yield* places.work(
            key,
            Effect.onExit(app, (exit) => isCounted(exit) ? Effect.void : giveBack)
          )
        })

      /** Runs the check of a password within the limits on wrong ones and on right ones. */
      const guessing = <E, R>(
        of: string,
        { right, wrong }: { readonly right: (key: string) => Take; readonly wrong: RateLimit },
        check: Effect.Effect<boolean, E, R>
      ) => {
        const [rightKey, wrongKey] = [`right-password:${of}`, `wrong-password:${of}`]
        const withinRight = placed(rightKey, right(rightKey), check, isRightPassword, patience.password)
        return placed(wrongKey, takeExactly(wrongKey, wrong), withinRight, isWrongPassword, patience.password)
      }

      const limitsOfLinks = (network: string | null): LinkLimits => ({
        count: (linkId) =>
          Effect.flatMap(
            consume(`link:${linkId}`, rateLimits.link),
            ({ waitSeconds }) =>
              waitSeconds === 0 ? Effect.void : Effect.fail(new RateLimited({ retryAfterSeconds: waitSeconds }))
          ),
        guess: (linkId, check) => {
          const { rightPassword, rightPasswordFrom, wrongPassword, wrongPasswordFrom } = rateLimits
          const right = takeShared(network, rightPassword)
          const atLink = guessing(`link:${linkId}`, { right, wrong: wrongPassword }, check)
          const rightFrom = (key: string) => take(key, rightPasswordFrom)
          return network === null
            ? atLink
            : guessing(`from:${network}`, { right: rightFrom, wrong: wrongPasswordFrom }, atLink)
        }
      })

      return RateLimitsGuard.of({
        ofAddress: (request, app, isSignedOtherwise = false) => {
          const network = networkOf(request)
          if (network === undefined) return app
          const anonymous = `anonymous:${network}`
          return within(
            `address:${network}`,
            rateLimits.address,
            isSignedOtherwise || isSigned(request)
              ? countedUnlessSignedIn(anonymous, app)
              : within(anonymous, rateLimits.anonymous, app)
          )
        },

        ofRegistration: (request, app) => {
          const network = networkOf(request)
          if (network === undefined) return app
          const limited = within(`registration:${network}`, rateLimits.registration, app)
          const site = siteOf(network)
          if (site === null) return limited
          // Who has one network of IPv6 may have very many, and could push out everybody's apps that were not allowed anything yet.
          const { calls, perSeconds } = rateLimits.registration
          return within(`registration-site:${site}`, { calls: calls * networksOfSite, perSeconds }, limited)
        },

        signedIn,

        ofAccount: (id, app) => Effect.andThen(signedIn, within(`account:${id}`, rateLimits.account, app)),

        ofExchange: (request, app) => {
          const exchange = Effect.tap(app, signedIn)
          const network = networkOf(request)
          if (network === undefined) return exchange
          const key = `exchange:${network}`
          return Effect.catchIf(
            placed(key, take(key, rateLimits.failedExchange), exchange, isWrongToken, patience.exchange),
            (error) => error instanceof RateLimited,
            ({ retryAfterSeconds }) => refusal(retryAfterSeconds)
          ) as Effect.Effect<Effect.Success<typeof app> | Answer, Effect.Error<typeof app>, Effect.Services<typeof app>>
        },

        linkCaller: (request) => {
          const network = networkOf(request) ?? null
          return { network, limits: limitsOfLinks(network) }
        },

        limitsOfLinks
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
          onSome: (store) => Layer.succeed(RateLimiter.RateLimiterStore, bounded(store))
        }))
      ))
  )
}

/** How long a call waits for a place that another may return. Passwords are slow to check, so forty right ones at once take seconds. */
const patience = { exchange: Duration.seconds(1), password: Duration.seconds(5) }

/** A try to take one call of a limit: the seconds to wait, 0 when it was taken, and what puts it back. */
type Take = Effect.Effect<{ readonly waitSeconds: number; readonly giveBack: Effect.Effect<unknown> }>

/** A site of IPv6 may register as many apps as this many of its networks. */
const networksOfSite = 10

/** Calls that an address or an IPv6 site may take of what a shared limit keeps. */
const keptOfCaller = 3

/** Each call of an exact limit is an entry of the store, and where all are taken each is asked. A host's higher limit is a bucket. */
const exactMax = 60

const free = Effect.succeed({ remaining: 0, waitSeconds: 0 })

/** Whether a call comes with something that may be a session or an API token. */
const isSigned = (request: Request): boolean => Bearer.tokenOf(request.headers.authorization) !== ""

/** Whether a token was checked and was wrong; when the caller disconnects before the answer it counts as wrong. */
const isWrongToken = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  (Cause.hasInterrupts(exit.cause) || Cause.squash(exit.cause) instanceof Unauthorized)

/** Whether a password was checked and was wrong; a check that its caller gave up counts as wrong. */
const isWrongPassword = (exit: Exit.Exit<boolean, unknown>): boolean =>
  Exit.isSuccess(exit) ? !exit.value : Cause.hasInterrupts(exit.cause)

const isRightPassword = (exit: Exit.Exit<boolean, unknown>): boolean => Exit.isSuccess(exit) && exit.value

/** Whether no session was resolved for a reason that is not the caller's fault. */
const isFault = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && (Cause.hasDies(exit.cause) || Cause.squash(exit.cause) instanceof ServiceUnavailable)

const unlimitedLinks: LinkLimits = { count: () => Effect.void, guess: (_linkId, check) => check }

/** For hosts without limits. */
const unlimited = (networkOf: (request: Request) => string | undefined) =>
  RateLimitsGuard.of({
    ofAddress: (_request, app) => app,
    signedIn: Effect.void,
    ofAccount: (_id, app) => app,
    ofExchange: (_request, app) => app,
    ofRegistration: (_request, app) => app,
    linkCaller: (request) => ({ network: networkOf(request) ?? null, limits: unlimitedLinks }),
    limitsOfLinks: () => unlimitedLinks
  })

const refusal = (waitSeconds: number): Effect.Effect<Answer> =>
  Effect.map(ErrorAnswer, (answer) => answer(fromDriveError(new RateLimited({ retryAfterSeconds: waitSeconds }))))
