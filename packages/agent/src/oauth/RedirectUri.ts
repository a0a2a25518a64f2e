/** Redirects of apps: https, http on the person's machine, or a native app's own scheme (RFC 8252). Pure. */
import { RedirectScheme } from "@filedrive/core"

/** Longest redirect, in characters. */
export const maxLength = 500

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** The address, when it may be a redirect; null otherwise. `schemes`: schemes without a dot that native apps may use. */
export const parse = (text: string, schemes: ReadonlyArray<string>): URL | null => {
  if (text.length > maxLength || !/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.hash !== "" || text.includes("#") || url.username !== "" || url.password !== "" || text.includes("\\")) {
    return null
  }
  return url.protocol === "https:" || isLoopback(url) || isOfNativeApp(url, text, schemes) ? url : null
}

/** A path has to follow the scheme: otherwise `example.com:443/back` would have the scheme `example.com`. */
const isOfNativeApp = ({ protocol }: URL, text: string, schemes: ReadonlyArray<string>): boolean =>
  text[protocol.length] === "/" && RedirectScheme.isPrivateUse(protocol.slice(0, -1), schemes)

/** Whether it leads to the person's own machine. */
export const isLoopback = ({ hostname, protocol }: URL): boolean => protocol === "http:" && loopback.has(hostname)

/** Whether a client that registered `registered` may be led to `asked`: exactly that, on its own machine with any port. */
export const matches = (registered: string, asked: string): boolean => {
  if (registered === asked) return true
  const [one, other] = [parse(registered, []), parse(asked, [])]
  if (one === null || other === null || !isLoopback(one) || !isLoopback(other)) return false
  one.port = ""
  other.port = ""
  return one.href === other.href && portless(registered) === portless(asked)
}

/** Spelled as it is but for the port, so that no two spellings of a path are the same. */
const portless = (text: string): string => text.replace(/^(http:\/\/(?:\[::1\]|[^/:?#]+)):\d{1,5}(?=[/?]|$)/, "$1")

/** The redirect with what it tells the client. */
export const withParameters = (redirect: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const url = new URL(redirect)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, value)
  }
  return url.href
}
