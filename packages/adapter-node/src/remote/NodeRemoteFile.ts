/**
 * The port {@link RemoteFile} by `node:http`: a client that trusts neither the link nor the server.
 *
 * Each hop is a connection of its own, whose address is checked when it is made. Head and body have limits of time and
 * size; what the server states of the file is compared with what it sends.
 */
import { RemoteFile } from "@filedrive/core"
import { Config, Duration, Effect, Layer, Result, type Scope } from "effect"
import * as Body from "./Body.ts"
import { exchange, type Lookup, type PinnedRequest } from "./PinnedRequest.ts"
import { isPublic } from "./PublicAddress.ts"
import { type AllowsAddress, parse, type RemoteUrl } from "./RemoteUrl.ts"
import { lookupAll, resolveBy } from "./Resolver.ts"

export interface RemoteFileOptions {
  /** Whether addresses that are not public may be reached. Default false. */
  readonly allowPrivateAddresses?: boolean
  /** How names become addresses. Default: by the machine's name servers; with private addresses also by its hosts file. */
  readonly lookup?: Lookup
  /** Which addresses may be reached, instead of the public ones. For tests. */
  readonly allows?: AllowsAddress
}

const redirectsMaxCount = 5

/** From asking for a name to the end of the answer's head. */
const headTimeout = Duration.seconds(30)

const stallTimeout = Duration.seconds(60)

const failed = (reason: RemoteFile.RemoteReason, because: string, retryable = false) =>
  new RemoteFile.RemoteFailed({ reason, because, retryable })

const headersFor = (resume: RemoteFile.ResumePoint | null): Readonly<Record<string, string>> => ({
  accept: "*/*",
  "accept-encoding": "identity",
  "user-agent": "filedrive",
  ...(resume === null ? {} : { range: `bytes=${resume.startBytes}-`, "if-range": resume.validator })
})

/**
 * What tells later whether the file is still the same: a strong ETag, else a time of change that lies a minute before the
 * answer, so that no second change can share it (RFC 9110, 8.8.2.2).
 */
const validatorOf = ({ response: { headers } }: PinnedRequest): string | null => {
  const { date, etag, "last-modified": modified } = headers
  if (etag !== undefined) return /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) ? etag : null
  if (modified === undefined || date === undefined) return null
  return Date.parse(date) - Date.parse(modified) >= 60_000 ? modified : null
}

/** Whether a part says that it is of another file: some servers ignore `If-Range`. */
const isOfAnother = ({ response: { headers } }: PinnedRequest, { validator }: RemoteFile.ResumePoint): boolean => {
  const mark = validator.startsWith("\"") ? headers.etag : headers["last-modified"]
  return mark !== undefined && mark !== validator
}

/** Where a body begins, ends, and how much the whole is. */
interface Extent {
  readonly startBytes: number
  readonly bodyBytes: number | null
  readonly sizeBytes: number | null
}

const extentOf = Effect.fnUntraced(function*(answer: PinnedRequest, resume: RemoteFile.ResumePoint | null) {
  const stated = yield* Body.statedBytes(answer)
  if (answer.response.statusCode !== 206) return { startBytes: 0, bodyBytes: stated, sizeBytes: stated }
  const range = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16})$/.exec(answer.response.headers["content-range"] ?? "")
  const [start, end, total] = (range ?? []).slice(1).map(Number)
  const fits = resume !== null && start === resume.startBytes && end === total! - 1 && start <= end
    && (stated === null || stated === end - start + 1)
  if (!fits) return yield* failed("invalid_answer", "The server sends another part of the file than was asked for.")
  return { startBytes: start, bodyBytes: end - start + 1, sizeBytes: total! }
})

/** The failure for an answer with this status. */
const refusal = (status: number): RemoteFile.RemoteFailed => {
  if (status >= 500 || [408, 425, 429].includes(status)) {
    return failed("server_failed", `The server can't give the file for now (status ${status}).`, true)
  }
  return failed("server_refused", `The server does not give the file (status ${status}).`)
}

const make = ({ allowPrivateAddresses = false, allows: given, lookup: resolve }: RemoteFileOptions) => {
  const lookup = resolve ?? (allowPrivateAddresses ? lookupAll : resolveBy())
  const allows: AllowsAddress = given ?? (allowPrivateAddresses ? () => true : isPublic)

  /** The head of the answer after all redirects, and its URL. */
  const follow = Effect.fnUntraced(function*(
    url: string,
    headers: Readonly<Record<string, string>>
  ): Effect.fn.Return<
    { readonly answer: PinnedRequest; readonly at: RemoteUrl },
    RemoteFile.RemoteFailed,
    Scope.Scope
  > {
    let at = yield* Effect.fromResult(parse(url, allows))
    for (let redirects = 0;; redirects++) {
      const answer = yield* exchange(at, headers, { allows, lookup }).pipe(
        Effect.timeoutOrElse({
          duration: headTimeout,
          orElse: () => Effect.fail(failed("server_stalled", "The server did not answer in time.", true))
        })
      )
      const { headers: { location }, statusCode = 0 } = answer.response
      if (![301, 302, 303, 307, 308].includes(statusCode)) return { answer, at }
      answer.response.destroy()
      if (location === undefined) return yield* failed("invalid_answer", "The server redirects to nowhere.")
      if (redirects === redirectsMaxCount) {
        return yield* failed("too_many_redirects", `The link is redirected more than ${redirectsMaxCount} times.`)
      }
      at = yield* Effect.fromResult(parse(location, allows, at.href))
    }
  })

  const open = (
    url: string,
    resume: RemoteFile.ResumePoint | null
  ): Effect.Effect<RemoteFile.RemoteAnswer, RemoteFile.RemoteFailed, Scope.Scope> =>
    Effect.gen(function*() {
      const { answer, at } = yield* follow(url, headersFor(resume))
      const { headers, statusCode = 0 } = answer.response
      // The file has changed: it has nothing after that point, or a part of the new file.
      if (resume !== null && (statusCode === 416 || (statusCode === 206 && isOfAnother(answer, resume)))) {
        answer.response.destroy()
        return yield* open(url, null)
      }
      if (![200, 203, 206].includes(statusCode)) return yield* refusal(statusCode)
      const { bodyBytes, sizeBytes, startBytes }: Extent = yield* extentOf(answer, resume)
      return {
        finalUrl: at.href,
        startBytes,
        sizeBytes,
        disposition: headers["content-disposition"] ?? null,
        mimeType: headers["content-type"] ?? null,
        validator: validatorOf(answer),
        acceptsRanges: statusCode === 206 || headers["accept-ranges"]?.trim().toLowerCase() === "bytes",
        cacheControl: headers["cache-control"] ?? null,
        body: Body.stream(answer, bodyBytes, stallTimeout)
      }
    })

  return RemoteFile.RemoteFile.of({
    check: (url) => Effect.asVoid(Effect.fromResult(Result.map(parse(url, allows), () => undefined))),
    open
  })
}

/** Fetches from public addresses only, unless the option allows others; then it logs a warning. */
export const layer = (options: RemoteFileOptions = {}): Layer.Layer<RemoteFile.RemoteFile> =>
  Layer.effect(
    RemoteFile.RemoteFile,
    Effect.gen(function*() {
      if (options.allowPrivateAddresses === true) {
        yield* Effect.logWarning(
          "allowPrivateAddresses is on: whoever may import files can read what any server that this machine reaches gives,"
            + " its own and those of its network among them. Never leave it on where strangers can sign in."
        )
      }
      return make(options)
    })
  )

/** {@link layer} with its options read by `Config`. */
export const layerConfig = (
  config: Config.Wrap<RemoteFileOptions>
): Layer.Layer<RemoteFile.RemoteFile, Config.ConfigError> => Layer.unwrap(Effect.map(Config.unwrap(config), layer))
