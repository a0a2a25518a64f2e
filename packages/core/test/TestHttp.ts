/** A whole drive behind its web handler, in this process: memory for storage, PGlite for rows, jobs that run when told. */
import {
  MemoryObjectStore,
  MemoryRemoteFile,
  MemoryWebhooks,
  TestDatabase,
  TestImageGenerator,
  TestMediaTools,
  TestPasswordHasher,
  TestSecretBox
} from "@filedrive/testing"
import { Context, Effect, Layer, Logger, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { AccountsAdmin, type NewAccount } from "../src/accounts/AccountsAdmin.ts"
import * as AccountsSql from "../src/accounts/AccountsSql.ts"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { ApiTokens, type NewApiToken } from "../src/accounts/ApiTokens.ts"
import { unlimited } from "../src/accounts/CurrentAccount.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import type { Database } from "../src/database/Database.ts"
import * as Features from "../src/Features.ts"
import { DriveHttp } from "../src/http/DriveHttp.ts"
import * as HttpConfig from "../src/http/HttpConfig.ts"
import type { Accounts } from "../src/ports/Accounts.ts"
import { MediaKinds } from "../src/ports/MediaKinds.ts"
import * as Checked from "./Checked.ts"
import { ManualJobs } from "./ManualJobs.ts"

/** What a drive asks of its host, but for users and a database. */
export const Ports = Layer.mergeAll(
  MemoryObjectStore.layer,
  MemoryRemoteFile.layer,
  TestPasswordHasher.layer,
  MemoryWebhooks.layer,
  TestSecretBox.layer,
  ManualJobs.layer,
  TestMediaTools.layer,
  TestImageGenerator.layer,
  Layer.succeed(MediaKinds, MediaKinds.of({ detect: () => Effect.succeed(null) })),
  Digest.layerWebCrypto,
  SecureRandom.layerWebCrypto
)

/** Everything below HTTP, and what a test asks besides, for users kept by `accounts`. */
const servicesFor = <E>(accounts: Layer.Layer<Accounts, E, Database>) =>
  Layer.provideMerge(AccountsAdmin.layer, Features.layer).pipe(
    Layer.provideMerge(AccountTransaction.layer),
    Layer.provideMerge(accounts),
    Layer.provideMerge(Ports),
    Layer.provideMerge(TestDatabase.layer),
    Layer.orDie
  )

export const TestServices = servicesFor(AccountsSql.layer)

/** What was logged, each line as one text with its annotations and causes. */
export class TestLog extends Context.Service<TestLog, Array<string>>()("@filedrive/core/test/TestHttp/TestLog") {
  static readonly layer = Layer.effectContext(Effect.sync(() => {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatLogFmt, (line) => {
      lines.push(line)
    })
    return Context.make(TestLog, lines).pipe(Context.merge(Context.make(Logger.CurrentLoggers, new Set([logger]))))
  }))
}

const httpOver = <A, E, R>(services: Layer.Layer<A, E, R>, config: Partial<HttpConfig.HttpConfig>) =>
  DriveHttp.layer.pipe(
    Layer.provide(HttpConfig.layer(config)),
    Layer.provideMerge(services),
    Layer.provideMerge(TestLog.layer)
  )

export const testHttp = (config: Partial<HttpConfig.HttpConfig> = {}) => httpOver(TestServices, config)

/** With users that a host keeps. */
export const testHttpWith = (accounts: Layer.Layer<Accounts>) => httpOver(servicesFor(accounts), {})

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line no-explicit-any
  readonly body: any
}

/** Sends a request as it is. */
export const send = Effect.fnUntraced(function*(path: string, init: RequestInit) {
  const { fetch } = yield* DriveHttp
  return yield* Effect.promise(async (): Promise<Answer> => {
    const response = await fetch(new Request(`http://drive.test${path}`, init))
    const text = await response.text()
    const json = response.headers.get("content-type")?.includes("json") === true
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
  })
})

/** Calls a route of the file service with a session token and the app header. */
export const call = (
  token: string,
  route: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<Answer, never, DriveHttp> =>
  send(`/api${route}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "x-service-app": "filedrive",
      "content-type": "application/json",
      ...headers
    },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })

/** `/exchange-token` with an API token. */
export const exchange = (apiToken: string): Effect.Effect<Answer, never, DriveHttp> =>
  send("/auth/exchange-token", { method: "POST", headers: { authorization: `Bearer ${apiToken}` } })

/** A new user with a `pro` plan. */
export const newUser = Effect.fnUntraced(function*(account: NewAccount = {}) {
  const admin = yield* AccountsAdmin
  return Option.getOrThrow(yield* admin.create({ plan: "pro", ...account })).id
})

/** A new user and a session the host opened for it. */
export const signedIn = Effect.gen(function*() {
  const userId = yield* newUser()
  return { userId, token: (yield* (yield* Sessions).open(userId)).token }
})

/** A new user with an API token of the given text. */
export const withToken = Effect.fnUntraced(function*(text: string, token: Partial<NewApiToken> = {}) {
  const userId = yield* newUser()
  yield* (yield* ApiTokens).register(userId, Checked.tokenText(text), {
    name: Checked.tokenName("test"),
    limits: unlimited,
    expireTime: null,
    ...token
  })
  return userId
})
