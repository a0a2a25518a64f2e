/** A request to the storage routes and its answer, for any kind of server. */
import type { Readable } from "node:stream"
import { isBucket } from "./Layout.ts"
import type { RangeReader } from "./RangeReader.ts"
import { StorageError } from "./StorageError.ts"
import type { Target } from "./Verification.ts"

export interface S3Exchange {
  readonly method: string
  /** Path and query, with or without the path that the store is mounted at. */
  readonly url: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Readable
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Bytes of an object, to be read and closed by the sender of the answer. */
  readonly body?: RangeReader | string
}

/** The value of a header that is sent once. */
export const header = ({ headers }: S3Exchange, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === "string" ? value : undefined
}

/** Answers carry these always: pages of any origin may send to the store, read from it and show what it has, whatever the host allows of its own pages. */
export const corsHeaders = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "access-control-expose-headers": "ETag, Content-Range, Content-Length, Content-Disposition, Accept-Ranges, Location"
} as const

export const refuse = (refusal: StorageError): Reply => ({
  status: refusal.status,
  headers: {
    ...corsHeaders,
    ...refusal.headers,
    "content-type": "application/xml",
    "content-length": String(Buffer.byteLength(refusal.xml)),
    "x-content-type-options": "nosniff"
  },
  body: refusal.xml
})

/** Decodes a name or value of a query: hosts that parse and rebuild a query write a blank as `+`. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    throw new StorageError("InvalidArgument", "The query is malformed.")
  }
}

const parseQuery = (query: string): Target["query"] =>
  query.split("&").filter((pair) => pair !== "").map((pair) => {
    const split = pair.indexOf("=")
    return split < 0 ? [decode(pair), ""] : [decode(pair.slice(0, split)), decode(pair.slice(split + 1))]
  })

/**
 * The bucket and key of a URL. `mount` is the path of the store's endpoint: a host
 * that routes by path may have cut it off already, or not.
 */
export const parseTarget = (url: string, mount: string): Target => {
  const split = url.indexOf("?")
  const whole = split < 0 ? url : url.slice(0, split)
  const inMount = whole.startsWith(`${mount}/`) && isBucket(whole.slice(mount.length + 1).split("/")[0])
  const [, bucket, ...key] = (inMount ? whole.slice(mount.length) : whole).split("/")
  if (!isBucket(bucket)) throw new StorageError("NoSuchBucket", "There is no such bucket.")
  // Keys hold nothing that would need escaping, so there is one way to write each.
  if (!key.every((segment) => /^[A-Za-z0-9_-]*$/.test(segment))) {
    throw new StorageError("NoSuchKey", "There is no such key.")
  }
  return { bucket, key: key.join("/"), query: split < 0 ? [] : parseQuery(url.slice(split + 1)) }
}
