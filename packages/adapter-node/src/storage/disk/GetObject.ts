/** `GET` and `HEAD {endpoint}/{bucket}/{key}`: an object by signed link, or by anyone from the public bucket. */
import { Preconditions } from "@filedrive/core"
import { DateTime } from "effect"
import { parseRange } from "./Range.ts"
import { RangeReader } from "./RangeReader.ts"
import { corsHeaders, header, type Reply, type S3Exchange } from "./S3Exchange.ts"
import { StorageError } from "./StorageError.ts"
import type { Stored } from "./Stored.ts"
import { isSigned, type Target, verifyUrl } from "./Verification.ts"
import { refuseDamaged } from "./Verify.ts"

export const getObject = async (store: Stored, exchange: S3Exchange, target: Target): Promise<Reply> => {
  const overrides = isSigned(target) ? signedOverrides(store, exchange, target) : publicOnly(target)
  const found = await store.objects.find(target, "content")
  if (found === undefined) throw new StorageError("NoSuchKey", "There is no such key.")
  const { meta } = found
  const etag = `"${meta.etag}"`
  const lastModified = DateTime.toDateUtc(DateTime.makeUnsafe(meta.storedMillis)).toUTCString()
  const headers: Record<string, string> = {
    ...corsHeaders,
    "content-type": meta.headers.contentType,
    "content-disposition": meta.headers.contentDisposition,
    "cache-control": meta.headers.cacheControl,
    etag,
    "last-modified": lastModified,
    "accept-ranges": "bytes",
    ...overrides,
    // The store may share its origin with the host's pages: nothing stored may run as one of them.
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'"
  }
  headers["content-disposition"] = asAttachment(headers["content-disposition"] ?? "")
  headers["cache-control"] = untransformed(headers["cache-control"] ?? "")
  const selected = { etag, lastModifiedMillis: meta.storedMillis }
  const headerOf = (name: string) => header(exchange, name)
  switch (Preconditions.evaluate(headerOf, selected, store.nowMillis())) {
    case "notModified":
      return { status: 304, headers }
    case "failed":
      throw new StorageError("PreconditionFailed", "A condition of the request does not hold.", { etag })
    case "proceed":
  }
  const mayBePart = exchange.method === "GET" && Preconditions.allowsRange(headerOf, selected, store.nowMillis())
  const range = parseRange(mayBePart ? header(exchange, "range") : undefined, meta.sizeBytes)
  if (range._tag === "Unsatisfiable") {
    const sizes = { "content-range": `bytes */${meta.sizeBytes}` }
    throw new StorageError("InvalidRange", "The range is not within the object.", sizes)
  }
  const { end, start } = range._tag === "Part" ? range : { start: 0, end: meta.sizeBytes - 1 }
  headers["content-length"] = String(end + 1 - start)
  if (range._tag === "Part") headers["content-range"] = `bytes ${start}-${end}/${meta.sizeBytes}`
  const status = range._tag === "Part" ? 206 : 200
  // Before the first byte: whoever asked takes nothing for the file.
  const sound = refuseDamaged(found)
  if (exchange.method === "HEAD") return { status, headers }
  const body = new RangeReader(store.objects.directories, sound, { start, end })
  await body.start()
  return { status, headers, body }
}

const publicOnly = ({ bucket }: Target): Record<string, string> => {
  if (bucket === "public") return {}
  throw new StorageError("AccessDenied", "This object is read by a signed link.")
}

const overridable =
  /^response-(content-type|content-disposition|content-language|content-encoding|cache-control|expires)$/
// oxlint-disable-next-line no-control-regex
const headerText = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/** The headers that a signed link asks for. A link for GET is good for HEAD too. */
const signedOverrides = (store: Stored, exchange: S3Exchange, target: Target): Record<string, string> => {
  const { headers, method } = exchange
  const signedFor = (method: string) =>
    verifyUrl(store.signing, { ...target, method, headers, nowMillis: store.nowMillis() })
  try {
    signedFor("GET")
  } catch (refusal) {
    if (method === "GET") throw refusal
    signedFor(method)
  }
  const overrides: Record<string, string> = {}
  for (const [name, value] of target.query) {
    const own = overridable.exec(name)?.[1]
    if (own === undefined) continue
    if (!headerText.test(value)) {
      throw new StorageError("InvalidArgument", "A response header contains a character that headers can't contain.")
    }
    overrides[own] = value
  }
  return overrides
}

/** No middleware or proxy may compress the bytes: their length, ranges and etag are those of the stored ones. */
const untransformed = (cacheControl: string): string =>
  /(?:^|,)\s*no-transform\s*(?:,|$)/i.test(cacheControl)
    ? cacheControl
    : [cacheControl, "no-transform"].filter((directive) => directive !== "").join(", ")

const asAttachment = (disposition: string): string =>
  /^\s*attachment\b/i.test(disposition) ? disposition : `attachment${/;.*$/s.exec(disposition)?.[0] ?? ""}`
