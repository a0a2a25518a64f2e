/** Checks that run once, when the drive starts. */
import { Limits } from "@filedrive/core"
import { DateTime, Duration, Effect, Option } from "effect"
import { machineTime } from "../../clock/DriveClock.ts"
import type { S3Client } from "./S3Client.ts"
import { type S3Failure, S3SetupError } from "./S3Failure.ts"
import { endpointOf } from "./S3Options.ts"
import { readProbe } from "./S3Probe.ts"

/** Stores refuse signatures that are more than 15 minutes off; the warning comes while they still work. */
const skewWarned = Duration.minutes(5)

const longestLink = Duration.max(Limits.formLifetime, Limits.partUrlLifetime)

const buckets = ["private", "public"] as const

const headBucket = (client: S3Client, name: string) =>
  client.call("HeadBucket", (s3, options) => s3.headBucket({ Bucket: name }, options))

const setupError = (client: S3Client, bucket: string) => (failure: S3Failure) => {
  const endpoint = endpointOf(client.options)
  const because: { readonly [status: number]: string } = {
    301: `The bucket "${bucket}" is in another region than "${client.options.region}".`,
    403: `The bucket "${bucket}" on ${endpoint} refuses these credentials.`,
    404: `The bucket "${bucket}" does not exist on ${endpoint}: create it first.`
  }
  const otherwise = `The object storage on ${endpoint} can't be used (${failure.message}).`
  return new S3SetupError({ message: because[failure.status ?? 0] ?? otherwise })
}

/** The bucket exists, but its objects are refused to these credentials. */
const accessError = (client: S3Client, bucket: string) => (failure: S3Failure) =>
  failure.status === 403
    ? new S3SetupError({
      message:
        `The objects of the bucket "${bucket}" on ${endpointOf(client.options)} are refused to these credentials ` +
        `(${failure.message}): allow them s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket.`
    })
    : setupError(client, bucket)(failure)

/** Fails with a sentence naming a bucket that is missing or refused, itself or its objects. */
export const checkBuckets = (client: S3Client): Effect.Effect<void, S3SetupError> =>
  Effect.forEach(
    buckets,
    (bucket) => {
      const name = client.bucketNames[bucket]
      return Effect.andThen(
        Effect.mapError(headBucket(client, name), setupError(client, name)),
        Effect.mapError(readProbe(client, bucket), accessError(client, name))
      )
    },
    { discard: true }
  )

/** Whether an object of both buckets can be read, without a reason if not: for `/readyz`. */
export const reachObjects = (client: S3Client): Effect.Effect<void, S3Failure> =>
  Effect.forEach(buckets, (bucket) => readProbe(client, bucket), { discard: true, concurrency: "unbounded" })

/** A wrong clock makes every link invalid, and no other error tells why. */
export const warnOfClockSkew = (client: S3Client): Effect.Effect<void> =>
  Effect.gen(function*() {
    const storeTime = yield* client.storeTime
    if (Option.isNone(storeTime)) return
    const ahead = DateTime.toEpochMillis(yield* machineTime) - DateTime.toEpochMillis(storeTime.value)
    if (Math.abs(ahead) < Duration.toMillis(skewWarned)) return
    const minutes = Math.round(Math.abs(ahead) / 60_000)
    yield* Effect.logWarning(
      `This machine's clock is ${minutes} minutes ${ahead > 0 ? "ahead of" : "behind"} the object storage's. ` +
        "From 15 minutes on, the storage refuses every link."
    )
  })

/** A link expires with the credentials that signed it, whatever its own lifetime. */
export const warnOfShortCredentials = (client: S3Client): Effect.Effect<void, S3Failure> =>
  Effect.gen(function*() {
    const { expiration, sessionToken } = yield* client.credentials
    if (expiration === undefined && sessionToken === undefined) return
    const now = DateTime.toEpochMillis(yield* machineTime)
    const left = expiration === undefined ? 0 : expiration.getTime() - now
    if (left >= Duration.toMillis(longestLink)) return
    const how = expiration === undefined ? "" : ` and expire in ${Math.round(left / 3_600_000)} hours`
    yield* Effect.logWarning(
      `The storage credentials are temporary${how}; forms and links signed with them die earlier than their ` +
        `${Duration.toHours(longestLink)} hours. Give the drive lasting credentials.`
    )
  })
