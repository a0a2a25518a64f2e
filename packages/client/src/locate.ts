/** Where the API is, by its OpenAPI document. Loaded when it is not where it usually is, so it shares no module with others. */
import type { Address } from "./Address.ts"

interface Document {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: { readonly "/exchange-token": { readonly post: Pick<Document, "servers"> } }
}

/**
 * The API's address, as the OpenAPI document has it that is below the one it was tried at, or below the one the client was given; the one
 * it was tried at where that is right; undefined where there is no document.
 */
export const locate = async (
  tried: Address,
  url: string,
  get: (url: string) => Promise<Response>
): Promise<Address | undefined> => {
  for (const given of [tried.api, url]) {
    const base = given.replace(/\/+$/, "")
    const response = await get(`${base}/openapi.json`)
    const document: Document | undefined = await response.json().catch(() => undefined)
    const server = document?.paths?.["/exchange-token"]?.post.servers[0]
    if (server === undefined) continue
    const auth = new URL(server.url, base).href.replace(/\/+$/, "")
    return base === tried.api && auth === tried.auth ? tried : { api: base, auth }
  }
  return undefined
}
