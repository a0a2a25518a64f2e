/**
 * One request over a connection of its own, to an address that was checked: the name is looked up once, every answer
 * must be allowed, and the connection goes to one of these answers only. So a name that resolves otherwise
 * the next time (rebinding) changes nothing. `node:http` by hand: no proxy of the environment, no cookies, no pool.
 */
import { RemoteFile } from "@filedrive/core"
import { Effect, type Scope } from "effect"
import type { LookupAddress } from "node:dns"
import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import { type AllowsAddress, privateAddress, type RemoteUrl } from "./RemoteUrl.ts"

/** All addresses of a name. */
export type Lookup = (host: string) => Promise<ReadonlyArray<LookupAddress>>

/** Most bytes of an answer's head. */
const headMaxBytes = 16 * 1024

/** Most interim answers (1xx) before the final one. */
const informationMaxCount = 16

export interface PinnedRequest {
  readonly response: IncomingMessage
  /** The failure of the connection since the head arrived; the body may still have ended. */
  readonly flaw: () => RemoteFile.RemoteFailed | undefined
}

const failed = (reason: RemoteFile.RemoteReason, because: string, retryable: boolean) =>
  new RemoteFile.RemoteFailed({ reason, because, retryable })

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | undefined)?.code ?? "")

const notFound = () => failed("server_unreachable", "There is no server of that name.", false)

/** Translates an error of the connection. Texts of the server are not shown. */
export const failureOf = (error: unknown): RemoteFile.RemoteFailed => {
  if (error instanceof RemoteFile.RemoteFailed) return error
  const code = codeOf(error)
  if (code === "HPE_HEADER_OVERFLOW") {
    return failed("invalid_answer", "The head of the server's answer is too long.", false)
  }
  if (code.startsWith("HPE_")) return failed("invalid_answer", "The server's answer is not HTTP.", false)
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code)) {
    return failed("server_unreachable", "The server's TLS certificate could not be verified.", false)
  }
  if (code === "ECONNRESET" || code === "EPIPE") return failed("connection_lost", "The connection was lost.", true)
  return failed("server_unreachable", "The server can't be reached.", true)
}

/** The addresses to connect to, all of them allowed. */
const addressesOf = Effect.fnUntraced(function*({ host }: RemoteUrl, lookup: Lookup, allows: AllowsAddress) {
  const family = isIP(host)
  const found = family === 0
    ? yield* Effect.tryPromise({
      try: () => lookup(host),
      catch: (error) => ["ENOTFOUND", "ENODATA"].includes(codeOf(error)) ? notFound() : failureOf(error)
    })
    : [{ address: host, family }]
  if (found.length === 0) return yield* notFound()
  // One address that is not public is enough: the owner of the name chose it.
  if (!found.every(({ address }) => allows(address))) return yield* privateAddress()
  return found
})

/** A `lookup` that returns the checked addresses, whatever name is asked for. */
const pinned = (addresses: ReadonlyArray<LookupAddress>): LookupFunction => (_host, options, answer) => {
  if (options.all === true) answer(null, [...addresses])
  else answer(null, addresses[0]!.address, addresses[0]!.family)
}

/** What is sent besides headers. Default: a GET. */
export interface Sent {
  readonly method: "POST"
  readonly body: Uint8Array
}

/** Sends the request and receives the head of its answer. The connection closes with the scope. */
export const exchange = Effect.fnUntraced(function*(
  url: RemoteUrl,
  headers: Readonly<Record<string, string>>,
  { allows, lookup }: { readonly allows: AllowsAddress; readonly lookup: Lookup },
  sent?: Sent
): Effect.fn.Return<PinnedRequest, RemoteFile.RemoteFailed, Scope.Scope> {
  const addresses = yield* addressesOf(url, lookup, allows)
  let flaw: RemoteFile.RemoteFailed | undefined
  const request = yield* Effect.acquireRelease(
    Effect.sync(() => open(url, headers, addresses, sent?.method ?? "GET")),
    (request) => Effect.sync(() => void request.destroy())
  )
  const response = yield* Effect.callback<IncomingMessage, RemoteFile.RemoteFailed>((resume) => {
    request.on("socket", (socket) => {
      // Before anything is sent: the address that the socket is connected to is checked.
      socket.prependOnceListener("connect", () => {
        const { remoteAddress = "" } = socket
        if (!allows(remoteAddress) || !addresses.some(({ address }) => address === remoteAddress)) {
          request.destroy(privateAddress())
        }
      })
    })
    let informed = 0
    request.on("information", () => {
      if (++informed > informationMaxCount) {
        request.destroy(failed("invalid_answer", "The server announces an answer again and again.", false))
      }
    })
    request.on("response", (response) => {
      response.on("error", (error) => flaw ??= failureOf(error))
      resume(Effect.succeed(response))
    })
    request.on("error", (error) => {
      flaw ??= failureOf(error)
      resume(Effect.fail(flaw))
    })
    request.on("close", () => resume(Effect.fail(failureOf({ code: "ECONNRESET" }))))
    request.end(sent?.body)
  })
  return { response, flaw: () => flaw }
})

const open = (
  url: RemoteUrl,
  headers: Readonly<Record<string, string>>,
  addresses: ReadonlyArray<LookupAddress>,
  method: "GET" | "POST"
): ClientRequest =>
  (url.isTls ? httpsRequest : httpRequest)({
    host: url.host,
    port: url.port,
    path: url.path,
    method,
    headers,
    agent: false,
    lookup: pinned(addresses),
    maxHeaderSize: headMaxBytes,
    insecureHTTPParser: false,
    ...(url.isTls ? { rejectUnauthorized: true } : {})
  })
