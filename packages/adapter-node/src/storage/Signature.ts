/**
 * AWS Signature Version 4 as far as presigned URLs and POST policies need it.
 * Pure: the time is an argument, and equal arguments give equal signatures.
 *
 * Our own, because the AWS SDK takes about a millisecond for each URL and one
 * answer holds up to 1,000 of them. A property test holds it equal to the SDK.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-post-example.html
 */
import { DateTime } from "effect"
import { createHmac, hash } from "node:crypto"
import { isIP } from "node:net"

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Set for temporary credentials; signatures expire with them. */
  readonly sessionToken?: string | undefined
}

/** A store, as its clients reach it. */
export interface StoreAddress {
  /** Base URL, like `https://s3.eu-central-1.amazonaws.com`; it may have a path. */
  readonly endpoint: string
  readonly region: string
  /** `{endpoint}/{bucket}/{key}` rather than `{bucket}.{host}/{key}`. */
  readonly forcePathStyle: boolean
}

/** A store and who signs for it. */
export interface SigningStore extends StoreAddress {
  readonly credentials: Credentials
}

export interface SigningTime {
  readonly now: DateTime.Utc
  /** Whole seconds until the signature is refused; the protocol allows up to 7 days for URLs. */
  readonly lifetimeSeconds: number
}

export const algorithm = "AWS4-HMAC-SHA256"

/** Where a bucket is: what its URLs begin with. */
interface BucketBase {
  readonly protocol: string
  /** With the port, where it is not the protocol's own. */
  readonly host: string
  /** Without a slash at the end; empty at the root of the host. */
  readonly path: string
}

const escapeRest = (character: string) => "%" + character.charCodeAt(0).toString(16).toUpperCase()

/** Percent-encodes all but RFC 3986's unreserved characters. */
export const encode = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, escapeRest)

/** Encodes a key and leaves its slashes. */
export const encodePath = (key: string): string => key.split("/").map(encode).join("/")

/** `20260131T235959Z`. */
export const formatTime = (time: DateTime.Utc): string => DateTime.formatIso(time).replace(/[-:]|\.\d{3}/g, "")

/** `20260131/eu-central-1/s3/aws4_request`. */
export const scopeOf = (day: string, region: string): string => `${day}/${region}/s3/aws4_request`

const hostableBucket = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/

const baseOf = (store: StoreAddress, bucket: string): BucketBase => {
  const { host, hostname, pathname, protocol } = new URL(store.endpoint)
  const path = pathname.replace(/\/+$/, "")
  // An address has no subdomains, and neither does a name that no DNS label can hold.
  const inPath = store.forcePathStyle || isIP(hostname) > 0 || hostname.startsWith("[") || !hostableBucket.test(bucket)
  return inPath
    ? { protocol, host, path: `${path}/${encode(bucket)}` }
    : { protocol, host: `${bucket}.${host}`, path }
}

/** The unsigned URL of an object. */
export const objectUrl = (store: StoreAddress, bucket: string, key: string): string => {
  const { host, path, protocol } = baseOf(store, bucket)
  return `${protocol}//${host}${path}/${encodePath(key)}`
}

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()

/**
 * HMAC with the key's two blocks made beforehand (RFC 2104). Two one-shot
 * hashes cost a third of what making a `Hmac` object does.
 */
interface SigningKey {
  readonly scope: string
  readonly inner: Buffer
  /** The outer block, and room for the inner digest. */
  readonly outer: Buffer
}

const blockBytes = 64
const digestBytes = 32

const signingKeyOf = (scope: string, key: Buffer): SigningKey => {
  const inner = Buffer.alloc(blockBytes, 0x36)
  const outer = Buffer.alloc(blockBytes + digestBytes, 0x5c)
  for (const [at, byte] of key.entries()) {
    inner[at] = byte ^ 0x36
    outer[at] = byte ^ 0x5c
  }
  return { scope, inner, outer }
}

const sign = (key: SigningKey, text: string): string => {
  const message = Buffer.allocUnsafe(blockBytes + Buffer.byteLength(text))
  key.inner.copy(message)
  message.write(text, blockBytes)
  hash("sha256", message, "buffer").copy(key.outer, blockBytes)
  return hash("sha256", key.outer)
}

/** A key is good for one day and region; credentials are used for far longer, and change rarely. */
const signingKeys = new WeakMap<Credentials, SigningKey>()

const signingKey = (credentials: Credentials, day: string, region: string): SigningKey => {
  const scope = scopeOf(day, region)
  const cached = signingKeys.get(credentials)
  if (cached?.scope === scope) return cached
  const dated = hmac("AWS4" + credentials.secretAccessKey, day)
  const key = signingKeyOf(scope, hmac(hmac(hmac(dated, region), "s3"), "aws4_request"))
  signingKeys.set(credentials, key)
  return key
}

/** Signs a text with the key of `day`: a policy in base64, or a string to sign. */
export const signText = (credentials: Credentials, day: string, region: string, text: string): string =>
  sign(signingKey(credentials, day, region), text)

/** Signs canonical requests made at `time` (as {@link formatTime} writes it). */
export const requestSigner = (credentials: Credentials, region: string, time: string) => {
  const day = time.slice(0, 8)
  const key = signingKey(credentials, day, region)
  const before = `${algorithm}\n${time}\n${scopeOf(day, region)}\n`
  return (canonical: string): string => sign(key, before + hash("sha256", canonical))
}

/** The text that a presigned request's signature covers. `headers` are lower-case, in byte order of names. */
export const canonicalRequest = (request: {
  readonly method: string
  readonly path: string
  /** Encoded, in byte order of names, without the signature. */
  readonly query: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
}): string => {
  let headers = ""
  for (const [name, value] of request.headers) headers += `${name}:${value}\n`
  const names = request.headers.map(([name]) => name).join(";")
  return `${request.method}\n${request.path}\n${request.query}\n${headers}\n${names}\nUNSIGNED-PAYLOAD`
}

/** Encoded `name=value` pairs in byte order, as a canonical request holds them. */
export const canonicalQuery = (pairs: Iterable<readonly [name: string, value: string]>): string =>
  Array.from(pairs, ([name, value]) => `${encode(name)}=${encode(value)}`).sort().join("&")

const signatureQuery = (
  { credentials, region }: SigningStore,
  { lifetimeSeconds }: SigningTime,
  time: string,
  signedHeaders: string
): Array<readonly [string, string]> => [
  ["X-Amz-Algorithm", algorithm],
  ["X-Amz-Credential", `${credentials.accessKeyId}/${scopeOf(time.slice(0, 8), region)}`],
  ["X-Amz-Date", time],
  ["X-Amz-Expires", String(lifetimeSeconds)],
  ...(credentials.sessionToken === undefined ? [] : [["X-Amz-Security-Token", credentials.sessionToken] as const]),
  ["X-Amz-SignedHeaders", signedHeaders]
]

/** What a presigned URL is made of, but for its object. */
interface Presigned extends SigningTime {
  readonly method: "GET" | "HEAD" | "PUT"
  readonly bucket: string
  /** Signed along, like `response-content-type`. */
  readonly query?: Readonly<Record<string, string>>
  /** Headers the request must come with, by lower-case name, like `content-length`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes everything but the object's own part of a presigned URL. */
const presigner = (store: SigningStore, request: Presigned, time: string): (key: string) => string => {
  const { host, path: base, protocol } = baseOf(store, request.bucket)
  const headers = Object.entries({ host, ...request.headers }).sort(([a], [b]) => a < b ? -1 : 1)
  const query = canonicalQuery([
    ...signatureQuery(store, request, time, headers.map(([name]) => name).join(";")),
    ...Object.entries(request.query ?? {})
  ])
  const sign = requestSigner(store.credentials, store.region, time)
  return (key) => {
    const path = `${base}/${encodePath(key)}`
    const signature = sign(canonicalRequest({ method: request.method, path, query, headers }))
    return `${protocol}//${host}${path}?${query}&X-Amz-Signature=${signature}`
  }
}

/** The last one made: a list signs hundreds of links in one second that differ only in their object, and this halves the time. */
const presigners = new WeakMap<Credentials, { readonly of: string; readonly presign: (key: string) => string }>()

/** A URL good for one method on one object until it expires. */
export const presign = (store: SigningStore, request: Presigned & { readonly key: string }): string => {
  const time = formatTime(request.now)
  const { bucket, headers, lifetimeSeconds, method, query } = request
  const of = JSON.stringify([
    [store.endpoint, store.region, store.forcePathStyle],
    [time, method, bucket, lifetimeSeconds, query, headers]
  ])
  let last = presigners.get(store.credentials)
  if (last?.of !== of) {
    last = { of, presign: presigner(store, request, time) }
    presigners.set(store.credentials, last)
  }
  return last.presign(request.key)
}

/**
 * PUT URLs for many parts of one upload, in the order asked. Each accepts
 * exactly its part's length: `content-length` is signed.
 *
 * The same as {@link presign} for each part, with all that is equal in them made once.
 */
export const presignParts = (
  store: SigningStore,
  upload: SigningTime & {
    readonly bucket: string
    readonly key: string
    readonly uploadId: string
    readonly parts: ReadonlyArray<{ readonly partNumber: number; readonly sizeBytes: number }>
  }
): Array<string> => {
  const { host, path: base, protocol } = baseOf(store, upload.bucket)
  const path = `${base}/${encodePath(upload.key)}`
  const time = formatTime(upload.now)
  // "X-Amz-…" sorts before "partNumber", and that before "uploadId".
  const before = `${canonicalQuery(signatureQuery(store, upload, time, "content-length;host"))}&partNumber=`
  const after = `&uploadId=${encode(upload.uploadId)}`
  const requestBefore = `PUT\n${path}\n${before}`
  const requestAfter = `\nhost:${host}\n\ncontent-length;host\nUNSIGNED-PAYLOAD`
  const signed = requestSigner(store.credentials, store.region, time)
  const urlBefore = `${protocol}//${host}${path}?${before}`
  const urlAfter = `${after}&X-Amz-Signature=`
  return upload.parts.map(({ partNumber, sizeBytes }) => {
    const canonical = `${requestBefore}${partNumber}${after}\ncontent-length:${sizeBytes}${requestAfter}`
    return urlBefore + partNumber + urlAfter + signed(canonical)
  })
}

const policyTime = (time: DateTime.Utc) => DateTime.formatIso(time).replace(/\.\d{3}/, "")

/**
 * A form that stores one object at `key`, of exactly `sizeBytes` bytes, when
 * every field comes back unchanged.
 */
export const presignForm = (
  store: SigningStore,
  form: SigningTime & {
    readonly bucket: string
    readonly key: string
    readonly sizeBytes: number
    /** Headers of the object, like `Content-Type`; each is pinned to its value. */
    readonly fields: Readonly<Record<string, string>>
    /** Part of the policy: the form stores nothing unless the store finds a permission for it. S3 engines don't know this. */
    readonly hasPermission?: boolean
  }
): { readonly url: string; readonly fields: Record<string, string> } => {
  const { credentials, region } = store
  const { host, path, protocol } = baseOf(store, form.bucket)
  const time = formatTime(form.now)
  const day = time.slice(0, 8)
  const fields: Record<string, string> = {
    ...form.fields,
    bucket: form.bucket,
    "X-Amz-Algorithm": algorithm,
    "X-Amz-Credential": `${credentials.accessKeyId}/${scopeOf(day, region)}`,
    "X-Amz-Date": time,
    ...(credentials.sessionToken === undefined ? {} : { "X-Amz-Security-Token": credentials.sessionToken }),
    key: form.key
  }
  const policy = Buffer.from(JSON.stringify({
    expiration: policyTime(DateTime.add(form.now, { seconds: form.lifetimeSeconds })),
    ...(form.hasPermission === true ? { hasPermission: true } : {}),
    conditions: [
      ["content-length-range", form.sizeBytes, form.sizeBytes],
      ...Object.entries(fields).map(([name, value]) => ({ [name]: value }))
    ]
  })).toString("base64")
  return {
    url: `${protocol}//${host}${path === "" ? "/" : path}`,
    fields: { ...fields, Policy: policy, "X-Amz-Signature": signText(credentials, day, region, policy) }
  }
}
