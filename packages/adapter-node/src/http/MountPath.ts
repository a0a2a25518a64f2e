/**
 * Which of the drive's routes a request is for, wherever the host mounted it.
 *
 * Some hosts pass the whole path, some remove the mount first (Express,
 * Connect); the drive knows its public path and handles both. So it also finds what lies at the origin's root, as the agent's card does.
 */

/** First segments of the drive's own routes, below its mount. */
export interface DrivePaths {
  /** The mount as the public sees it, without a trailing slash; empty at the top. */
  readonly mount: string
  /** Route prefixes below the mount, like `/api` or `/healthz`. */
  readonly prefixes: ReadonlyArray<string>
  /** Paths below which each single segment is the drive's, like `/requests` for `/requests/5e0c…`. */
  readonly links: ReadonlyArray<string>
  /** Paths that are the drive's without anything below them, like `/connections`. */
  readonly pages: ReadonlyArray<string>
  /**
   * Documents of the drive's issuer and resources, whose public address says whose they are, like `/.well-known/oauth-authorization-server`. At
   * the root of the origin the same path may be the host's own, or another drive's.
   */
  readonly documents: ReadonlyArray<string>
}

/**
 * The path and query of a URL, which may be whole or begin with its path, as they were sent. Clients may send whole URLs to any server,
 * and do to a proxy: RFC 9112, section 3.2.2.
 */
export const pathOf = (url: string): string => {
  if (url.startsWith("/")) return url
  const [, rest] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url) ?? []
  return rest === undefined ? url : rest.startsWith("/") ? rest : `/${rest}`
}

/** The path of a site's URL, without a slash at its end. */
export const mountOf = (siteUrl: string): string => new URL(siteUrl).pathname.replace(/\/+$/, "")

const isBelow = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) &&
  (path.length === prefix.length || path[prefix.length] === "/" || path[prefix.length] === "?")

const isLink = (url: string, link: string): boolean =>
  url.startsWith(`${link}/`) && /^[^/?]+(?:\?|$)/.test(url.slice(link.length + 1))

const isPage = (url: string, page: string): boolean =>
  url.startsWith(page) && /^\/?(?:\?|$)/.test(url.slice(page.length))

const isDocument = ({ documents }: DrivePaths, url: string): boolean =>
  documents.some((document) => isPage(url, document))

const isOwn = ({ links, pages, prefixes }: DrivePaths, url: string): boolean =>
  prefixes.some((prefix) => isBelow(url, prefix)) || links.some((link) => isLink(url, link)) ||
  pages.some((page) => isPage(url, page))

/** A well-known document that lies at the origin's root, with the mount behind its name: RFC 8414, section 3.1; RFC 9728, section 3.1. */
const atRoot = ({ mount }: DrivePaths, url: string): string | undefined => {
  const [, name, rest] = /^(\/\.well-known\/[\w-]+)(\/.*)$/.exec(url) ?? []
  return mount !== "" && name !== undefined && isBelow(rest!, mount) ? name + rest!.slice(mount.length) : undefined
}

/** Whether a framework has removed the mount from a request's URL, as Express and Connect do: they keep the whole one. */
export const isMountRemoved = (url: string, originalUrl: string | undefined): boolean =>
  originalUrl !== undefined && originalUrl.length > url.length && originalUrl.endsWith(url)

/** The URL below the mount when it is one of the drive's own; else undefined: the request is the host's. */
export const ownUrl = (paths: DrivePaths, url: string, hasNoMount = false): string | undefined => {
  if (paths.mount !== "" && isBelow(url, paths.mount)) {
    const rest = url.slice(paths.mount.length)
    if (isOwn(paths, rest) || isDocument(paths, rest)) return rest
  }
  const moved = atRoot(paths, url)
  if (moved !== undefined && (isOwn(paths, moved) || isDocument(paths, moved))) return moved
  if (isOwn(paths, url)) return url
  return (paths.mount === "" || hasNoMount) && isDocument(paths, url) ? url : undefined
}
