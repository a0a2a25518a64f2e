/** The AWS SDK as the other modules use it: loaded when needed, calls as effects. */
import type { S3 } from "@aws-sdk/client-s3"
import { DateTime, Duration, Effect, Option, Schedule, type Scope } from "effect"
import { Agent as HttpAgent } from "node:http"
import { Agent as HttpsAgent } from "node:https"
import type { Credentials } from "../Signature.ts"
import { failureOf, isAnswer, S3Failure, S3SetupError } from "./S3Failure.ts"
import { bucketNames, endpointOf, type S3Credentials, type S3Options } from "./S3Options.ts"
import { probeKey } from "./S3ProbeKey.ts"
import * as S3Silence from "./S3Silence.ts"

export type S3Request<A> = (s3: S3, options: { readonly abortSignal: AbortSignal }) => Promise<A>

export interface S3Client {
  /**
   * Makes one call; interrupting it closes its connection. A call is tried
   * three times in all on timeouts, throttling and 5xx, which is safe for every operation
   * here: repeating each ends in the same state. A small one that has no
   * answer after ten seconds is abandoned and retried on another connection.
   * While the store is silent altogether it fails at once.
   */
  readonly call: <A>(operation: string, request: S3Request<A>) => Effect.Effect<A, S3Failure>
  /** Fails while the store is silent: for calls that are not made by {@link call}. */
  readonly unlessSilent: (operation: string) => Effect.Effect<void, S3Failure>
  /** To be called when such a call was answered, by an error too. */
  readonly heard: () => void
  /** Credentials good now; temporary ones are renewed a few minutes before they expire. */
  readonly credentials: Effect.Effect<Credentials & Pick<S3Credentials, "expiration">, S3Failure>
  /** The store's clock as of its last answer that told it, from the `Date` header. */
  readonly storeTime: Effect.Effect<Option.Option<DateTime.Utc>>
  readonly bucketNames: { readonly private: string; readonly public: string }
  readonly options: S3Options
}

const attemptsMax = 3
const connectMillis = 5_000
/** Those for which engines move bytes before they answer, some in silence meanwhile. */
const largeCalls: ReadonlySet<string> = new Set(["CopyObject", "UploadPartCopy", "CompleteMultipartUpload"])
const largeAnswerTimeout = Duration.minutes(2)
/** A body that stalls for so long is cut. */
const idleMillis = 60_000
/** Between tries: a little, and more before the last. */
const retryDelay = Duration.millis(200)

/** Temporary failures: no answer, throttling, a clock that is corrected by the answer, and the engine's own errors. */
const mayPass = ({ code, status }: S3Failure): boolean =>
  status === undefined ? !isSetup.test(code) : status === 429 || (status >= 500 && status !== 501) || passing.test(code)
const passing = /^(RequestTimeout|RequestTimeTooSkewed|RequestExpired|SlowDown|Throttling|TooManyRequests)/
/** Failures that a retry can't change. */
const isSetup = /^(StoreSilent|CredentialsProviderError|ENOTFOUND|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|ERR_TLS)/
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
    const agentOptions = { keepAlive: true, maxSockets: connectionsMax }
    const httpAgent = new HttpAgent(agentOptions)
    const httpsAgent = new HttpsAgent(agentOptions)
    let date: string | undefined
    const open = (socketTimeout: number, credentials: S3Options["credentials"]) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const s3 = new sdk.S3({
            endpoint: endpointOf(options),
            region: options.region,
            forcePathStyle: options.forcePathStyle ?? false,
            ...(credentials === undefined ? {} : { credentials }),
            // By default the SDK adds checksums that R2, B2 and older Ceph refuse.
            requestChecksumCalculation: "WHEN_REQUIRED",
            responseChecksumValidation: "WHEN_REQUIRED",
            // The drive retries itself, by its own clock: it abandons a silent connection earlier than the SDK would.
            maxAttempts: 1,
            requestHandler: { connectionTimeout: connectMillis, socketTimeout, httpAgent, httpsAgent }
          })
          s3.middlewareStack.add(
            (next) => async (args) => {
              const answer = await next(args)
              const { headers } = answer.response as { readonly headers?: Readonly<Record<string, string>> }
              date = headers?.["date"] ?? date
              return answer
            },
            // Inside of the deserializer, which throws where the answer is an error.
            { step: "deserialize", priority: "low", name: "storeTime" }
          )
          return s3
        }),
        (s3) => Effect.sync(() => s3.destroy())
      )
    const small = yield* open(idleMillis, options.credentials)
    // Engines may be silent for longer while they move bytes; the drive sets that limit itself.
    const large = yield* open(0, small.config.credentials)

    /** Unused connections may be as silent as the one that was abandoned. */
    const dropIdle = Effect.sync(() => {
      for (const sockets of [httpAgent, httpsAgent].flatMap(({ freeSockets }) => Object.values(freeSockets))) {
        for (const socket of sockets ?? []) socket.destroy()
      }
    })

    const attempt = <A>(operation: string, request: S3Request<A>) => {
      const isLarge = largeCalls.has(operation)
      return Effect.tryPromise({
        try: (abortSignal) => request(isLarge ? large : small, { abortSignal }),
        catch: failureOf(operation)
      }).pipe(
        Effect.timeoutOrElse({
          duration: isLarge ? largeAnswerTimeout : S3Silence.answerTimeout,
          orElse: () => Effect.fail(new S3Failure({ operation, status: undefined, code: "NoAnswerInTime" }))
        })
      )
    }

    const names = bucketNames(options)
    const isAnswered = <A>(operation: string, request: S3Request<A>) =>
      Effect.match(attempt(operation, request), { onSuccess: () => true, onFailure: isAnswer })

    /** Whether either bucket answers, for itself or for an object: one of them may hang by a policy or a gateway's fault. */
    const silence = yield* S3Silence.make(
      firstTrue(
        [names.private, names.public].flatMap((Bucket) => [
          isAnswered("HeadBucket", (s3, options) => s3.headBucket({ Bucket }, options)),
          isAnswered("HeadObject", (s3, options) => s3.headObject({ Bucket, Key: probeKey }, options))
        ])
      )
    )

    const silent = (operation: string) =>
      Effect.fail(new S3Failure({ operation, status: undefined, code: "StoreSilent" }))

    const call: S3Client["call"] = (operation, request) =>
      Effect.suspend(() => {
        // Once: where answers come in any order this says little, and the engine must not repeat all its work.
        let mayBeLost = largeCalls.has(operation)
        const lost = Effect.suspend(() => {
          mayBeLost = false
          return Effect.fail(new S3Failure({ operation, status: undefined, code: "LostInSilence" }))
        })
        const tried = Effect.suspend(() => {
          const answer = attempt(operation, request)
          return mayBeLost ? Effect.raceFirst(answer, Effect.andThen(silence.lost, lost)) : answer
        }).pipe(
          Effect.tap(() => Effect.sync(silence.heard)),
          Effect.tapError((failure) => isAnswer(failure) ? Effect.sync(silence.heard) : dropIdle),
          Effect.retry({ while: mayPass, times: attemptsMax - 1, schedule: Schedule.exponential(retryDelay) })
        )
        return silence.watch(tried, silent(operation))
      }).pipe(Effect.withSpan(`S3.${operation}`))

    return {
      storeTime: Effect.sync(() => Option.flatMap(Option.fromUndefinedOr(date), DateTime.make)),
      call,
      unlessSilent: (operation) => Effect.suspend(() => silence.isSilent() ? silent(operation) : Effect.void),
      heard: silence.heard,
      credentials: Effect.tryPromise({
        try: () => small.config.credentials(),
        catch: failureOf("credentials")
      }),
      bucketNames: names,
      options
    }
  })

/** Whether any of them returns true, as soon as one does. */
const firstTrue = (asks: ReadonlyArray<Effect.Effect<boolean>>): Effect.Effect<boolean> =>
  Effect.raceAll(asks.map((ask) => Effect.flatMap(ask, (isTrue) => isTrue ? Effect.void : Effect.fail("no")))).pipe(
    Effect.match({ onSuccess: () => true, onFailure: () => false })
  )
