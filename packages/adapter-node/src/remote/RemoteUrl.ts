/** Which links are fetched at all, by their text. Pure. */
import { RemoteFile } from "@filedrive/core"
import { Result } from "effect"
import { isIP } from "node:net"

/** Whether a connection to an address is allowed. */
export type AllowsAddress = (address: string) => boolean

/** A link that may be fetched, taken apart. */
export interface RemoteUrl {
  readonly href: string
  readonly isTls: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Path and query. */
  readonly path: string
}

const refuse = (reason: RemoteFile.RemoteReason, because: string) =>
  Result.fail(new RemoteFile.RemoteFailed({ reason, because, retryable: false }))

/**
 * Ports from 1024 on that are not for files, from the list of browsers: a service there might take
 * a request for something else.
 */
const otherPorts = new Set([
  1719,
  1720,
  1723,
  2049,
  3659,
  4045,
  4190,
  5060,
  5061,
  6000,
  6566,
  6665,
  6666,
  6667,
  6668,
  6669,
  6679,
  6697,
  10_080
])

/** 80, 443, and those that need no privileges. */
const isFilePort = (port: number) => port === 80 || port === 443 || (port >= 1_024 && !otherPorts.has(port))

/** Names that mean this machine wherever they are looked up (RFC 6761). */
export const isLocalName = (host: string) => /(?:^|\.)localhost\.?$/.test(host)

export const privateAddress = () =>
  new RemoteFile.RemoteFailed({
    reason: "address_not_allowed",
    because: "The link leads to an address that is not public.",
    retryable: false
  })

/**
 * Takes a link apart, relative to another when it is a redirect's. Every spelling of an IPv4 address (decimal, hex,
 * octal, short) is brought to one by the URL parser, so it is one here.
 */
export const parse = (
  text: string,
  allows: AllowsAddress,
  base?: string
): Result.Result<RemoteUrl, RemoteFile.RemoteFailed> => {
  const url = URL.parse(text, base)
  if (url === null) return refuse("url_not_allowed", "This is not a link.")
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return refuse("url_not_allowed", "Only http and https links are fetched.")
  }
  if (url.username !== "" || url.password !== "") {
    return refuse("url_not_allowed", "A link with a user name or password is not fetched.")
  }
  const isTls = url.protocol === "https:"
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port)
  if (!isFilePort(port)) return refuse("url_not_allowed", `Files are not fetched from port ${port}.`)
  const host = url.hostname.replace(/^\[|\]$/g, "")
  if ((isIP(host) !== 0 && !allows(host)) || (isLocalName(host) && !allows("127.0.0.1"))) {
    return Result.fail(privateAddress())
  }
  url.hash = ""
  return Result.succeed({ href: url.href, isTls, host, port, path: url.pathname + url.search })
}
