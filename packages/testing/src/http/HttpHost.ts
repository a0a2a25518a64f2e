/** A host under test: a drive as one way of serving it answers. */
import { type Caller, CallerClient } from "../CallerClient.ts"
import { type Answer, type AnswerOf, DriveClient, type DriveClientOptions, type Fetch } from "../DriveClient.ts"

export interface HttpHost {
  /** The drive's own URL with its mount, without a trailing slash. */
  readonly url: string
  /** How requests reach it. Default: the platform's `fetch`, over the network. */
  readonly fetch?: Fetch
  /** Makes a user with an API token. Default: plan `pro`, no quota. */
  readonly user: (
    account?: { readonly plan?: "basic" | "pro" | null; readonly quotaBytes?: number | null }
  ) => Promise<{ readonly userId: string; readonly apiToken: string }>
  /** Makes storage fail the next call that signs a form. Left out where the store can't. */
  readonly failStorage?: () => Promise<void>
  /**
   * What makes the calls of an API token: given a client of bare requests for it. Asked at each call; an answer instead is that of
   * the call. Default: bare requests.
   */
  readonly caller?: (bare: DriveClient, options: DriveClientOptions) => Promise<Caller | Answer>
  readonly close: () => Promise<void>
}

/** A signed-in client of a new user. */
export const newClient = async (host: HttpHost, account?: Parameters<HttpHost["user"]>[0]): Promise<DriveClient> => {
  const { apiToken } = await host.user(account)
  return clientOf(host, apiToken)
}

export const clientOf = ({ caller, fetch, url }: HttpHost, apiToken: string): DriveClient => {
  const options = { url, apiToken, ...fetch !== undefined && { fetch } }
  return caller === undefined ? new DriveClient(options) : new CallerClient(options, (bare) => caller(bare, options))
}

type Media = NonNullable<AnswerOf<"/search-files">["files"][number]["media"]>

/** What is known of a file that is of the kind which has this fact. */
export const mediaWith = <Fact extends string>(media: Media | null, fact: Fact) => {
  if (media === null || !(fact in media)) throw new Error(`The file's media has no ${fact}.`)
  return media as Extract<Media, { readonly [key in Fact]: unknown }>
}

/** The status of an answer whose body is ignored. It is still read: a drive that closes waits for its readers. */
export const statusOf = async (answer: Promise<Response>): Promise<number> => {
  const response = await answer
  await response.arrayBuffer()
  return response.status
}

/** `length` bytes that differ from position to position. */
export const content = (length: number, seed = 0): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length)
  const block = Uint8Array.from(
    { length: Math.min(length, 65_521) },
    (_, at) => (at * 31 + (at >> 7) + seed * 101) % 251
  )
  for (let at = 0; at < length; at += block.length) {
    bytes.set(block.subarray(0, Math.min(block.length, length - at)), at)
  }
  return bytes
}

/** The interval of polls for a background job's result: as often as the rate limits allow. */
const lookEveryMillis = 40

/** Polls until the answer is `right`; otherwise the test's time limit ends it. */
export const eventually = async <A>(ask: () => Promise<A>, right: (answer: A) => boolean): Promise<A> => {
  for (;;) {
    const answer = await ask()
    if (right(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, lookEveryMillis))
  }
}

/** The host under test; there once its tests run. */
export type CurrentHost = () => HttpHost
