/** The document of each page in each language, made once and compressed. */
import {
  type BuiltPages,
  document,
  languageOf,
  languages,
  type PageName,
  pages,
  policy,
  type Settings,
  textsOf,
  themeOf
} from "@filedrive/pages"
import { linksIn } from "./HostLinks.ts"
import type { PagesOptions } from "./PagesOptions.ts"
import { compressed, etagOf, type Representation, sha256 } from "./Representation.ts"

export interface DocumentsOptions {
  readonly built: BuiltPages
  readonly host: PagesOptions
  /** The path of the drive's mount; empty at the top. */
  readonly mount: string
  /** The paths of the API, of sessions and of the assets, with the mount. */
  readonly api: string
  readonly auth: string
  readonly assets: string
  readonly hasAgent: boolean
  readonly logoutUrl: string | null
  readonly logo: { readonly light: string; readonly dark: string } | null
}

export const pageHeaders = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
}

/** The representation of a page for a reader of `Accept-Language`, with a policy that allows the origins of storage. */
export const make = ({ api, assets, auth, built, hasAgent, host, logo, logoutUrl, mount }: DocumentsOptions) => {
  const available = languages(host.texts)
  const theme = host.colours === undefined ? "" : themeOf(host.colours)
  const made = new Map<string, Promise<Representation>>()

  const make = async (name: PageName, language: string, origins: ReadonlyArray<string>): Promise<Representation> => {
    const isSignedIn = pages[name].signedIn === true
    const settings: Settings = {
      api,
      mount,
      auth,
      hasAgent,
      hostName: host.name ?? null,
      language,
      texts: textsOf(name, language, host.texts),
      links: isSignedIn ? linksIn(language, host.links) : [],
      logoutUrl: isSignedIn ? logoutUrl : null
    }
    const { html, style } = document({ name, page: built.pages[name]!, settings, theme, logo, assets })
    const contentSecurityPolicy = policy({ styleHash: sha256(style, "base64"), origins })
    return {
      ...await compressed(html),
      etag: etagOf(html, contentSecurityPolicy),
      headers: {
        ...pageHeaders,
        "cache-control": isSignedIn ? "private, no-cache" : "no-cache",
        "content-language": language,
        "content-security-policy": contentSecurityPolicy,
        "content-type": "text/html; charset=utf-8",
        vary: "accept-language"
      }
    }
  }

  return (name: PageName, acceptLanguage: string | undefined, origins: ReadonlyArray<string>) => {
    const language = languageOf(acceptLanguage, available)
    const key = [name, language, ...origins].join(" ")
    const found = made.get(key) ?? make(name, language, origins)
    made.set(key, found)
    return found
  }
}
