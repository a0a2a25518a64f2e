/** The AWS SDK is the independent witness: what it signs, we sign, byte for byte. */
import { GetObjectCommand, S3Client, UploadPartCommand } from "@aws-sdk/client-s3"
import { createPresignedPost } from "@aws-sdk/s3-presigned-post"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { DateTime } from "effect"
import * as fc from "fast-check"
import { presign, presignForm, presignParts, type SigningStore } from "./Signature.ts"

const text = fc.string({ unit: "binary", maxLength: 40 }).filter((value) => value.isWellFormed())
/** Any key that URL parsers leave alone: no empty, `.` or `..` segment. */
const key = fc.array(
  fc.string({ unit: "binary", minLength: 1, maxLength: 20 }).filter((segment) =>
    segment.isWellFormed() && !segment.includes("/") && !/^\.\.?$/.test(segment)
  ),
  { minLength: 1, maxLength: 5 }
).map((segments) => segments.join("/"))
const word = fc.string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEF0123456789+/="), minLength: 1 })
const time = fc.record({
  now: fc.integer({ min: Date.UTC(2000), max: Date.UTC(2100) }).map(DateTime.makeUnsafe),
  lifetimeSeconds: fc.integer({ min: 1, max: 604_800 })
})
const store: fc.Arbitrary<SigningStore> = fc.record({
  endpoint: fc.constantFrom(
    "https://s3.eu-central-1.amazonaws.com",
    "http://store.test:9000",
    "http://127.0.0.1:4500/storage",
    "https://drive.test/a/storage"
  ),
  region: fc.constantFrom("us-east-1", "eu-central-1", "auto"),
  forcePathStyle: fc.boolean(),
  credentials: fc.record({
    accessKeyId: fc.string({ unit: fc.constantFrom(..."ABCDEFGHIJKLMNOP0123456789"), minLength: 16, maxLength: 20 }),
    secretAccessKey: word,
    sessionToken: fc.option(word, { nil: undefined })
  })
})
const bucket = fc.constantFrom("private", "my-bucket-1", "Capital")
const part = fc.record({
  partNumber: fc.integer({ min: 1, max: 10_000 }),
  sizeBytes: fc.integer({ min: 1, max: 5 * 1024 ** 3 })
})

const client = (self: SigningStore) =>
  new S3Client({
    endpoint: self.endpoint,
    region: self.region,
    forcePathStyle: self.forcePathStyle,
    credentials: {
      accessKeyId: self.credentials.accessKeyId,
      secretAccessKey: self.credentials.secretAccessKey,
      ...(self.credentials.sessionToken === undefined ? {} : { sessionToken: self.credentials.sessionToken })
    },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED"
  })

/** The two parameters the SDK adds and no store asks for. */
const sdkExtras = (operation: string) => ({ "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD", "x-id": operation })

/** A URL without the order of its parameters, which has no meaning. */
const parsed = (url: string) => {
  const [base, query = ""] = url.split("?")
  return [base, ...query.split("&").sort()]
}

describe("Signature", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }))
  afterEach(() => void vi.useRealTimers())

  it("STO-1 a signed GET equals the AWS SDK's", () =>
    fc.assert(
      fc.asyncProperty(store, bucket, key, time, text, async (self, Bucket, Key, at, disposition) => {
        vi.setSystemTime(DateTime.toEpochMillis(at.now))
        const theirs = await getSignedUrl(
          client(self),
          new GetObjectCommand({ Bucket, Key, ResponseContentDisposition: disposition }),
          { expiresIn: at.lifetimeSeconds }
        )
        const ours = presign(self, {
          method: "GET",
          bucket: Bucket,
          key: Key,
          query: { "response-content-disposition": disposition, ...sdkExtras("GetObject") },
          ...at
        })
        assert.deepStrictEqual(parsed(ours), parsed(theirs))
      }),
      { numRuns: 150 }
    ))

  it("STO-1 a signed part of fixed length equals the AWS SDK's", () =>
    fc.assert(
      fc.asyncProperty(store, bucket, key, time, part, word, async (self, Bucket, Key, at, planned, uploadId) => {
        vi.setSystemTime(DateTime.toEpochMillis(at.now))
        const theirs = await getSignedUrl(
          client(self),
          new UploadPartCommand({
            Bucket,
            Key,
            UploadId: uploadId,
            PartNumber: planned.partNumber,
            ContentLength: planned.sizeBytes
          }),
          { expiresIn: at.lifetimeSeconds }
        )
        const ours = presign(self, {
          method: "PUT",
          bucket: Bucket,
          key: Key,
          query: { partNumber: String(planned.partNumber), uploadId, ...sdkExtras("UploadPart") },
          headers: { "content-length": String(planned.sizeBytes) },
          ...at
        })
        assert.deepStrictEqual(parsed(ours), parsed(theirs))
      }),
      { numRuns: 150 }
    ))

  it("STO-1 parts signed together equal parts signed one by one", () =>
    fc.assert(
      fc.property(store, bucket, key, time, fc.array(part), word, (self, bucket, key, at, parts, uploadId) => {
        assert.deepStrictEqual(
          presignParts(self, { bucket, key, uploadId, parts, ...at }).map(parsed),
          parts.map(({ partNumber, sizeBytes }) =>
            parsed(presign(self, {
              method: "PUT",
              bucket,
              key,
              query: { partNumber: String(partNumber), uploadId },
              headers: { "content-length": String(sizeBytes) },
              ...at
            }))
          )
        )
      })
    ))

  it("STO-1 a form equals the AWS SDK's", () =>
    fc.assert(
      fc.asyncProperty(
        store,
        bucket,
        key.filter((value) => !value.endsWith("${filename}")),
        time,
        fc.integer({ min: 0, max: 5 * 1024 ** 3 }),
        fc.record({ "Content-Type": text, "Content-Disposition": text, "Cache-Control": text }),
        async (self, Bucket, Key, at, sizeBytes, fields) => {
          vi.setSystemTime(DateTime.toEpochMillis(at.now))
          const theirs = await createPresignedPost(client(self), {
            Bucket,
            Key,
            Fields: fields,
            Conditions: [["content-length-range", sizeBytes, sizeBytes]],
            Expires: at.lifetimeSeconds
          })
          const ours = presignForm(self, { bucket: Bucket, key: Key, sizeBytes, fields, ...at })
          assert.deepStrictEqual(ours, theirs)
        }
      ),
      { numRuns: 150 }
    ))
})
