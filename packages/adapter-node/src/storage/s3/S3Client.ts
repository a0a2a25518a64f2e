/** The AWS SDK as the other modules use it: loaded when needed, calls as effects. */
import type { S3 } from "@aws-sdk/client-s3"
import { DateTime, Duration, Effect, Option, Schedule, type Scope } from "effect"
import type { Credentials } from "../Signature.ts"
import { failureOf, S3Failure, S3SetupError } from "./S3Failure.ts"
import { bucketNames, endpointOf, type S3Credentials, type S3Options } from "./S3Options.ts"

export interface S3Client {
  /**
   * Makes one call; interrupting it closes its connection. A call is tried
   * three times in all on timeouts, throttling and 5xx, which every operation
   * here bears: repeating each ends in the same state. A small one that has no
   * answer after ten seconds is given up and tried again on another connection.
   */
  readonly call: <A>(
    operation: string,
    request: (s3: S3, options: { readonly abortSignal: AbortSignal }) => Promise<A>
  ) => Effect.Effect<A, S3Failure>
  /** Credentials good now; temporary ones are renewed a few minutes before they expire. */
  readonly credentials: Effect.Effect<Credentials & Pick<S3Credentials, "expiration">, S3Failure>
  /** The store's clock as of its last answer that told it, from the `Date` header. */
  readonly storeTime: Effect.Effect<Option.Option<DateTime.Utc>>
  readonly bucketNames: { readonly private: string; readonly public: string }
  readonly options: S3Options
}

const attemptsMax = 3
const connectMillis = 5_000
const answerTimeout = Duration.seconds(10)
/** Those for which engines move bytes before they answer, some without a word meanwhile. */
const largeCalls: ReadonlySet<string> = new Set(["CopyObject", "UploadPartCopy", "CompleteMultipartUpload"])
const largeAnswerTimeout = Duration.minutes(2)
/** A body on its way that stands still for so long is cut. */
const idleMillis = 60_000
/** Between tries: a little, and more before the last. */
const retryDelay = Duration.millis(200)

/** What passes: no answer, throttling, a clock that is corrected by the answer, and the engine's own failures. */
const mayPass = ({ code, status }: S3Failure): boolean =>
  status === undefined ? !isSetup.test(code) : status === 429 || (status >= 500 && status !== 501) || passing.test(code)
const passing = /^(RequestTimeout|RequestTimeTooSkewed|RequestExpired|SlowDown|Throttling|TooManyRequests)/
/** What no other try changes. */
const isSetup = /^(CredentialsProviderError|ENOTFOUND|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|ERR_TLS)/
/** Each download through the drive holds a connection; the SDK's own 50 would let them starve the calls. */
const connectionsMax = 512

const loadSdk = Effect.tryPromise({
  try: () => import("@aws-sdk/client-s3"),
  catch: () => new S3SetupError({ message: "Storage on S3 needs the package @aws-sdk/client-s3: npm install it." })
})

/** Opens a client; it closes with the scope. */
export const openClient = (options: S3Options): Effect.Effect<S3Client, S3SetupError, Scope.Scope> =>
  Effect.gen(function*() {
    const sdk = yield* loadSdk
    const s3 = yield* Effect.acquireRelease(
      Effect.sync(() =>
        new sdk.S3({
          endpoint: endpointOf(options),
          region: options.region,
          forcePathStyle: options.forcePathStyle ?? false,
          ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
          // By default the SDK adds checksums that R2, B2 and older Ceph refuse.
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED",
          // Tries are ours, by the drive's clock: a silent connection is left earlier than the SDK would.
          maxAttempts: 1,
          requestHandler: {
            connectionTimeout: connectMillis,
            socketTimeout: idleMillis,
            httpAgent: { keepAlive: true, maxSockets: connectionsMax },
            httpsAgent: { keepAlive: true, maxSockets: connectionsMax }
          }
        })
      ),
      (s3) => Effect.sync(() => s3.destroy())
    )
    let date: string | undefined
    s3.middlewareStack.add(
      (next) => async (args) => {
        const answer = await next(args)
        date = (answer.response as { readonly headers?: Readonly<Record<string, string>> }).headers?.["date"] ?? date
        return answer
      },
      // Inside of the deserializer, which throws where the answer is an error.
      { step: "deserialize", priority: "low", name: "storeTime" }
    )
    return {
      storeTime: Effect.sync(() => Option.flatMap(Option.fromUndefinedOr(date), DateTime.make)),
      call: (operation, request) =>
        Effect.tryPromise({
          try: (abortSignal) => request(s3, { abortSignal }),
          catch: failureOf(operation)
        }).pipe(
          Effect.timeoutOrElse({
            duration: largeCalls.has(operation) ? largeAnswerTimeout : answerTimeout,
            orElse: () => Effect.fail(new S3Failure({ operation, status: undefined, code: "NoAnswerInTime" }))
          }),
          Effect.retry({ while: mayPass, times: attemptsMax - 1, schedule: Schedule.exponential(retryDelay) }),
          Effect.withSpan(`S3.${operation}`)
        ),
      credentials: Effect.tryPromise({
        try: () => s3.config.credentials(),
        catch: failureOf("credentials")
      }),
      bucketNames: bucketNames(options),
      options
    }
  })
