/** The drive over HTTP: every route under the host's mount paths, as a web handler and as an Effect app. */
import { Clock, Context, Effect, Layer, Tracer } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpEffect, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApi } from "effect/http-api"
import { ExchangeApi } from "../accounts/ExchangeApi.ts"
import { ExchangeHandlers } from "../accounts/ExchangeHandlers.ts"
import { ClockDistance } from "../database/ClockDistance.ts"
import { Database } from "../database/Database.ts"
import { TakesMore } from "../database/WritePurpose.ts"
import * as Features from "../Features.ts"
import { StorageMarks } from "../objects/StorageMarks.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { allowing, unknownRoute, wrongMethod } from "./Answers.ts"
import { Api } from "./Api.ts"
import { errors } from "./ApiError.ts"
import * as Challenge from "./Challenge.ts"
import * as Cors from "./Cors.ts"
import * as Dispatch from "./Dispatch.ts"
import * as ErrorAnswer from "./ErrorAnswer.ts"
import * as Faults from "./Faults.ts"
import * as Health from "./Health.ts"
import { apiResource, HttpConfig } from "./HttpConfig.ts"
import { LongAnswers } from "./LongAnswers.ts"
import { type Mount, Mounts } from "./Mounts.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import { RateLimitsGuard } from "./RateLimitsGuard.ts"
import * as RepeatedCalls from "./RepeatedCalls.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import * as SessionLayers from "./SessionLayers.ts"

type App = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

/** The status that is counted for a request whose caller disconnected before the answer; it is never sent. */
const hungUpStatus = 499

/** A path the drive answers at, with the methods it takes there. */
interface Mounted {
  /** As it is declared: a path that has a secret in it is neither counted, logged nor traced. */
  readonly route: string
  readonly allow: string
  readonly takes: (method: string) => boolean
  readonly isForAllOrigins?: boolean
  readonly errorAnswer?: ErrorAnswer.ErrorAnswer | undefined
  readonly run: Dispatch.Route["run"]
  readonly count: ReturnType<typeof RequestMetrics.forRoute>
}

export class DriveHttp extends Context.Service<DriveHttp, {
  /** For `NodeHttpServer.makeHandler` and everything else that takes an Effect app. Answers every request. */
  readonly app: App
  /** For everything that speaks the web's `Request` and `Response`. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Whether a path (without its query) is the drive's: a host in front passes the others on. */
  readonly owns: (path: string) => boolean
}>()("@filedrive/core/http/DriveHttp") {
  static readonly layerNoDeps = Layer.effect(
    DriveHttp,
    Effect.gen(function*() {
      const config = yield* HttpConfig
      const { allowedOrigins, authPath, basePath, logRequests } = config
      const limits = yield* RateLimitsGuard
      const random = yield* SecureRandom.SecureRandom
      const context = yield* Effect.context<never>()

      const table = new Map<string, Mounted>()
      const get = (path: string, run: Dispatch.Route["run"]) =>
        table.set(path, {
          route: path,
          allow: "GET, HEAD",
          takes: (method) => method === "GET" || method === "HEAD",
          run,
          count: RequestMetrics.forRoute(path)
        })
      const mount = (prefix: string, { method, path, run }: Omit<Dispatch.Route, "permissions">) =>
        table.set(prefix + path, {
          route: prefix + path,
          allow: method,
          takes: (sent) => sent === method,
          run: (request) => limits.ofAddress(request, run(request)),
          count: RequestMetrics.forRoute(prefix + path)
        })

      const challenge = Challenge.make(apiResource(config))
      const repeated = yield* RepeatedCalls.make
      const long = yield* LongAnswers
      for (const route of yield* Dispatch.routes(Api as unknown as HttpApi.Top, { repeated, long })) {
        mount(basePath, { ...route, run: (request) => challenge(route.permissions, route.run(request)) })
      }
      for (const route of yield* Dispatch.routes(ExchangeApi as unknown as HttpApi.Top, { guard: limits.ofExchange })) {
        mount(authPath, route)
      }
      const ready = Health.ready(
        yield* Database,
        yield* ObjectStore,
        yield* TakesMore,
        yield* Health.Shortage,
        yield* ClockDistance,
        (yield* StorageMarks).hold
      )
      get("/healthz", () => Health.live)
      get("/readyz", () => ready)
      // Made at the first request for it, so the drive starts a tenth of a second sooner.
      const document = yield* Effect.cached(Effect.sync(() => OpenApiDocument.make(config)))
      const documentAnswer = yield* Effect.cached(Effect.map(document, OpenApiDocument.answer))
      get(`${basePath}/openapi.json`, () => documentAnswer)
      const docs = yield* Effect.cached(Effect.gen(function*() {
        const { answers } = yield* Effect.promise(() => import("./docs/DocsPage.ts"))
        return answers(yield* document, errors)
      }))
      for (const path of ["/docs", "/docs/page.css", "/docs/page.js"] as const) {
        get(basePath + path, () => Effect.map(docs, (answers) => answers[path]))
      }

      const mountOther = ({ errorAnswer, isForAllOrigins = false, isSignedOtherwise, methods, path, run }: Mount) => {
        const allow = methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method])
        const mounted: Mounted = {
          route: path,
          allow: allow.join(", "),
          takes: (method) => allow.includes(method),
          isForAllOrigins,
          errorAnswer,
          run: (request) => limits.ofAddress(request, run(request), isSignedOtherwise),
          count: RequestMetrics.forRoute(path)
        }
        table.set(path, mounted)
        if (!path.endsWith("/*")) table.set(`${path}/`, mounted)
      }
      for (const other of yield* Mounts) mountOther(other)

      const countUnknown = RequestMetrics.forRoute("unknown")

      const dispatch: App = Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const path = pathOf(request.url)
        const mounted = table.get(path) ?? table.get(anyBeside(path))
        if (mounted === undefined) {
          countUnknown(fiber.context, 404, 0)
          return Effect.succeed(unknownRoute)
        }
        if (!mounted.takes(request.method)) {
          mounted.count(fiber.context, 405, 0)
          const answer = mounted.errorAnswer ?? ErrorAnswer.plain
          return Effect.succeed(answer(wrongMethod(mounted.allow), allowing(mounted.allow)))
        }
        const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
        if (span?._tag === "Span") span.attribute("http.route", mounted.route)
        const clock = fiber.getRef(Clock.Clock)
        const start = clock.monotonicTimeNanosUnsafe()
        const seconds = () => Number(clock.monotonicTimeNanosUnsafe() - start) / 1e9
        const run = Effect.onInterrupt(
          mounted.run(request),
          () => Effect.sync(() => mounted.count(fiber.context, hungUpStatus, seconds()))
        )
        const answered = Effect.catchCause(run, (cause) => Faults.answer(cause, mounted.route, random))
        const { errorAnswer } = mounted
        return Effect.flatMap(
          errorAnswer === undefined
            ? answered
            : Effect.provideService(answered, ErrorAnswer.ErrorAnswer, errorAnswer),
          (response) => {
            const took = seconds()
            mounted.count(fiber.context, response.status, took)
            return logRequests
              ? Effect.as(
                Effect.logInfo("Answered").pipe(
                  Effect.annotateLogs({ route: mounted.route, status: response.status, seconds: took })
                ),
                response
              )
              : Effect.succeed(response)
          }
        )
      })

      const forAllowed = Cors.forOrigins(allowedOrigins)(dispatch)
      const forAll = Cors.forOrigins(["*"])(dispatch)
      const answering: App = Effect.flatMap(
        HttpServerRequest.HttpServerRequest,
        ({ url }) => table.get(pathOf(url))?.isForAllOrigins === true ? forAll : forAllowed
      )
      // Effect runs an app uninterruptible; a caller who disconnects withdraws the request.
      const app = Effect.interruptible(answering)

      const owns = (path: string) =>
        table.has(path) || table.has(anyBeside(path)) || path.startsWith(`${basePath}/`) ||
        path.startsWith(`${authPath}/`)

      return DriveHttp.of({
        app,
        fetch: HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest>(context)(app),
        owns
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide(
      Layer.mergeAll(Features.handlers, ExchangeHandlers).pipe(
        Layer.provideMerge(SessionLayers.layerNoDeps),
        Layer.provideMerge(RateLimitsGuard.layer),
        Layer.provideMerge(LongAnswers.layer)
      )
    )
  )
}

/** The mount of all paths that differ from this one in the last segment. */
const anyBeside = (path: string): string => `${path.slice(0, path.lastIndexOf("/"))}/*`

const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}
