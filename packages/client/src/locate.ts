/** Where the API is, by its OpenAPI document. Loaded when it is not where it usually is, so it shares no module with others. */
import type { Address } from "./Address.ts"

interface Document {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: { readonly "/exchange-token": { readonly post: Pick<Document, "servers"> } }
}

/** The address of the exchange; of the document's only the path counts: tokens go to the origin that the client was given, whoever wrote it. */
const exchangeOf = (document: Document, base: string): string | undefined => {
  try {
    const { pathname } = new URL(document.paths["/exchange-token"].post.servers[0]!.url, base)
    const { href } = Object.assign(new URL(base), { pathname, search: "", hash: "" })
    return href.replace(/\/+$/, "")
  } catch {
    // Not a drive's, or no document at all.
    return undefined
  }
}

/** The addresses as the OpenAPI document has them that is below one of the bases; undefined where there is none. */
export const locate = async (
  bases: ReadonlyArray<string>,
  get: (url: string) => Promise<Response>
): Promise<Address | undefined> => {
  for (const given of bases) {
    const base = given.replace(/\/+$/, "")
    const response = await get(`${base}/openapi.json`)
    const auth = exchangeOf(await response.json().catch(() => ({})), base)
    if (auth !== undefined) return { api: base, auth }
  }
  return undefined
}
