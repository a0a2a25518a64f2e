/** Makes the two buckets as the drive needs them. */
import { Effect } from "effect"
import { openClient, type S3Client } from "./S3Client.ts"
import { type S3Failure, S3SetupError } from "./S3Failure.ts"
import { endpointOf, type S3Options } from "./S3Options.ts"

const publicRead = (bucket: string) =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: `arn:aws:s3:::${bucket}/*` }]
  })

/** Names of the errors when the caller has the bucket already. */
const alreadyThere = (failure: S3Failure) => failure.status === 409 && failure.code === "BucketAlreadyOwnedByYou"

const create = (client: S3Client, bucket: string) =>
  client.call("CreateBucket", (s3, options) => s3.createBucket({ Bucket: bucket }, options)).pipe(
    Effect.catchIf(alreadyThere, () => Effect.void)
  )

/** Browsers send forms and parts straight to the store, and read the answers' headers. */
const allowBrowsers = (client: S3Client, bucket: string, origins: ReadonlyArray<string>) =>
  client.call("PutBucketCors", (s3, options) =>
    s3.putBucketCors({
      Bucket: bucket,
      CORSConfiguration: {
        CORSRules: [{
          AllowedOrigins: [...origins],
          AllowedMethods: ["GET", "HEAD", "POST", "PUT"],
          AllowedHeaders: ["*"],
          ExposeHeaders: ["ETag", "Content-Range", "Accept-Ranges", "Content-Length"],
          MaxAgeSeconds: 86_400
        }]
      }
    }, options))

/** AWS keeps new buckets from being public until told otherwise; other engines don't know the call. */
const unblock = (client: S3Client, bucket: string) =>
  client.call("DeletePublicAccessBlock", (s3, options) => s3.deletePublicAccessBlock({ Bucket: bucket }, options)).pipe(
    Effect.catchIf((failure) => [400, 404, 405, 501].includes(failure.status ?? 0), () => Effect.void)
  )

/**
 * Makes both buckets where they are missing, lets everyone read the public
 * one, and lets pages of `origins` (by default all) send and read. Safe to
 * repeat; objects stay as they are.
 *
 * For tests and first starts. Needs credentials that may do this, which a
 * serving drive should not have, and an engine with bucket policies.
 */
export const prepareBuckets = (
  options: S3Options,
  origins: ReadonlyArray<string> = ["*"]
): Effect.Effect<void, S3SetupError> =>
  Effect.gen(function*() {
    const client = yield* openClient(options)
    const { private: privateBucket, public: publicBucket } = client.bucketNames
    yield* Effect.forEach(
      [privateBucket, publicBucket],
      (bucket) => Effect.andThen(create(client, bucket), allowBrowsers(client, bucket, origins)),
      { discard: true }
    ).pipe(
      Effect.andThen(unblock(client, publicBucket)),
      Effect.andThen(client.call("PutBucketPolicy", (s3, options) =>
        s3.putBucketPolicy({ Bucket: publicBucket, Policy: publicRead(publicBucket) }, options))),
      Effect.mapError((failure) =>
        new S3SetupError({ message: `The buckets on ${endpointOf(options)} can't be prepared (${failure.message}).` })
      )
    )
  }).pipe(Effect.scoped)
