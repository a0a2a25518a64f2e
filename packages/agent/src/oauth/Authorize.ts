/** The authorization endpoint: what an app asks is shown to the person who is signed in, whose answer leads back to the app. RFC 6749, 4.1. */
import {
  CurrentAccount,
  Faults,
  fromDriveError,
  Grants,
  Ids,
  OauthClients,
  Operations,
  RateLimitsGuard,
  type RemoteFile,
  type SecretBox,
  statusOfError
} from "@filedrive/core"
import { Cause, Effect, Schema } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Addresses, paths, resourcesOf } from "./Addresses.ts"
import { codeOf, refused } from "./Answers.ts"
import * as AuthorizationRequest from "./AuthorizationRequest.ts"
import * as Client from "./Client.ts"
import * as ClientDocuments from "./ClientDocuments.ts"
import * as ConsentPage from "./ConsentPage.ts"
import type { ConsentText } from "./ConsentTexts.ts"
import * as FormBody from "./FormBody.ts"
import { html } from "./Html.ts"
import { type Looks, plain, type Words, wordsOf } from "./Looks.ts"
import * as Page from "./Page.ts"
import * as RedirectUri from "./RedirectUri.ts"
import * as Tie from "./Tie.ts"

type Request = HttpServerRequest.HttpServerRequest
type Answer = HttpServerResponse.HttpServerResponse

/** Who is signed in is the host's to say. */
export interface SignIn {
  readonly user: (request: Request) => Effect.Effect<Ids.AccountId | null, unknown>
  /** Where a person signs in, and is led back to `returnTo` from. */
  readonly loginUrl: (returnTo: string) => Effect.Effect<string, unknown>
  /** A user as people name it; null when it has no name. */
  readonly personOf: (accountId: Ids.AccountId) => Effect.Effect<string | null, unknown>
}

/** Longest query, in characters: a page is tied to all of it. */
const queryMaxLength = 8_000

const isFolderId = Schema.is(Ids.FolderId)

const queryOf = ({ url }: Request): string => url.includes("?") ? url.slice(url.indexOf("?") + 1) : ""

const redirect = (to: string): Answer =>
  HttpServerResponse.empty({
    status: 303,
    headers: { location: to, "cache-control": "no-store", "referrer-policy": "no-referrer" }
  })

/** Errors for programs are in English. */
const plainWords = wordsOf(plain, undefined)

/** What is told to the person of a request, in their language. */
interface Saying {
  readonly words: Words
  readonly page: (options: Omit<Page.PageOptions, "language">) => Answer
  /** Why an app can't be connected: one of the texts, or a sentence about what the app has sent. */
  readonly problem: (because: ConsentText | { readonly sentence: string }, status?: number) => Answer
}

/** Whether the caller accepts JSON and no HTML, as programs do. */
const wantsJson = ({ accept = "" }: Request["headers"]): boolean =>
  /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept)

const saying = (looks: Looks, page: (options: Page.PageOptions) => Answer, { headers }: Request): Saying => {
  const words = wordsOf(looks, headers["accept-language"])
  const { language } = words
  return {
    words,
    page: (options) => page({ ...options, language }),
    problem: (because, status = 400) =>
      wantsJson(headers) ?
        refused(
          codeOf(status, "invalid_request"),
          typeof because === "string" ? plainWords.text(because) : because.sentence,
          status
        ) :
        page({
          title: words.text("consent.problem"),
          body: html`<p>${typeof because === "string" ? words.html(because) : because.sentence}</p><p>${
            words.html("consent.problemHint")
          }</p>`,
          status,
          language
        })
  }
}

export const make = Effect.fnUntraced(function*(
  addresses: Addresses,
  signIn: SignIn,
  given: Effect.Effect<Looks>,
  redirectSchemes: ReadonlyArray<string>
) {
  const documents = yield* ClientDocuments.make(redirectSchemes)
  const clients = yield* OauthClients
  const grants = yield* Grants
  const limits = yield* RateLimitsGuard
  const operations = yield* Operations.Operations
  const random = yield* SecureRandom.SecureRandom
  const context = yield* Effect.context<SecretBox.SecretBox | SecureRandom.SecureRandom | Digest.Digest>()
  const { siteUrl } = addresses
  const site = new URL(siteUrl).origin
  const known = { issuer: siteUrl, resources: resourcesOf(addresses), redirectSchemes }

  /** Made with the first page: whoever looks after them need not load them at the start. */
  const pages = yield* Effect.cached(
    Effect.flatMap(given, (looks) => Effect.map(Page.make(looks), (page) => ({ looks, page })))
  )

  const login = (query: string) => Effect.map(signIn.loginUrl(`${siteUrl}${paths.authorize}?${query}`), redirect)

  /** The app that asks, or the answer instead: an app that is described elsewhere is looked up for a signed-in person only. */
  const clientOf = Effect.fnUntraced(function*(
    { problem, words }: Saying,
    id: string,
    user: Ids.AccountId | null,
    query: string
  ) {
    if (!Client.isDocument(id)) {
      const found = yield* clients.find(id)
      return found === null
        ? problem("consent.unknownApp")
        : { ...found, host: null } satisfies Client.Client
    }
    if (user === null) return yield* login(query)
    const found = yield* documents.find(id, user).pipe(
      Effect.catch(() => Effect.succeed(null))
    )
    if (found === null) return problem("consent.tooManyApps")
    return typeof found === "string" ? problem({ sentence: `${words.text("consent.lookUp")} ${found}` }) : found
  })

  /** The request of a person who is signed in, or the answer instead. */
  const asked = Effect.fnUntraced(function*(say: Saying, request: Request, user: Ids.AccountId | null) {
    const { problem } = say
    const query = queryOf(request)
    if (query.length > queryMaxLength) {
      return problem({ sentence: `The request has more than ${queryMaxLength} characters.` })
    }
    const parameters = new URLSearchParams(query)
    const id = AuthorizationRequest.clientIdOf(parameters)
    if (typeof id === "string") return problem({ sentence: id })
    const client = yield* clientOf(say, id.id, user, query)
    if (HttpServerResponse.isHttpServerResponse(client)) return client
    const read = AuthorizationRequest.read(parameters, client, known)
    if (read._tag === "Page") return problem({ sentence: read.because })
    if (read._tag === "Redirect") return redirect(read.to)
    return user === null ? yield* login(query) : { user, query, request: read.request }
  })

  const foldersOf = (id: Ids.AccountId) =>
    Effect.map(
      operations.run("selectCollections", {}, { id, tokenId: null, limits: CurrentAccount.unlimited }),
      ({ folders }) => folders.slice(0, ConsentPage.foldersMax)
    )

  const show = Effect.fnUntraced(function*(say: Saying, http: Request, signedIn: Ids.AccountId | null) {
    const found = yield* asked(say, http, signedIn)
    if (HttpServerResponse.isHttpServerResponse(found)) return found
    const { query, request, user } = found
    return say.page({
      title: ConsentPage.titleOf(request, say.words),
      formAction: ConsentPage.formAction(request),
      body: ConsentPage.body({
        request,
        person: yield* signIn.personOf(user),
        folders: yield* foldersOf(user),
        tie: yield* Tie.make({ accountId: user, query, clientName: request.client.name }),
        action: `${siteUrl}${paths.authorize}?${query}`
      }, say.words)
    })
  })

  /** Whether the form comes from a page of this site's, as far as the browser says. */
  const isOwn = ({ headers }: Request) =>
    (headers["origin"] === undefined || headers["origin"] === site) &&
    ["same-origin", "none", undefined].includes(headers["sec-fetch-site"])

  const decide = Effect.fnUntraced(function*(say: Saying, http: Request, signedIn: Ids.AccountId | null) {
    const { problem } = say
    if (!isOwn(http)) return problem("consent.otherSite", 403)
    const fields = yield* FormBody.fields(http)
    if (fields === null) return problem("consent.unreadable")
    const found = yield* asked(say, http, signedIn)
    if (HttpServerResponse.isHttpServerResponse(found)) return found
    const { query, request, user } = found
    const shown = yield* Tie.pageOf(fields.get("tie") ?? "", {
      accountId: user,
      query,
      clientName: request.client.name
    })
    if (shown === null) return problem("consent.tooOld", 403)
    const { client, redirectUri, state } = request
    const back = (parameters: Readonly<Record<string, string>>) =>
      redirect(RedirectUri.withParameters(redirectUri, { ...parameters, state, iss: siteUrl }))
    const decision = fields.get("decision")
    const consent = {
      clientId: client.id,
      clientName: client.name,
      redirectUri,
      challenge: request.challenge,
      resources: request.resources,
      page: shown
    }
    if (decision === "deny") {
      yield* Effect.uninterruptible(grants.deny(user, { ...consent, permissions: request.permissions }))
      return back({ error: "access_denied" })
    }
    if (decision !== "allow") return problem("consent.noDecision")
    const permissions = request.permissions.filter((one) => fields.getAll("permission").includes(one))
    if (permissions.length === 0) return problem("consent.nothingChosen")
    const folder = fields.get("folder") ?? ""
    if (folder !== "" && !isFolderId(folder)) return problem("consent.notYourFolder")
    const code = yield* Effect.uninterruptible(grants.issueCode(user, {
      ...consent,
      permissions,
      folderId: folder === "" ? null : folder
    })).pipe(
      Effect.catchTag(
        "ConsentRefused",
        ({ reason }) =>
          Effect.succeed(problem(reason === "answered" ? "consent.answered" : "consent.tooManyGrants", 409))
      ),
      Effect.catchTag("NotFound", () => Effect.succeed(problem("consent.notYourFolder"))),
      Effect.catchTag("Refused", ({ message }) => Effect.succeed(problem({ sentence: message }, 403))),
      Effect.catchTag("Unavailable", (error) => Effect.fail(fromDriveError(error)))
    )
    return typeof code === "string" ? back({ code }) : code
  })

  /** A fault is read by a person, too. */
  const told = ({ problem }: Saying) => (cause: Cause.Cause<unknown>): Effect.Effect<Answer> =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.failCause(cause as Cause.Cause<never>)
      : Effect.map(Faults.of(cause, paths.authorize, random), (fault) => {
        const reference = "reference" in fault ? ` Reference: ${fault.reference}` : ""
        return problem({ sentence: fault.error + reference }, statusOfError(fault))
      })

  return (request: Request): Effect.Effect<Answer> =>
    Effect.flatMap(pages, ({ looks, page }) => {
      const say = saying(looks, page, request)
      return Effect.flatMap(signIn.user(request), (user) => {
        const answer = request.method === "POST" ? decide(say, request, user) : show(say, request, user)
        return user === null ? answer : limits.ofAccount(user, answer)
      }).pipe(Effect.catchCause(told(say)))
    }).pipe(Effect.provideContext(context))
})

export type Needs =
  | Grants
  | OauthClients
  | Operations.Operations
  | RateLimitsGuard
  | RemoteFile.RemoteFile
  | SecretBox.SecretBox
  | SecureRandom.SecureRandom
  | Digest.Digest
