/**
 * Where the API and its exchange of tokens are, of an address of the API or of the site. An address that ends with `/api` is the API's, and
 * the exchange is beside it at `/auth`; any other is the site's, with both below it. Where these answer as no drive does, the
 * OpenAPI document at the address, or below it, says where they are ({@link "./locate.ts"}).
 */

export interface Address {
  readonly api: string
  readonly auth: string
}

export const guess = (url: string): Address => {
  const site = url.replace(/(\/api)?\/*$/, "")
  return { api: `${site}/api`, auth: `${site}/auth` }
}
