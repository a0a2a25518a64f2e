/**
 * Checks what {@link "../Signature.ts"} signed: URLs, and forms with the
 * policy in them. Every check is against the configured endpoint, not the
 * `Host` header, so that proxies and mounts do not matter.
 */
import type { ObjectStore as Port } from "@filedrive/core"
import { timingSafeEqual } from "node:crypto"
import { isDigest } from "../Digests.ts"
import {
  algorithm,
  canonicalQuery,
  canonicalRequest,
  requestSigner,
  scopeOf,
  type SigningStore,
  signText
} from "../Signature.ts"
import { StorageError } from "./StorageError.ts"

/** A request, its path relative to the store's mount. */
export interface Target {
  readonly bucket: Port.Bucket
  readonly key: string
  readonly query: ReadonlyArray<readonly [name: string, value: string]>
}

/**
 * How far in the future a signature may be. Only this store can sign, so its clock was ahead then and has been set back. A day is more than
 * a wrong zone makes, and bounds how much longer such a link lives.
 */
const aheadMillis = 24 * 60 * 60 * 1000
const longestSeconds = 7 * 24 * 60 * 60

const denied = (because: string) => new StorageError("AccessDenied", because)
const mismatch = () => new StorageError("SignatureDoesNotMatch", "The signature does not match the request.")

const equal = (given: string, right: string) => {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The one value of a parameter. */
const only = ({ query }: Target, name: string): string => {
  const values = query.filter(([own]) => own === name)
  if (values.length !== 1 || values[0] === undefined) throw denied(`The query must contain ${name} once.`)
  return values[0][1]
}

/** The time that `20260131T235959Z` writes. */
const millisOf = (time: string): number => {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time)
  if (match === null) throw denied("The date of the signature is malformed.")
  const [year = 0, month = 1, ...rest] = match.slice(1).map(Number)
  return Date.UTC(year, month - 1, ...rest)
}

/** The day that credentials like `AKIA…/20260131/region/s3/aws4_request` are for. */
const dayOf = (credential: string, { credentials, region }: SigningStore): string => {
  const [, day = ""] = credential.split("/")
  if (credential !== `${credentials.accessKeyId}/${scopeOf(day, region)}`) {
    throw denied("The credentials are not known.")
  }
  return day
}

export const isSigned = ({ query }: Target): boolean => query.some(([name]) => name === "X-Amz-Signature")

/** Refuses a URL that was not signed for this request, or has expired. Returns the names of the headers it pins. */
export const verifyUrl = (
  store: SigningStore,
  request: Target & {
    readonly method: string
    readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
    readonly nowMillis: number
  }
): ReadonlyArray<string> => {
  const time = only(request, "X-Amz-Date")
  const day = dayOf(only(request, "X-Amz-Credential"), store)
  if (only(request, "X-Amz-Algorithm") !== algorithm || time.slice(0, 8) !== day) {
    throw denied("Not a signature of ours.")
  }
  const signedMillis = millisOf(time)
  const seconds = Number(only(request, "X-Amz-Expires"))
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > longestSeconds) {
    throw denied("The lifetime is out of range.")
  }
  if (request.nowMillis > signedMillis + seconds * 1000) throw denied("Request has expired.")
  if (request.nowMillis < signedMillis - aheadMillis) throw denied("Request is not valid yet.")
  const names = only(request, "X-Amz-SignedHeaders").split(";")
  if (!names.includes("host")) throw denied("The host must be signed.")
  const { host, pathname } = new URL(store.endpoint)
  const canonical = canonicalRequest({
    method: request.method,
    path: `${pathname.replace(/\/+$/, "")}/${request.bucket}/${request.key}`,
    query: canonicalQuery(request.query.filter(([name]) => name !== "X-Amz-Signature")),
    headers: names.map((name) => [name, name === "host" ? host : String(request.headers[name] ?? "").trim()])
  })
  const right = requestSigner(store.credentials, store.region, time)(canonical)
  if (!equal(only(request, "X-Amz-Signature"), right)) throw mismatch()
  return names
}

export interface VerifiedForm {
  readonly key: string
  /** The exact size of the file in bytes. */
  readonly sizeBytes: number
  readonly headers: Port.ObjectHeaders
  readonly signature: string
  readonly expiryMillis: number
  /** Whether it was issued with a permission, without which it stores nothing. */
  readonly hasPermission: boolean
}

interface Policy {
  readonly expiration: string
  readonly hasPermission?: boolean
  readonly conditions: ReadonlyArray<Readonly<Record<string, string>> | readonly [string, number, number]>
}

/** Fields a policy cannot cover itself. */
const uncovered = new Set(["policy", "x-amz-signature"])

/**
 * Refuses a form that was not signed so, has a field more or less or other
 * than its policy says, or has expired. `fields` are by lower-case name.
 */
export const verifyForm = (
  store: SigningStore,
  bucket: Port.Bucket,
  fields: ReadonlyMap<string, string>,
  nowMillis: number
): VerifiedForm => {
  const field = (name: string) => {
    const value = fields.get(name)
    if (value === undefined) throw denied(`The form must contain ${name}.`)
    return value
  }
  const encoded = field("policy")
  const day = dayOf(field("x-amz-credential"), store)
  const signature = field("x-amz-signature")
  if (!equal(signature, signText(store.credentials, day, store.region, encoded))) throw mismatch()
  // Only this store can sign it, so the policy has the shape that this store gives it.
  const policy: Policy = JSON.parse(Buffer.from(encoded, "base64").toString())
  const expiryMillis = Date.parse(policy.expiration)
  if (!(nowMillis < expiryMillis)) throw denied("The form has expired.")
  const covered = new Set(uncovered)
  let sizeBytes: number | undefined
  for (const condition of policy.conditions) {
    if (Array.isArray(condition)) {
      const [, smallest, largest] = condition as readonly [string, number, number]
      sizeBytes = smallest === largest ? largest : undefined
      continue
    }
    for (const [name, value] of Object.entries(condition)) {
      covered.add(name.toLowerCase())
      if (field(name.toLowerCase()) !== value) throw denied("A field is not as the policy says.")
    }
  }
  for (const name of fields.keys()) {
    // A checksum makes the form only stricter.
    if (!covered.has(name) && !isDigest(name)) throw denied("The form contains a field that the policy does not name.")
  }
  if (sizeBytes === undefined || field("bucket") !== bucket) throw denied("The policy is not for this bucket.")
  return {
    key: field("key"),
    sizeBytes,
    headers: {
      contentType: field("content-type"),
      contentDisposition: field("content-disposition"),
      cacheControl: field("cache-control")
    },
    signature,
    expiryMillis,
    hasPermission: policy.hasPermission === true
  }
}
