/**
 * Which pages may call: a page of another site can make a browser send requests to a server on its own machine, also under a name that
 * leads there (DNS rebinding). Pure.
 */
import type { HttpServerRequest } from "effect/http"

type Request = Pick<HttpServerRequest.HttpServerRequest, "headers">

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** The name in a `Host` header, without its port. */
const nameOf = (host: string): string => URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ""

const isAllowed = (origin: string, site: URL, allowed: ReadonlyArray<string>): boolean =>
  origin === site.origin || allowed.includes("*") || allowed.includes(origin) ||
  // On one machine its names are the same.
  (loopback.has(site.hostname) && URL.canParse(origin) && loopback.has(new URL(origin).hostname) &&
    new URL(origin).port === site.port && new URL(origin).protocol === site.protocol)

/** Why the request is refused, as a sentence; null when it is not. */
export const fault = ({ headers }: Request, url: string, allowed: ReadonlyArray<string>): string | null => {
  const site = new URL(url)
  const { host, origin } = headers
  if (origin !== undefined && !isAllowed(origin, site, allowed)) return "Pages of this origin may not call this server."
  // Behind a proxy the header may be any; a server that is reached on its own machine has only the machine's names.
  return loopback.has(site.hostname) && host !== undefined && !loopback.has(nameOf(host))
    ? "This server is not reached under this name."
    : null
}

/** Whether the client takes answers of this media type. */
export const accepts = ({ headers }: Request, mediaType: string): boolean =>
  (headers["accept"] ?? "").split(",").some((one) => {
    const name = one.split(";")[0]!.trim().toLowerCase()
    return name === mediaType || name === "*/*"
  })
