/** The bearer token that a request carries. RFC 6750, section 2.1. */

/** The token of an `Authorization` header; empty where there is none, or more than one word. */
export const tokenOf = (header: string | undefined): string =>
  header === undefined ? "" : /^bearer +(\S+)\s*$/i.exec(header)?.[1] ?? ""
