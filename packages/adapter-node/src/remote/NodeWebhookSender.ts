/**
 * The port {@link WebhookSender} by `node:http`, with the same guard as imports: each attempt is a connection of its own, to an address
 * that was checked when it was made. Redirects are not followed, and of the answer only the status counts.
 */
import { type RemoteFile, WebhookSender } from "@filedrive/core"
import { Config, Duration, Effect, Layer, Result } from "effect"
import { isIP } from "node:net"
import { exchange, type Lookup, type PinnedRequest } from "./PinnedRequest.ts"
import { isPublic } from "./PublicAddress.ts"
import { type AllowsAddress, isLocalName, type RemoteUrl } from "./RemoteUrl.ts"
import { lookupAll, resolveBy } from "./Resolver.ts"

export interface WebhookSenderOptions {
  /** Whether http, and addresses that are not public, may be reached. Default false. */
  readonly allowPrivateAddresses?: boolean
  /** How names become addresses. Default: by the machine's name servers; with private addresses also by its hosts file. */
  readonly lookup?: Lookup
  /** Which addresses may be reached, instead of the public ones. For tests. */
  readonly allows?: AllowsAddress
}

/** From asking for a name to the answer's status. */
const attemptTimeout = Duration.seconds(10)

/** The rest of an answer is read so long and so far, since some servers log callers who hang up. */
const rest = { timeout: Duration.seconds(1), maxBytes: 1_000_000 }

const failed = (reason: WebhookSender.WebhookReason, because: string) =>
  new WebhookSender.WebhookFailed({ reason, because })

/** Takes an address apart; any port may be named. */
const parse = (
  text: string,
  allows: AllowsAddress,
  allowsHttp: boolean
): Result.Result<RemoteUrl, WebhookSender.WebhookFailed> => {
  const refuse = (because: string) => Result.fail(failed("url_not_allowed", because))
  const url = URL.parse(text)
  if (url === null) return refuse("must be an address like https://example.com/hook")
  if (url.protocol !== "https:" && !(allowsHttp && url.protocol === "http:")) {
    return refuse("must be an https address")
  }
  if (url.username !== "" || url.password !== "") return refuse("must not contain a user name or password")
  const isTls = url.protocol === "https:"
  const host = url.hostname.replace(/^\[|\]$/g, "")
  if ((isIP(host) !== 0 && !allows(host)) || (isLocalName(host) && !allows("127.0.0.1"))) {
    return Result.fail(failed("address_not_allowed", "must be an address on the public internet"))
  }
  url.hash = ""
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port)
  return Result.succeed({ href: url.href, isTls, host, port, path: url.pathname + url.search })
}

const reasons: Readonly<Record<RemoteFile.RemoteReason, WebhookSender.WebhookReason>> = {
  url_not_allowed: "url_not_allowed",
  address_not_allowed: "address_not_allowed",
  too_many_redirects: "server_refused",
  server_unreachable: "server_unreachable",
  server_refused: "server_refused",
  server_failed: "server_refused",
  server_stalled: "server_stalled",
  connection_lost: "invalid_answer",
  invalid_answer: "invalid_answer"
}

/** Reads what is left of an answer, as far as it is worth it. */
const drain = ({ response }: PinnedRequest): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    let read = 0
    const finish = () => resume(Effect.void)
    response.on("data", (chunk: Uint8Array) => {
      read += chunk.length
      if (read > rest.maxBytes) finish()
    })
    response.on("close", finish)
  }).pipe(Effect.timeoutOption(rest.timeout), Effect.asVoid)

const make = ({ allowPrivateAddresses = false, allows: given, lookup: resolve }: WebhookSenderOptions) => {
  const lookup = resolve ?? (allowPrivateAddresses ? lookupAll : resolveBy())
  const allows: AllowsAddress = given ?? (allowPrivateAddresses ? () => true : isPublic)
  const parsed = (url: string) => Effect.fromResult(parse(url, allows, allowPrivateAddresses))

  const post = Effect.fnUntraced(function*({ body, headers, url }: WebhookSender.WebhookDelivery) {
    const at = yield* parsed(url)
    const bytes = new TextEncoder().encode(body)
    const answer = yield* exchange(
      at,
      {
        ...headers,
        "content-type": "application/json",
        "content-length": String(bytes.length),
        "user-agent": "filedrive"
      },
      { allows, lookup },
      { method: "POST", body: bytes }
    ).pipe(
      Effect.mapError(({ because, reason }) => failed(reasons[reason], because)),
      Effect.timeoutOrElse({
        duration: attemptTimeout,
        orElse: () => Effect.fail(failed("server_stalled", "The server did not answer in time."))
      })
    )
    const { statusCode = 0 } = answer.response
    if (statusCode < 200 || statusCode > 299) {
      return yield* failed("server_refused", `The server answered with status ${statusCode}.`)
    }
    yield* drain(answer)
  }, Effect.scoped)

  return WebhookSender.WebhookSender.of({ check: (url) => Effect.asVoid(parsed(url)), send: post })
}

/** Posts to public addresses by https only, unless the option allows others. */
export const layer = (options: WebhookSenderOptions = {}): Layer.Layer<WebhookSender.WebhookSender> =>
  Layer.sync(WebhookSender.WebhookSender, () => make(options))

/** {@link layer} with its options read by `Config`. */
export const layerConfig = (
  config: Config.Wrap<WebhookSenderOptions>
): Layer.Layer<WebhookSender.WebhookSender, Config.ConfigError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))
