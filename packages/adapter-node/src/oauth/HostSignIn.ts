/** Who is signed in, as the host says by the option `signIn`. */
import { Accounts, type ActiveAccounts, DriveError, fromDriveError, type HostUsers, type Ids } from "@filedrive/core"
import { Duration, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { DriveOptions } from "../DriveOptions.ts"
import * as UserAccount from "../UserAccount.ts"

export interface SignIn {
  readonly user: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Ids.AccountId | null, unknown>
  readonly loginUrl: (returnTo: string) => Effect.Effect<string, unknown>
  readonly personOf: (accountId: Ids.AccountId) => Effect.Effect<string | null, unknown>
}

/** The request as the host's function gets it: with its headers, and without its body. */
const webRequest = (siteUrl: string, { headers, url }: HttpServerRequest.HttpServerRequest): Request =>
  new Request(siteUrl + url, { headers: { ...headers } })

const noAddress = new Error("signIn.loginUrl must return an http or https address, or a path of this site.")

/** The address to send a person to. A host's function that returns something else must lead nobody there. */
const checked = (siteUrl: string, location: unknown): string => {
  if (typeof location !== "string" || !URL.canParse(location, siteUrl)) throw noAddress
  const { href, protocol } = new URL(location, siteUrl)
  if (protocol !== "https:" && protocol !== "http:") throw noAddress
  return href
}

/** A host's function that takes longer counts as unreachable: a browser waits for it, and so does a server that stops. */
const answersWithin = Duration.seconds(10)

/** Fails as the API answers when the host's function does not answer in time, or the host can't be asked. */
const asked = <A>(what: string, answer: Effect.Effect<A, DriveError.Unavailable>) =>
  Effect.timeoutOrElse(answer, {
    duration: answersWithin,
    orElse: () => {
      const cause = new Error(`${what} did not answer within ${Duration.format(answersWithin)}.`)
      return Effect.andThen(
        Effect.logWarning(cause.message),
        Effect.fail(new DriveError.Unavailable({ code: "unavailable", cause }))
      )
    }
  }).pipe(Effect.mapError(fromDriveError))

/** Null without the option. A function that fails is a fault of the host's: the caller gets 500, the log the cause. */
export const make = Effect.fnUntraced(function*(
  { accounts, signIn }: DriveOptions,
  siteUrl: string
): Effect.fn.Return<SignIn | null, never, Accounts.Accounts | ActiveAccounts | HostUsers> {
  if (signIn === undefined) return null
  const port = yield* Accounts.Accounts
  const context = yield* Effect.context<ActiveAccounts | HostUsers>()
  const accountOf = accounts === undefined || Layer.isLayer(accounts) ? UserAccount.ofUuid : UserAccount.ofHost
  return {
    user: (request) =>
      asked("signIn.user", Effect.promise(async () => await signIn.user(webRequest(siteUrl, request)))).pipe(
        Effect.flatMap((userId) =>
          userId === null || userId === undefined
            ? Effect.succeed(null)
            : Effect.mapError(Effect.provideContext(accountOf(userId), context), fromDriveError)
        )
      ),
    // A function that returns a promise is taken for what it promises: left alone, a rejected one would end the host's process.
    loginUrl: (returnTo) =>
      asked("signIn.loginUrl", Effect.promise(async () => checked(siteUrl, await signIn.loginUrl(returnTo)))),
    personOf: (accountId) =>
      Effect.map(
        asked("accounts.find", port.find(accountId)),
        (found) =>
          Option.match(found, { onNone: () => null, onSome: ({ displayName, handle }) => displayName ?? handle })
      )
  }
})
