/**
 * What ties a consent page to the person it was shown to and to the request it was about, so that no other site can have a person's browser
 * answer it (CSRF). It is sealed: only servers of this drive make one, and any of them reads it.
 */
import { SecretBox } from "@filedrive/core"
import { Clock, Duration, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

/** How long a page can be answered. */
export const lifetime = Duration.minutes(10)

const place = "oauth/consent"

export interface Tied {
  readonly accountId: string
  /** The query of the request, as it came. */
  readonly query: string
  /** The app's name that is shown: a document may have another by the time of the answer. */
  readonly clientName: string
}

interface Sealed extends Tied {
  readonly page: string
  readonly untilMillis: number
}

export const make = Effect.fnUntraced(function*({ accountId, clientName, query }: Tied) {
  const box = yield* SecretBox.SecretBox
  const random = yield* SecureRandom.SecureRandom
  const page = Base64Url.encode(yield* random.randomBytes(16))
  const untilMillis = (yield* Clock.currentTimeMillis) + Duration.toMillis(lifetime)
  const sealed: Sealed = { accountId, query, clientName, page, untilMillis }
  return yield* box.seal(Redacted.make(JSON.stringify(sealed)), place)
})

/** The id of the page that was shown; null when the tie is not this person's, this request's and this app's, or is too old. */
export const pageOf = Effect.fnUntraced(function*(tie: string, { accountId, clientName, query }: Tied) {
  if (tie === "" || tie.length > 20_000) return null
  const box = yield* SecretBox.SecretBox
  const opened = yield* Effect.catch(box.open(tie, place), () => Effect.succeed(null))
  if (opened === null) return null
  const sealed = JSON.parse(Redacted.value(opened)) as Sealed
  const now = yield* Clock.currentTimeMillis
  return sealed.accountId === accountId && sealed.query === query && sealed.clientName === clientName &&
      sealed.untilMillis > now
    ? sealed.page
    : null
})
