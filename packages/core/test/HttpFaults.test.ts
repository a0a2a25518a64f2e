/** What a caller is told on the server's bad days: never the cause. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Metric, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { ActiveAccounts } from "../src/accounts/ActiveAccounts.ts"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { ExchangeHandlers } from "../src/accounts/ExchangeHandlers.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { TokensHandlers } from "../src/accounts/TokensHandlers.ts"
import { Database } from "../src/database/Database.ts"
import * as Features from "../src/Features.ts"
import { Trash } from "../src/files/Trash.ts"
import { DriveHttp } from "../src/http/DriveHttp.ts"
import * as Handlers from "../src/http/Handlers.ts"
import * as Health from "../src/http/Health.ts"
import * as HttpConfig from "../src/http/HttpConfig.ts"
import { LongAnswers } from "../src/http/LongAnswers.ts"
import { RateLimitsGuard } from "../src/http/RateLimitsGuard.ts"
import * as SessionLayers from "../src/http/SessionLayers.ts"
import { Library } from "../src/library/Library.ts"
import { LibraryHandlers } from "../src/library/LibraryHandlers.ts"
import { StorageMarks } from "../src/objects/StorageMarks.ts"
import { ObjectStore } from "../src/ports/ObjectStore.ts"
import { Refused, Unavailable } from "../src/shared/DriveError.ts"
import { AccountId } from "../src/shared/Ids.ts"
import { type Answer, call, send, TestLog } from "./TestHttp.ts"

const account = { id: AccountId.make("019845e1-682f-7b02-a706-3b2422d13aec"), tokenId: null }
const unlimited = { permissions: null, folderId: null }

const full = Effect.fail(new Unavailable({ code: "no_space", cause: "secret cause" }))
const away = Effect.fail(new Unavailable({ code: "storage_unavailable", cause: "secret cause" }))

interface Broken {
  readonly list?: Library["Service"]["list"]
  readonly sql?: Effect.Effect<unknown, unknown>
  readonly check?: ObjectStore["Service"]["check"]
  readonly hold?: StorageMarks["Service"]["hold"]
  readonly config?: Partial<HttpConfig.HttpConfig>
}

/** Handlers of every group, for operations that no test here calls. */
const Uncalled = Layer.mergeAll(
  Layer.empty,
  ...Features.groups.map((group) =>
    Layer.succeed(Handlers.key(group), new Proxy({}, { get: () => () => Effect.die("This is called by no test.") }))
  )
)

/** Of what the tests call, the real ones. */
const HandlersLayer = Layer.mergeAll(LibraryHandlers, TokensHandlers, ExchangeHandlers).pipe(
  Layer.provideMerge(Uncalled),
  Layer.provideMerge(SessionLayers.layerNoDeps),
  Layer.provideMerge(RateLimitsGuard.layer),
  Layer.provideMerge(LongAnswers.layer)
)

/** A drive of mocks whose listing, database or store does what the test says. */
const broken = ({ check, config = {}, hold, list, sql }: Broken) =>
  DriveHttp.layerNoDeps.pipe(
    Layer.provide(HandlersLayer),
    Layer.provide([
      HttpConfig.layer(config),
      Layer.mock(ApiTokens, {
        list: Effect.fail(new Refused({ code: "token_limit", because: "No." })),
        exchange: () => Effect.fail(new Refused({ code: "not_allowed", because: "No." }))
      }),
      Layer.mock(Sessions, {
        resolve: () => Effect.succeed({ ...account, limits: unlimited }),
        onEnded: () => Effect.void
      }),
      Layer.mock(ActiveAccounts, {}),
      Layer.mock(Trash, {}),
      Layer.mock(Library, list === undefined ? {} : { list }),
      Layer.succeed(Database, { takesChanges: sql ?? Effect.succeed(true) } as unknown as Database["Service"]),
      Layer.mock(ObjectStore, {
        singleUploadMaxBytes: 1,
        revokesForms: true,
        publicUrl: (key) => key,
        check: check ?? Effect.void
      }),
      Layer.mock(StorageMarks, { hold: hold ?? Effect.succeed(null) }),
      Digest.layerWebCrypto,
      SecureRandom.layerWebCrypto
    ]),
    Layer.provideMerge(TestLog.layer)
  )

const connectionError = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: "secret cause", message: "connect ECONNREFUSED 10.1.2.3:5432" })
})

const list = (token = "any"): Effect.Effect<Answer, never, DriveHttp> => call(token, "/select-user-files")

it.effect("ERR-7 a defect is 500 internal with a reference that the log holds, and nothing of the cause", () =>
  Effect.gen(function*() {
    const answer = yield* list()
    assert.strictEqual(answer.status, 500)
    const { error, reference, ...rest } = answer.body
    assert.deepStrictEqual(rest, { code: "internal", retryable: true })
    assert.notInclude(error, "secret")
    const line = (yield* TestLog).find((line) => line.includes(reference))
    assert.include(line!, "secret cause")
    assert.include(line!, "/api/select-user-files")
    assert.match(reference, /^[0-9a-f-]{36}$/)
  }).pipe(Effect.provide(broken({ list: () => Effect.die(new Error("secret cause")) }))))

it.effect("ERR-7 an answer that does not fit its declaration is a fault too", () =>
  Effect.gen(function*() {
    const answer = yield* call("any", "/get-user-storage-usage")
    assert.deepStrictEqual([answer.status, answer.body.code], [500, "internal"])
  }).pipe(Effect.provide(broken({}))))

it.effect("ERR-11 a body that does not arrive within 30 seconds is 400 invalid_body", () =>
  Effect.gen(function*() {
    const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
    const asked = yield* Effect.forkChild(
      send("/api/trash-files", {
        method: "POST",
        headers: { "x-service-app": "filedrive", authorization: "Bearer any" },
        body: silent,
        duplex: "half"
      } as RequestInit)
    )
    yield* TestClock.adjust("29 seconds")
    assert.isUndefined(asked.pollUnsafe())
    yield* TestClock.adjust("1 second")
    const { body, status } = yield* Fiber.join(asked)
    assert.deepStrictEqual([status, body.code], [400, "invalid_body"])
    assert.include(body.error, "too long")
  }).pipe(Effect.provide(broken({}))))

it.effect("ERR-8 a database that cannot be reached is 503 unavailable, retryable", () =>
  Effect.gen(function*() {
    const answer = yield* list()
    assert.strictEqual(answer.status, 503)
    assert.deepStrictEqual([answer.body.code, answer.body.retryable], ["unavailable", true])
    assert.notInclude(JSON.stringify(answer.body), "10.1.2.3")
    assert.include((yield* TestLog).join("\n"), "10.1.2.3")
  }).pipe(Effect.provide(broken({ list: () => Effect.die(connectionError) }))))

it.effect("ERR-8 a statement the database refuses is a fault, not an absence", () =>
  Effect.gen(function*() {
    assert.strictEqual((yield* list()).status, 500)
  }).pipe(Effect.provide(broken({
    list: () =>
      Effect.die(new SqlError.SqlError({ reason: new SqlError.SqlSyntaxError({ cause: "x", message: "syntax" }) }))
  }))))

it.effect("ERR-1 a core error is rendered by its code, retryable false", () =>
  Effect.gen(function*() {
    const answer = yield* call("any", "/select-api-tokens")
    assert.deepStrictEqual([answer.status, answer.body], [
      403,
      { error: "No.", code: "token_limit", retryable: false }
    ])
  }).pipe(Effect.provide(broken({}))))

it.effect("AUTH-4 a host may turn the check of the app header off, or choose the app", () =>
  Effect.gen(function*() {
    const post = (headers: Record<string, string>) =>
      Effect.map(send("/api/select-api-tokens", { method: "POST", headers }), ({ body }) => body.code)
    assert.strictEqual(yield* Effect.provide(post({}), broken({ config: { checkAppHeader: false } })), "token_limit")
    const own = broken({ config: { appId: "mine" } })
    assert.strictEqual(yield* Effect.provide(post({ "x-service-app": "filedrive" }), own), "wrong_app")
    assert.strictEqual(yield* Effect.provide(post({ "x-service-app": "mine" }), own), "token_limit")
  }))

it.effect("HOST-7 /healthz answers whatever is away; /readyz names what is", () =>
  Effect.gen(function*() {
    for (
      const [layer, status, named] of [
        [broken({}), 200, undefined],
        [broken({ sql: Effect.fail(connectionError) }), 503, ["database"]],
        [broken({ check: away }), 503, ["storage"]],
        [broken({ check: Effect.die("x"), sql: Effect.die("x") }), 503, ["database", "storage"]]
      ] as const
    ) {
      yield* Effect.gen(function*() {
        assert.strictEqual((yield* send("/healthz", { method: "GET" })).status, 200)
        const ready = yield* send("/readyz", { method: "GET" })
        assert.deepStrictEqual([ready.status, ready.body.away], [status, named])
        assert.notInclude(JSON.stringify(ready.body), "10.1.2.3")
        if (status === 503) assert.deepInclude(ready.body, { code: "unavailable", retryable: true })
      }).pipe(Effect.provide(layer))
    }
  }))

it.effect("STO-140 /readyz says why removals are held, and that the drive works", () =>
  Effect.gen(function*() {
    const answer = yield* send("/readyz", { method: "GET" })
    assert.deepStrictEqual([answer.status, answer.body], [200, { status: "ok", detail: "storage is newer" }])
  }).pipe(
    Effect.provide(broken({ hold: Effect.succeed({ reason: "storage is newer", since: DateTime.makeUnsafe(0) }) }))
  ))

it.effect("HOST-30 /readyz says by no_space that storage is full, unless something is away", () =>
  Effect.gen(function*() {
    const ready = send("/readyz", { method: "GET" })
    const answer = yield* Effect.provide(ready, broken({ check: full }))
    assert.deepStrictEqual([answer.status, answer.body], [503, {
      error: "Not ready: the storage is full. Uploads, imports and archives are refused, all else works.",
      code: "no_space",
      retryable: true,
      away: []
    }])
    const both = yield* Effect.provide(ready, broken({ check: full, sql: Effect.die("x") }))
    assert.deepInclude(both.body, { code: "unavailable", away: ["database"] })
  }))

it.effect("HOST-250 /readyz says that the database is read-only, unless database or storage is away", () =>
  Effect.gen(function*() {
    const ready = send("/readyz", { method: "GET" })
    const readOnly = { sql: Effect.succeed(false) }
    const answer = yield* Effect.provide(ready, broken(readOnly))
    assert.deepStrictEqual([answer.status, answer.body], [503, {
      error: "Not ready: the database is read-only, as a standby is. Changes are refused; reading works.",
      code: "unavailable",
      retryable: true,
      away: []
    }])
    const both = yield* Effect.provide(ready, broken({ ...readOnly, check: away }))
    assert.deepInclude(both.body, { code: "unavailable", away: ["storage"] })
  }))

it.effect("HOST-252 /readyz reports a shortage, and for a while a shortage that is over", () =>
  Effect.gen(function*() {
    const ready = (isShort: boolean, from: Broken) =>
      Effect.map(
        Effect.provide(
          send("/readyz", { method: "GET" }),
          broken(from).pipe(
            Layer.provide(Layer.succeed(Health.Shortage, Effect.succeed({ isShort, sentence: "It lacks files." })))
          )
        ),
        ({ body, status }) => ({ ...body, status })
      )
    assert.deepStrictEqual(yield* ready(false, {}), { status: 200, detail: "It lacks files." })
    assert.deepInclude(yield* ready(true, {}), {
      status: 503,
      error: "Not ready: It lacks files.",
      code: "unavailable",
      away: []
    })
    assert.deepInclude(yield* ready(true, { check: away }), {
      status: 503,
      away: ["storage"],
      detail: "It lacks files."
    })
  }))

it.effect("HOST-16 without allowed origins no CORS header is sent; with one, a preflight and an answer carry it", () =>
  Effect.gen(function*() {
    const headers = { origin: "https://app.test", "access-control-request-method": "POST" }
    const ask = send("/api/select-api-tokens", { method: "OPTIONS", headers })
    const closed = yield* Effect.provide(ask, broken({}))
    assert.deepStrictEqual([closed.status, closed.headers.get("access-control-allow-origin")], [405, null])
    yield* Effect.gen(function*() {
      const preflight = yield* ask
      assert.strictEqual(preflight.status, 204)
      assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "https://app.test")
      for (const name of ["x-service-app", "mcp-protocol-version", "mcp-method"]) {
        assert.include(preflight.headers.get("access-control-allow-headers")!, name)
      }
      const refused = yield* send("/api/select-api-tokens", { method: "POST", headers })
      assert.strictEqual(refused.headers.get("access-control-allow-origin"), "https://app.test")
      assert.strictEqual(refused.status, 403)
    }).pipe(Effect.provide(broken({ config: { allowedOrigins: ["https://app.test"] } })))
  }))

it.effect("HOST-17 requests are counted by route and status, and timed by route", () =>
  Effect.gen(function*() {
    yield* list()
    yield* list()
    yield* send("/api/nothing?token=secret", { method: "POST" })
    const series = yield* Metric.snapshot
    const of = (id: string, attributes: Record<string, string>) =>
      Option.getOrThrow(Option.fromUndefinedOr(series.find((one) =>
        one.id === id && Object.entries(attributes).every(([key, value]) =>
          (one.attributes as Record<string, string>)?.[key] === value
        )
      ))).state as { readonly count: number }
    const route = "/api/select-user-files"
    assert.strictEqual(of("filedrive_http_requests_total", { route, status: "500" }).count, 2)
    assert.strictEqual(of("filedrive_http_request_duration_seconds", { route }).count, 2)
    assert.strictEqual(of("filedrive_http_requests_total", { route: "unknown", status: "404" }).count, 1)
    assert.notInclude(
      JSON.stringify(series.map(({ attributes }) =>
        attributes
      )),
      "secret"
    )
  }).pipe(
    Effect.provide(broken({ list: () => Effect.die("x") })),
    Effect.provideService(Metric.MetricRegistry, new Map())
  ))

it.effect("HOST-14 every mount path is the host's choice, and nothing answers at the others", () =>
  Effect.gen(function*() {
    const { owns } = yield* DriveHttp
    const post = (path: string) => Effect.map(send(path, { method: "POST" }), ({ body }) => body.code)
    assert.strictEqual(yield* post("/drive/v/select-api-tokens"), "wrong_app")
    assert.strictEqual(yield* post("/sign-in/exchange-token"), "not_allowed")
    assert.strictEqual(yield* post("/api/select-api-tokens"), "unknown_route")
    assert.deepStrictEqual(
      ["/drive/v/select-api-tokens", "/drive/v/x", "/readyz", "/drive", "/api/trash-files", "/"].map(owns),
      [true, true, true, false, false, false]
    )
  }).pipe(Effect.provide(broken({ config: { basePath: "/drive/v", authPath: "/sign-in" } }))))
