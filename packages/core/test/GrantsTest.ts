/** Grants of a drive below HTTP, and an app that is allowed things. */
import { MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Layer, Result } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { AccountsAdmin } from "../src/accounts/AccountsAdmin.ts"
import * as AccountsSql from "../src/accounts/AccountsSql.ts"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { CurrentAccount, unlimited } from "../src/accounts/CurrentAccount.ts"
import { SessionToken } from "../src/accounts/Session.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { Bearers } from "../src/oauth/Bearers.ts"
import type { CodeRequest, Consent, IssuedTokens } from "../src/oauth/Grant.ts"
import { Grants } from "../src/oauth/Grants.ts"
import { OauthClients } from "../src/oauth/OauthClients.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import { ManualJobs } from "./ManualJobs.ts"

/** What grants need, on a fresh database. */
export const servicesOn = (database: typeof TestDatabase.layer | typeof TestDatabase.layerPostgres) =>
  Layer.mergeAll(
    Grants.layer,
    OauthClients.layer,
    Bearers.layer,
    ApiTokens.layer,
    AccountsAdmin.layer
  )
    .pipe(
      Layer.provideMerge(Sessions.layer),
      Layer.provideMerge(AccountTransaction.layer),
      Layer.provideMerge(
        Layer.mergeAll(
          AccountsSql.layer,
          MemoryObjectStore.layer,
          ManualJobs.layer,
          Digest.layerWebCrypto,
          SecureRandom.layerWebCrypto
        )
      ),
      Layer.provideMerge(database),
      Layer.orDie
    )

export const services = servicesOn(TestDatabase.layer)

export const api = "https://drive.test/api"
export const mcp = "https://drive.test/mcp"
export const verifier = "a verifier of at least forty-three characters, as it is sent"

export const consent = (change: Partial<Consent> = {}) =>
  Effect.gen(function*() {
    const digest = yield* Digest.Digest
    const hash = yield* digest.digest(Digest.sha256, new TextEncoder().encode(verifier))
    const page = Base64Url.encode(yield* (yield* SecureRandom.SecureRandom).randomBytes(16))
    return {
      clientId: "app",
      clientName: "An app",
      redirectUri: "https://app.test/back",
      challenge: Base64Url.encode(hash),
      resources: [api, mcp],
      permissions: ["read", "add"],
      folderId: null,
      page,
      ...change
    } satisfies Consent
  })

const request = (code: string, change: Partial<CodeRequest> = {}): CodeRequest => ({
  code,
  clientId: "app",
  redirectUri: "https://app.test/back",
  verifier,
  resources: null,
  ...change
})

export const issue = (accountId: AccountId, change: Partial<Consent> = {}) =>
  Effect.flatMap(consent(change), (given) => Grants.use((grants) => grants.issueCode(accountId, given)))

export const exchange = (code: string, change: Partial<CodeRequest> = {}) =>
  Grants.use((grants) => grants.exchangeCode(request(code, change)))

export const granted = (accountId: AccountId, change: Partial<Consent> = {}) =>
  Effect.flatMap(issue(accountId, change), (code) => exchange(code, { clientId: change.clientId ?? "app" }))

export const refresh = ({ refreshToken }: Pick<IssuedTokens, "refreshToken">, change: object = {}) =>
  Grants.use((grants) =>
    grants.refresh({ refreshToken, clientId: "app", permissions: null, resources: null, ...change })
  )

export const codeOf = <A, E extends { readonly code: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ code }) => code)

export const asUser = (id: AccountId) => Effect.provideService(CurrentAccount, { id, tokenId: null, limits: unlimited })

export const listed = (id: AccountId) => ApiTokens.use((tokens) => tokens.list).pipe(asUser(id))

export const isValid = ({ accessToken }: IssuedTokens, resource = api) =>
  Effect.map(
    Effect.result(Sessions.use((sessions) => sessions.resolve(SessionToken.make(accessToken), resource))),
    Result.isSuccess
  )
