/**
 * Calls that arrive twice. Browsers send a request again by themselves when its connection ends before the answer, also a POST (Chromium
 * does), and nobody's program hears of it. An operation that is not repeatable would be done as often. With the header `Idempotency-Key`
 * (IETF draft "The Idempotency-Key HTTP Header Field") the second call gets the answer of the first. It is known in one process, for minutes.
 */
import { Clock, Context, Deferred, Effect } from "effect"
import { Digest } from "effect/crypto"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { LinkCall, siteOf } from "../links/LinkCall.ts"
import { RememberedAnswers } from "./RememberedAnswers.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const keyHeader = "idempotency-key"
const keyMaxLength = 200

/** A key of this length that was made at random, like a UUID, is guessed by nobody. */
const unguessableLength = 32

/** Longer than somebody looks at a failure before trying again. */
const rememberedMillis = 600_000

/** Wraps what does the call and makes its answer: once it has begun it ends with its answer remembered, even if the caller disconnects. */
export type Remembering = <E>(call: Effect.Effect<Response, E>) => Effect.Effect<Response, E>

/** Runs a call, unless the same one was made before. */
export type RepeatedCalls = <E>(
  request: Request,
  body: string,
  run: (remembering: Remembering) => Effect.Effect<Response, E>
) => Effect.Effect<Response, E>

interface Caller {
  /** All calls under this name are the same caller's. */
  readonly name: string
  /** Whose memory is used up by them. */
  readonly owner: string
}

/**
 * Who calls, and not by which session: a program that lost an answer may come back with another. People at public links are known by their network
 * and their program, which many share, behind a proxy even all of them: so their key must be one that can't be guessed. An answer may hold a secret.
 * Undefined for a call of which nothing tells whose it is.
 */
const callerOf = (
  context: Context.Context<never>,
  { headers }: Request,
  key: string,
  body: string
): Caller | undefined => {
  const account = Context.getOrUndefined(context, CurrentAccount)
  if (account !== undefined) {
    const { id, limits: { folderId, permissions }, tokenId } = account
    return { name: JSON.stringify([id, tokenId, folderId, permissions]), owner: id }
  }
  const link = Context.getOrUndefined(context, LinkCall)
  if (link === undefined || key.length < unguessableLength) return undefined
  return {
    name: JSON.stringify(["link", link.accessToken, link.network, headers["user-agent"] ?? null]),
    owner: `link ${ownerOf(link, body)}`
  }
}

/**
 * One who has many addresses is one owner, as far as that is known. Where a host tells no address, so that everybody would be one, each link
 * is: what is kept was answered with success, so it is a link that there is.
 */
const ownerOf = ({ network }: LinkCall["Service"], body: string): string | null => {
  if (network !== null) return siteOf(network) ?? network
  const [of, ...others] = linkIdsOf(body)
  // With a second one the call could be made to seem another link's.
  return of === undefined || others.length > 0 ? null : `at ${of}`
}

const linkIdsOf = (body: string): ReadonlyArray<unknown> => {
  try {
    // As the operation reads it, also where a name is there twice.
    const { dropToken, requestId, reviewId } = Object(JSON.parse(body))
    return [dropToken, requestId, reviewId].filter((id) => id !== undefined)
  } catch {
    return []
  }
}

const keyOf = ({ headers }: Request): string | undefined => {
  const key = headers[keyHeader]
  return key === undefined || key === "" || key.length > keyMaxLength ? undefined : key
}

interface Call {
  /** Null where it made nothing, so that the same call may be made. */
  readonly answer: Deferred.Deferred<Response | null>
}

/** What was made, as far as it is to be sent again. */
const madeOf = (answer: Response): Response | null =>
  answer.status === 200 && answer.body._tag === "Uint8Array" ? answer : null

export const make: Effect.Effect<RepeatedCalls, never, Digest.Digest> = Effect.map(Digest.Digest, (digest) => {
  const atWork = new Map<string, Call>()
  const remembered = new RememberedAnswers<Response>()

  const once = <E>(
    id: string,
    owner: string,
    run: (remembering: Remembering) => Effect.Effect<Response, E>
  ): Effect.Effect<Response, E> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const found = remembered.find(id, now)
      if (found !== undefined) return Effect.succeed(found)
      const first = atWork.get(id)
      if (first !== undefined) {
        return Effect.flatMap(
          Deferred.await(first.answer),
          (answer) => answer === null ? once(id, owner, run) : Effect.succeed(answer)
        )
      }
      return Effect.uninterruptibleMask((restore) => {
        const answer = Deferred.makeUnsafe<Response | null>()
        atWork.set(id, { answer })
        const end = (made: Response | null, now: number) => {
          if (!Deferred.doneUnsafe(answer, Effect.succeed(made))) return
          atWork.delete(id)
          if (made?.body._tag !== "Uint8Array") return
          remembered.add(id, { owner, answer: made, bytes: made.body.body.length, until: now + rememberedMillis })
        }
        const remembering: Remembering = (call) =>
          Effect.uninterruptible(
            Effect.tap(call, (made) => Effect.map(Clock.currentTimeMillis, (now) => end(madeOf(made), now)))
          )
        return Effect.onExit(restore(run(remembering)), () => Effect.sync(() => end(null, now)))
      })
    })

  return (request, body, run) =>
    Effect.contextWith((context: Context.Context<never>) => {
      const key = keyOf(request)
      const caller = key === undefined ? undefined : callerOf(context, request, key, body)
      if (key === undefined || caller === undefined) return run((call) => call)
      const told = new TextEncoder().encode([request.url, key, caller.name, body].join("\n"))
      // Only a hash is kept of what was sent: it may contain a password.
      return Effect.flatMap(digest.digestHex(Digest.sha256, told), (id) => once(id, caller.owner, run))
    })
})
