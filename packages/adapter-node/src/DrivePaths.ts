/** Where a drive's parts are below its mount. */
import type { DriveOptions } from "./DriveOptions.ts"

/** Where clients look for the agent's card: at the root of the origin, wherever the drive is mounted. */
export const cardPath = "/.well-known/agent-card.json"

/** Where clients look for the metadata of the authorization server (RFC 8414). */
export const issuerPath = "/.well-known/oauth-authorization-server"

/** Where clients look for the metadata of a resource (RFC 9728), with the path of the resource behind it. */
export const resourcePath = "/.well-known/oauth-protected-resource"

const oauthPaths = ["/oauth/authorize", "/oauth/token", "/oauth/register", "/oauth/revoke"]

export const pathsOf = ({ paths = {} }: DriveOptions) => ({
  api: paths.api ?? "/api",
  auth: paths.auth ?? "/auth",
  storage: paths.storage ?? "/storage",
  a2a: paths.a2a ?? "/a2a",
  mcp: paths.mcp ?? "/mcp"
})

/** The paths at which access tokens are taken. */
export const resourcesOf = (options: DriveOptions): ReadonlyArray<string> => {
  const { a2a, api, mcp } = pathsOf(options)
  return [api, ...options.agent === false ? [] : [a2a], ...options.mcp === false ? [] : [mcp]]
}

/** Whether the host's own services may ask what a token is. */
export const hasIntrospection = ({ oauth, signIn }: DriveOptions): boolean =>
  signIn !== undefined && (oauth?.introspectionSecrets ?? []).length > 0

/** The first segments of all routes. */
export const prefixesOf = (options: DriveOptions): ReadonlyArray<string> => {
  const { a2a, api, auth, mcp, storage } = pathsOf(options)
  return [
    api,
    auth,
    storage,
    "/healthz",
    "/readyz",
    ...options.agent === false ? [] : [a2a, cardPath],
    ...options.mcp === false ? [] : [mcp],
    ...options.signIn === undefined ? [] : oauthPaths,
    ...hasIntrospection(options) ? ["/oauth/introspect"] : []
  ]
}

/** The documents of the drive's issuer and resources. */
export const documentsOf = (options: DriveOptions): ReadonlyArray<string> => [
  ...resourcesOf(options).map((path) => resourcePath + path),
  ...options.signIn === undefined ? [] : [issuerPath]
]

/**
 * Pages: the drive answers at each path with one more segment than one of these. What else lies there is the host's. Written out, so that the
 * pages are loaded when one is asked for.
 */
export const linkPathsOf = ({ pages }: DriveOptions): ReadonlyArray<string> =>
  pages === false ? [] : ["/requests", "/reviews"]

/** Pages of people who are signed in: the drive answers at these paths and at nothing below them. */
export const pagePathsOf = ({ pages, signIn }: DriveOptions): ReadonlyArray<string> =>
  pages === false || signIn === undefined ? [] : ["/connections", "/requests", "/reviews"]

/** Where the scripts of pages are, and the host's logo. */
export const assetsPath = (api: string): string => `${api}/pages/*`
