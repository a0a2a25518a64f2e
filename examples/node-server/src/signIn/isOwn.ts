import type { IncomingMessage } from "node:http"

/** Whether a request comes from a page of this site, as far as the browser says: another could act as the person who has signed in. */
export const isOwn = ({ headers }: IncomingMessage, site: string): boolean =>
  (headers.origin === undefined || headers.origin === new URL(site).origin) &&
  ["same-origin", "none", undefined].includes(headers["sec-fetch-site"] as string | undefined)
