/** Where the API is, by its OpenAPI document. Loaded when it is not where it usually is, so it shares no module with others. */
import type { Address } from "./Address.ts"

interface Document {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: { readonly "/exchange-token": { readonly post: Pick<Document, "servers"> } }
}

/** The address as the OpenAPI document below one of the bases has it; undefined where there is none. */
export const locate = async (
  bases: ReadonlyArray<string>,
  get: (url: string) => Promise<Response>
): Promise<Address | undefined> => {
  for (const given of bases) {
    const base = given.replace(/\/+$/, "")
    const response = await get(`${base}/openapi.json`)
    const document: Document | undefined = await response.json().catch(() => undefined)
    const server = document?.paths?.["/exchange-token"]?.post.servers[0]
    if (server !== undefined) return { api: base, auth: new URL(server.url, base).href.replace(/\/+$/, "") }
  }
  return undefined
}
