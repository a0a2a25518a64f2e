/** Where the API is, by its OpenAPI document. Loaded when it is not where it usually is. */
import { type Address, bare, guess } from "./Address.ts"

interface Document {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: { readonly "/exchange-token": { readonly post: Pick<Document, "servers"> } }
}

/** The address as the OpenAPI document has it; undefined where there is none. */
export const locate = async (
  url: string,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  init: RequestInit
): Promise<Address | undefined> => {
  for (const base of new Set([guess(url).api, bare(url)])) {
    const response = await fetch(`${base}/openapi.json`, init)
    const document: Document | undefined = response.ok ? await response.json().catch(() => undefined) : undefined
    if (document?.servers === undefined) continue
    const absolute = ({ servers: [server] }: Pick<Document, "servers">) => bare(new URL(server!.url, base).href)
    return { api: base, auth: absolute(document.paths["/exchange-token"].post) }
  }
  return undefined
}
