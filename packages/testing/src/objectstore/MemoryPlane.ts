/**
 * The data plane of a store in memory: signs forms, parts and links, and plays
 * the server that takes them. Not Signature Version 4, but refusing what that
 * refuses.
 */
import { digestsOf, isDigest } from "@filedrive/adapter-node/disk"
import type { ObjectStore as Port } from "@filedrive/core"
import { DateTime, type Duration } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import type { MemoryState } from "./MemoryState.ts"
import * as SparseBytes from "./SparseBytes.ts"

const origin = "http://storage.test"
const formHeaders = {
  "Content-Type": "contentType",
  "Content-Disposition": "contentDisposition",
  "Cache-Control": "cacheControl"
} as const

interface Policy {
  readonly expiration: string
  readonly bucket: Port.Bucket
  readonly sizeBytes: number
  readonly fields: Readonly<Record<string, string>>
}

const answer = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers })

/** Whether the bytes match the checksums that came with them, as far as these can be read. */
const areRight = (bytes: Uint8Array, sent: Iterable<readonly [name: string, value: string]>): boolean => {
  try {
    const digests = digestsOf([...sent].map(([name, value]) => [name.toLowerCase(), value]))
    digests?.add(bytes)
    return digests?.flaw() === undefined
  } catch {
    return false
  }
}

const isBucket = (name: string | undefined): name is Port.Bucket => name === "private" || name === "public"

/** The range that a `Range` header requests of `sizeBytes` bytes: start and exclusive end; null when it is not satisfiable. */
const rangeOf = (header: string | null, sizeBytes: number): readonly [number, number] | null | undefined => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "")
  if (match === null || header === "bytes=-") return undefined
  const [, first = "", last = ""] = match
  const start = first === "" ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === "" || last === "" ? sizeBytes : Math.min(sizeBytes, Number(last) + 1)
  return start < end ? [start, end] : null
}

export const make = (state: MemoryState, now: () => DateTime.Utc) => {
  const secret = randomBytes(32)
  const spent = new Set<string>()
  const revoked = new Set<string>()
  const mac = (text: string) => createHmac("sha256", secret).update(text).digest("hex")
  const pathOf = ({ bucket, key }: Port.ObjectAddress) => `/${bucket}/${key}`

  const signUrl = (method: string, at: Port.ObjectAddress, expires: DateTime.Utc, query: Record<string, string>) => {
    const target = `${pathOf(at)}?${new URLSearchParams({ ...query, expires: String(expires.epochMilliseconds) })}`
    return `${origin}${target}&X-Amz-Signature=${mac(`${method} ${target}`)}`
  }

  const isSigned = (method: string, { pathname, search, searchParams }: URL) => {
    const [query, signature] = search.split("&X-Amz-Signature=")
    return signature === mac(`${method} ${pathname}${query}`) &&
      Number(searchParams.get("expires")) > now().epochMilliseconds
  }

  const signForm = (
    form: Parameters<Port.ObjectStore["Service"]["signForm"]>[0],
    issued: DateTime.Utc
  ): Port.SignedForm => {
    const fields: Record<string, string> = { key: form.at.key }
    for (const [name, header] of Object.entries(formHeaders)) fields[name] = form.headers[header]
    const policy: Policy = {
      expiration: DateTime.formatIso(DateTime.addDuration(issued, form.lifetime)),
      bucket: form.at.bucket,
      sizeBytes: form.sizeBytes,
      fields: { ...fields, "x-amz-nonce": randomBytes(8).toString("hex") }
    }
    const encoded = Buffer.from(JSON.stringify(policy)).toString("base64")
    return {
      url: `${origin}/${form.at.bucket}`,
      fields: { ...policy.fields, Policy: encoded, "X-Amz-Signature": mac(encoded) }
    }
  }

  /** The policy of a form that may be used as it is, or undefined. */
  const accepted = (fields: ReadonlyMap<string, string>, bucket: Port.Bucket): Policy | undefined => {
    const { Policy: encoded = "", "X-Amz-Signature": signature = "", ...rest } = Object.fromEntries(fields)
    if (signature !== mac(encoded) || spent.has(signature)) return undefined
    const policy: Policy = JSON.parse(Buffer.from(encoded, "base64").toString())
    const lapsed = DateTime.makeUnsafe(policy.expiration).epochMilliseconds <= now().epochMilliseconds
    const names = new Set([...Object.keys(policy.fields), ...Object.keys(rest)])
    const unchanged = [...names].every((name) => policy.fields[name] === rest[name])
    return policy.bucket === bucket && !lapsed && unchanged ? policy : undefined
  }

  const takeForm = (bucket: Port.Bucket, fields: ReadonlyMap<string, string>, content: SparseBytes.SparseBytes) => {
    const policy = accepted(fields, bucket)
    if (policy === undefined || revoked.has(`${bucket}/${policy.fields["key"]}`)) return answer(403)
    if (SparseBytes.length(content) !== policy.sizeBytes) return answer(400)
    spent.add(fields.get("X-Amz-Signature") ?? "")
    state.store(
      { bucket, key: policy.fields["key"] ?? "" },
      {
        contentType: policy.fields["Content-Type"] ?? "",
        contentDisposition: policy.fields["Content-Disposition"] ?? "",
        cacheControl: policy.fields["Cache-Control"] ?? ""
      },
      content,
      now()
    )
    return answer(204)
  }

  const takePart = (url: URL, at: Port.ObjectAddress, content: SparseBytes.SparseBytes) => {
    const query = url.searchParams
    const planned = Number(query.get("size"))
    if (!isSigned("PUT", url) || SparseBytes.length(content) !== planned) return answer(403)
    const upload = state.find(at, query.get("uploadId") ?? "")
    if (upload === undefined) return answer(404)
    return answer(200, { etag: `"${state.storePart(upload, Number(query.get("partNumber")), content, now()).etag}"` })
  }

  const serve = (url: URL, at: Port.ObjectAddress, range: string | null) => {
    const signed = url.searchParams.has("X-Amz-Signature")
    if (signed ? !isSigned("GET", url) : at.bucket === "private") return answer(403)
    const object = state.objects.get(`${at.bucket}/${at.key}`)
    if (object === undefined) return answer(404)
    const headers: Record<string, string> = { etag: `"${object.etag}"`, "accept-ranges": "bytes" }
    for (const [name, header] of Object.entries(formHeaders)) {
      headers[name] = url.searchParams.get(`response-${name.toLowerCase()}`) ?? object.headers[header]
    }
    const asked = rangeOf(range, object.sizeBytes)
    if (asked === null) return answer(416, { "content-range": `bytes */${object.sizeBytes}` })
    const [start, end] = asked ?? [0, object.sizeBytes]
    if (asked !== undefined) headers["content-range"] = `bytes ${start}-${end - 1}/${object.sizeBytes}`
    headers["content-length"] = String(end - start)
    const blocks = SparseBytes.blocks(SparseBytes.slice(object.content, start, end))
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        const { done, value } = blocks.next()
        return done === true ? controller.close() : controller.enqueue(value)
      }
    })
    return new Response(body, { status: asked === undefined ? 200 : 206, headers })
  }

  const locate = (url: URL) => {
    const [, bucket, ...key] = url.pathname.split("/")
    return isBucket(bucket) ? { bucket, key: key.join("/") } : undefined
  }

  const signParts = (
    { at, lifetime, parts, uploadId }: Parameters<Port.ObjectStore["Service"]["signParts"]>[0],
    issued: DateTime.Utc
  ) =>
    parts.map(({ partNumber, sizeBytes }) =>
      signUrl("PUT", at, DateTime.addDuration(issued, lifetime), {
        partNumber: String(partNumber),
        uploadId,
        size: String(sizeBytes)
      })
    )

  const signGet = (
    at: Port.ObjectAddress,
    headers: Port.ObjectHeaders,
    lifetime: Duration.Duration,
    issued: DateTime.Utc
  ) =>
    signUrl(
      "GET",
      at,
      DateTime.addDuration(issued, lifetime),
      Object.fromEntries(
        Object.entries(formHeaders).map(([name, header]) => [`response-${name.toLowerCase()}`, headers[header]])
      )
    )

  const fetch = async (input: string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const url = new URL(input)
    const at = locate(url)
    if (at === undefined || url.origin !== origin) return answer(404)
    if (request.method === "GET") return serve(url, at, request.headers.get("range"))
    if (request.method === "PUT") {
      const bytes = await request.bytes()
      return areRight(bytes, request.headers) ? takePart(url, at, SparseBytes.of(bytes)) : answer(400)
    }
    if (request.method !== "POST") return answer(405)
    const fields = new Map<string, string>()
    const checksums = [...request.headers]
    for (const [name, value] of await request.formData()) {
      if (typeof value !== "string") {
        const bytes = await value.bytes()
        return areRight(bytes, checksums) ? takeForm(at.bucket, fields, SparseBytes.of(bytes)) : answer(400)
      }
      if (isDigest(name.toLowerCase())) checksums.push([name, value])
      else fields.set(name, value)
    }
    return answer(400)
  }

  return {
    signForm,
    revokeForms: (objects: ReadonlyArray<Port.ObjectAddress>): void => {
      for (const { bucket, key } of objects) revoked.add(`${bucket}/${key}`)
    },
    signParts,
    signGet,
    fetch,
    publicUrl: (key: string) => `${origin}/public/${key}`,
    /** Plays a client that sends so many zeros, in constant memory. Returns the status. */
    sendZeros: (to: string | Port.SignedForm, sizeBytes: number): number => {
      const url = new URL(typeof to === "string" ? to : to.url)
      const at = locate(url)
      if (at === undefined) return 404
      const content = SparseBytes.zeros(sizeBytes)
      return (typeof to === "string"
        ? takePart(url, at, content)
        : takeForm(at.bucket, new Map(Object.entries(to.fields)), content)).status
    }
  }
}
