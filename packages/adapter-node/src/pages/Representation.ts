/** An answer in the encodings that a browser may ask for, with its mark of content. */
import { Preconditions } from "@filedrive/core"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

export interface Representation {
  /** Quoted; of the uncompressed bytes. */
  readonly etag: string
  readonly identity: Uint8Array
  /** Null where compressing does not pay. */
  readonly brotli: Uint8Array | null
  readonly gzip: Uint8Array | null
  readonly headers: Readonly<Record<string, string>>
}

export const sha256 = (bytes: string | Uint8Array, encoding: "hex" | "base64"): string =>
  createHash("sha256").update(bytes).digest(encoding)

export const etagOf = (...contents: ReadonlyArray<string | Uint8Array>): string =>
  `"${sha256(contents.map((one) => sha256(one, "hex")).join(), "hex").slice(0, 32)}"`

const brotliOf = promisify<string, { readonly params: Record<number, number> }, Buffer>(brotliCompress)
const gzipOf = promisify<string, { readonly level: number }, Buffer>(gzip)

/** Compresses a text once, for all answers. */
export const compressed = async (text: string): Promise<Pick<Representation, "identity" | "brotli" | "gzip">> => ({
  identity: Buffer.from(text),
  brotli: await brotliOf(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: await gzipOf(text, { level: 9 })
})

/** Whether the header `Accept-Encoding` allows a coding. Without a header only the uncompressed bytes are sent. */
const accepts = (header: string | undefined, coding: string): boolean => {
  const found = (header ?? "").toLowerCase().split(",").map((one) => one.trim().split(/\s*;\s*/))
    .find(([name]) => name === coding || name === "*")
  return found !== undefined && !found.slice(1).some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
}

/** The answer to a request: 304 where the browser has this content already, 412 where it asks for other content. */
export const answer = (
  one: Representation,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  const vary = [one.headers["vary"], ...one.brotli === null ? [] : ["accept-encoding"]].filter((name) =>
    name !== undefined
  )
  // Weak: it stands for the content in whatever encoding.
  const headers = { ...one.headers, etag: `W/${one.etag}`, ...vary.length === 0 ? {} : { vary: vary.join(", ") } }
  const selected = { etag: headers.etag, lastModifiedMillis: null }
  switch (Preconditions.evaluate((name) => request.headers[name], selected, 0)) {
    case "notModified":
      return HttpServerResponse.empty({ status: 304, headers })
    case "failed":
      return HttpServerResponse.empty({ status: 412, headers: { "cache-control": "no-store", etag: headers.etag } })
    case "proceed":
  }
  const wanted = request.headers["accept-encoding"]
  const [coding, body] = one.brotli !== null && accepts(wanted, "br")
    ? ["br", one.brotli] as const
    : one.gzip !== null && accepts(wanted, "gzip")
    ? ["gzip", one.gzip] as const
    : [null, one.identity] as const
  const { "content-type": contentType, ...others } = headers as Record<string, string>
  return HttpServerResponse.uint8Array(body, {
    contentType: contentType ?? "application/octet-stream",
    headers: coding === null ? others : { ...others, "content-encoding": coding }
  })
}
