/**
 * An object of the drive's own in each bucket, which shows whether objects can be read, with the drive's credentials
 * and without any. Its key is below no prefix of files, so nothing takes it for one.
 */
import type { DriveError, ObjectStore } from "@filedrive/core"
import { Cause, Duration, Effect, Schedule } from "effect"
import type { S3Client } from "./S3Client.ts"
import { isMissing, type S3Failure, S3SetupError } from "./S3Failure.ts"
import { endpointOf } from "./S3Options.ts"
import { probeKey } from "./S3ProbeKey.ts"
import { signOwnForm } from "./S3Signing.ts"
import { bucketAndKey } from "./S3Uploads.ts"

const text = "filedrive looks here whether this bucket can be read. It makes this object anew when it is gone.\n"

/** The probe's own headers, by PUT and by a form. */
const probeHeaders = { "Content-Type": "text/plain", "Cache-Control": "no-store" }

const attemptsMax = 3
const strangerTimeout = Duration.seconds(10)
/** Between tries: a policy that was set just now may not hold everywhere yet. */
const retryDelay = Duration.millis(500)

/** Reads a bucket's probe, which is made where it is missing. */
export const readProbe = (client: S3Client, bucket: ObjectStore.Bucket): Effect.Effect<void, S3Failure> => {
  const at = bucketAndKey(client, { bucket, key: probeKey })
  const put = client.call(
    "PutObject",
    (s3, options) =>
      s3.putObject({
        ...at,
        Body: text,
        ContentType: probeHeaders["Content-Type"],
        CacheControl: probeHeaders["Cache-Control"]
      }, options)
  )
  return client.call("GetObject", async (s3, options) => {
    const { Body } = await s3.getObject(at, options)
    await Body?.transformToString()
  }).pipe(Effect.catchIf(isMissing, () => Effect.asVoid(put)))
}

/** The status that a reader without credentials gets; fails when the store does not answer, or the answer is not the object's. */
const askAsStranger = (url: string): Effect.Effect<"read" | "refused", Cause.UnknownError | Cause.TimeoutError> =>
  Effect.tryPromise(async (signal) => {
    const answer = await fetch(url, { signal, headers: { "cache-control": "no-cache" } })
    const body = await answer.text()
    if (answer.status === 401 || answer.status === 403) return "refused" as const
    if (answer.status === 200 && body === text) return "read" as const
    throw new Error(answer.status === 200 ? "another answer than the bucket's object" : `status ${answer.status}`)
  }).pipe(Effect.timeout(strangerTimeout))

const becauseOf = (error: Cause.UnknownError | Cause.TimeoutError | DriveError.Unavailable): string => {
  if (Cause.isTimeoutError(error)) return `no answer in ${Duration.toSeconds(strangerTimeout)} seconds`
  const { cause } = error
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return inner instanceof Error ? inner.message : String(inner)
}

/**
 * Fails with a sentence where the public bucket refuses strangers: every lasting link and cover would be broken. An
 * address that can't be asked from here, as behind some gateways and CDNs, is warned of.
 */
export const checkStrangers = (
  client: S3Client,
  publicUrl: (key: string) => string
): Effect.Effect<void, S3SetupError> => {
  const url = publicUrl(probeKey)
  const bucket = client.bucketNames.public
  const refused = new S3SetupError({
    message: `The public bucket "${bucket}" refuses strangers: GET ${url} is answered by 403. Give it a policy that ` +
      `allows the action s3:GetObject on "arn:aws:s3:::${bucket}/*" to the principal "*" (on AWS, turn off "Block ` +
      "public access\" for this bucket first)."
  })
  const tries = Schedule.exponential(retryDelay)
  return Effect.flatMap(askAsStranger(url), (answer) => answer === "read" ? Effect.void : Effect.fail(refused)).pipe(
    Effect.retry({ times: attemptsMax - 1, schedule: tries }),
    Effect.catchIf(
      (error): error is Exclude<typeof error, S3SetupError> => !(error instanceof S3SetupError),
      (error) =>
        Effect.logWarning(
          `Whether strangers can read the public bucket "${bucket}" can't be seen from here: GET ${url} gave ` +
            `${becauseOf(error)}. If it is the same for them, lasting links and covers don't work.`
        )
    )
  )
}

/** An answer that may be another one soon. */
const mayPass = (status: number): boolean => status === 408 || status === 429 || (status >= 500 && status !== 501)

/**
 * Whether the engine takes upload forms: some know no POST policy. The test stores the probe of the private bucket by a form. An engine
 * without an answer counts as one that takes forms.
 */
export const takesForms = (client: S3Client): Effect.Effect<boolean> =>
  Effect.gen(function*() {
    const { fields, url } = yield* signOwnForm(client, {
      at: { bucket: "private", key: probeKey },
      fields: probeHeaders,
      sizeBytes: text.length
    })
    const sent = Effect.tryPromise(async (signal) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append("file", new Blob([text]))
      const answer = await fetch(url, { method: "POST", body: form, signal, redirect: "manual" })
      await answer.body?.cancel()
      if (mayPass(answer.status)) throw new Error(`status ${answer.status}`)
      return answer.status
    }).pipe(Effect.timeout(strangerTimeout))
    const status = yield* Effect.retry(sent, { times: attemptsMax - 1, schedule: Schedule.exponential(retryDelay) })
    // An engine may also answer a form with a redirection to a page of its sender's.
    if (status < 400) return true
    yield* Effect.logWarning(
      `The object storage on ${
        endpointOf(client.options)
      } takes no upload forms (one was answered by ${status}), so files ` +
        "that are sent in one piece pass through the drive. S3_POST_POLICY=0, or `postPolicy: false`, skips this test."
    )
    return false
  }).pipe(Effect.catch((error) =>
    Effect.as(
      Effect.logWarning(
        `The test whether the object storage on ${endpointOf(client.options)} takes upload forms failed: a form gave ` +
          `${becauseOf(error)}.`
      ),
      true
    )
  ))
