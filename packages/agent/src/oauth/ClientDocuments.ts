/**
 * The documents that describe apps at the addresses that are their ids. They are fetched like imports: from public addresses only, and for
 * people who are signed in. RFC 9700; "OAuth Client ID Metadata Document".
 */
import { type DriveError, FairPlaces, type Ids, LruCache, RemoteFile } from "@filedrive/core"
import { Clock, Duration, Effect, Stream } from "effect"
import { type Client, lifetimeOf, ofDocument } from "./Client.ts"

const maxBytes = 65_536
const timeout = Duration.seconds(5)

interface Kept {
  readonly client: Client | string
  readonly untilMillis: number
}

/** A failure is remembered too, so that a server is not asked over and over. */
const failureLifetime = Duration.seconds(30)

const places = FairPlaces.make(
  { places: 32, asideMax: 0, ofGroup: 4, waitingOfGroup: 20, waitingMax: 500, preempts: false },
  { turn: timeout, waitMax: timeout },
  {
    tooMany: (account) => `Too many documents of apps are fetched for the account ${account}`,
    preempted: (account) => `The document of an app took too long for the account ${account}`
  }
)

const unreachable = "Its document could not be fetched."

export interface ClientDocuments {
  /**
   * The client that the document at `id` describes; or why there is none, as a sentence. Fails with `Unavailable` when the account has
   * too many fetched.
   */
  readonly find: (id: string, accountId: Ids.AccountId) => Effect.Effect<Client | string, DriveError.Unavailable>
}

const making = Effect.fnUntraced(function*(schemes: ReadonlyArray<string>) {
  const remote = yield* RemoteFile.RemoteFile
  const turns = yield* places
  const kept = new LruCache<string, Kept>(1_000)

  const fetched = Effect.fnUntraced(function*(id: string) {
    const { body, cacheControl, finalUrl } = yield* remote.open(id, null)
    if (finalUrl !== id) return { client: "Its document is redirected.", lifetime: failureLifetime }
    const chunks: Array<Uint8Array> = []
    let size = 0
    yield* Stream.runForEachWhile(body, (bytes) =>
      Effect.sync(() => {
        size += bytes.byteLength
        chunks.push(bytes)
        return size <= maxBytes
      }))
    if (size > maxBytes) return { client: `Its document has more than ${maxBytes} bytes.`, lifetime: failureLifetime }
    const text = new TextDecoder().decode(joined(chunks, size))
    const client = ofDocument(id, parsed(text), schemes)
    // What describes no app is a fault of the moment, like a page of maintenance, and must not keep the app out for a day.
    return { client, lifetime: typeof client === "string" ? failureLifetime : lifetimeOf(cacheControl) }
  }, Effect.scoped)

  const find = Effect.fnUntraced(function*(id: string, accountId: Ids.AccountId) {
    const now = yield* Clock.currentTimeMillis
    const known = kept.get(id)
    if (known !== undefined && known.untilMillis > now) return known.client
    const { client, lifetime } = yield* turns.run(
      accountId,
      fetched(id).pipe(
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () => Effect.succeed({ client: unreachable, lifetime: failureLifetime })
        }),
        Effect.catch(() => Effect.succeed({ client: unreachable, lifetime: failureLifetime }))
      )
    )
    kept.set(id, { client, untilMillis: now + Duration.toMillis(lifetime) }, 1)
    return client
  })

  return { find }
})

/** `schemes`: schemes without a dot that native apps may use. */
export const make: (
  schemes: ReadonlyArray<string>
) => Effect.Effect<ClientDocuments, never, RemoteFile.RemoteFile> = making

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const joined = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
