/** The agent's mounts over tasks in memory, and callers of it. */
import { Bearers, type Credential, DriveError, Events, type Ids, RateLimitsGuard } from "@filedrive/core"
import { Effect, Latch, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { A2aHttp } from "../../src/protocol.ts"
import * as FakeTasks from "./FakeTasks.ts"

const accountId = "0199a000-0000-7000-8000-0000000000aa" as Ids.AccountId

const credential = (last: number, permissions: Credential["limits"]["permissions"]): Credential => ({
  id: `0199a000-0000-7000-8000-0000000000b${last}` as Ids.ApiTokenId,
  accountId,
  limits: { permissions, folderId: null },
  name: `token ${last}`
})

/** Two tokens of one account, one of which may do only a part, one without the permission for the agent, and those of two others. */
const credentials: Readonly<Record<string, Credential>> = {
  "fdt_one": credential(1, null),
  "fdt_other": credential(2, ["agent", "read"]),
  "fdt_reader": credential(3, ["read"]),
  "fdt_stranger": { ...credential(4, null), accountId: "0199a000-0000-7000-8000-0000000000ab" as Ids.AccountId },
  "fdt_third": { ...credential(5, null), accountId: "0199a000-0000-7000-8000-0000000000ac" as Ids.AccountId }
}

const TestTokens = Layer.succeed(
  Bearers,
  {
    resolve: (text: string) => {
      const found = credentials[text]
      if (text === "fdt_suspended") {
        return Effect.fail(new DriveError.Refused({ code: "not_allowed", because: "This user is suspended." }))
      }
      return found === undefined
        ? Effect.fail(new DriveError.Unauthenticated({ code: "invalid_token" }))
        : Effect.succeed(found)
    }
  } as unknown as Bearers["Service"]
)

/** What is open when the server stops. */
export const stopping = Latch.makeUnsafe()

const TestEvents = Layer.succeed(
  Events,
  { nextHangUp: Effect.succeed(stopping.await) } as unknown as Events["Service"]
)

export const site = "https://drive.test"

const options = (origin: string): A2aHttp.A2aHttpOptions => ({
  path: "/a2a",
  siteUrl: origin,
  url: `${origin}/a2a`,
  name: "filedrive",
  oauth: {
    authorizationUrl: `${origin}/oauth/authorize`,
    tokenUrl: `${origin}/oauth/token`,
    metadataUrl: `${origin}/.well-known/oauth-authorization-server`
  }
})

/** Answers requests as the drive does: by path and method. */
export const agent = Effect.fnUntraced(function*(origin = site) {
  const mounts = yield* Effect.provide(A2aHttp.make(options(origin)), [
    FakeTasks.layer,
    TestTokens,
    TestEvents,
    RateLimitsGuard.layer,
    Digest.layerWebCrypto,
    SecureRandom.layerWebCrypto
  ])
  return (request: Request) => {
    const mount = mounts.find(({ path }) => path === new URL(request.url).pathname)!
    return Effect.map(mount.run(HttpServerRequest.fromWeb(request)), HttpServerResponse.toWeb)
  }
})

type Answering = Effect.Success<ReturnType<typeof agent>>

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A request like a well-behaved client's, but for what is given. */
export const post = (body: unknown, headers: Readonly<Record<string, string | null>> = {}, query = "") => {
  const sent = { "content-type": "application/json", "a2a-version": "1.0", ...bearer("fdt_one"), ...headers }
  return new Request(`${site}/a2a${query}`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== null)
  })
}

export const rpc = (method: string, params: unknown, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params })

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data: readonly [Readonly<Record<string, unknown>>]
}

/** The JSON of an answer, and its status. */
export const answerOf = Effect.fnUntraced(function*(answering: Answering, request: Request) {
  const response = yield* answering(request)
  const body = yield* Effect.promise(() => response.json()) as Effect.Effect<any>
  return { status: response.status, headers: response.headers, body }
})

/** The result of a call, or its error. */
export const call = (answering: Answering, method: string, params: unknown, token = "fdt_one") =>
  Effect.map(
    answerOf(answering, post(rpc(method, params), bearer(token))),
    ({ body }) => body as { readonly result: any; readonly error: RpcError }
  )

let messages = 0

/** A message of one text. */
export const message = (text: string, more: object = {}) => ({
  message: { messageId: `m-${++messages}`, role: "ROLE_USER", parts: [{ text }], ...more }
})
