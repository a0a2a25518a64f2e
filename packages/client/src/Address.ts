/**
 * Where the API and its exchange of tokens are, of an address of the API or of the site. An address that ends with `/api` is the API's, and
 * the exchange is beside it at `/auth`; any other is the site's, with both below it. Where these answer as no drive does, the
 * OpenAPI document at the address, or below it, says where they are.
 */

export interface Address {
  readonly api: string
  readonly auth: string
}

interface Document {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: { readonly "/exchange-token": { readonly post: Pick<Document, "servers"> } }
}

const bare = (url: string): string => url.replace(/\/+$/, "")

export const guess = (url: string): Address => {
  const site = bare(url).replace(/\/api$/, "")
  return { api: `${site}/api`, auth: `${site}/auth` }
}

/** The address as the OpenAPI document has it; undefined where there is none. */
export const locate = async (
  url: string,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  init: RequestInit
) => {
  for (const base of new Set([guess(url).api, bare(url)])) {
    const response = await fetch(`${base}/openapi.json`, init)
    const document: Document | undefined = response.ok ? await response.json().catch(() => undefined) : undefined
    if (document?.servers === undefined) continue
    const absolute = ({ servers: [server] }: Pick<Document, "servers">) => bare(new URL(server!.url, base).href)
    return { api: base, auth: absolute(document.paths["/exchange-token"].post) }
  }
  return undefined
}
