/** One run of a generation's job: asks the provider, or looks at its job, and saves the image. */
import { Data, DateTime, Duration, Effect, Option, Schedule, Stream } from "effect"
import * as Plan from "../accounts/Plan.ts"
import { done, type JobOutcome, retry } from "../jobs/Jobs.ts"
import * as Limits from "../limits/Limits.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { Accounts } from "../ports/Accounts.ts"
import {
  type Finished,
  ImageFailure,
  ImageGenerator,
  type ImageRequest,
  type Progress,
  type ProviderJob,
  type Submission
} from "../ports/ImageGenerator.ts"
import { ObjectStore, type StoredObject } from "../ports/ObjectStore.ts"
import type { AccountId, GenerationId } from "../shared/Ids.ts"
import { fileNameOf, type Generation, kindOf } from "./Generation.ts"
import type { GenerationEvent, NextState } from "./GenerationState.ts"
import { type GenerationSteps, Superseded } from "./GenerationSteps.ts"

/** How often a run that waits for its provider checks that the generation is still wanted. */
const checkInterval = Duration.seconds(2)

/** While storage is away the image waits in memory, then in storage. */
const storageRetries = { schedule: Schedule.exponential(Duration.seconds(1)), times: 4 }
const storageRetryDelay = Duration.seconds(20)

/** How long the database may be away before what the provider has answered is given up. */
const stepRetries = {
  schedule: Schedule.min([Schedule.exponential(Duration.seconds(1)), Schedule.spaced(Duration.seconds(5))]),
  times: 24
}

/**
 * Repeats a step that the database fails: what the provider has answered is in memory alone. The step must be one that may be
 * repeated, since the database may have failed after it was committed.
 */
const persistently = <A, E>(step: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.catchDefect(step, (defect) => Effect.fail(new StepLost({ defect }))).pipe(
    Effect.retry({ ...stepRetries, while: (error) => error instanceof StepLost }),
    Effect.catch((error) => error instanceof StepLost ? Effect.die(error.defect) : Effect.fail(error as E))
  )

class StepLost extends Data.TaggedError("StepLost")<{ readonly defect: unknown }> {}

/** The provider's names of jobs are kept up to this length. */
const jobMaxLength = 4_096

const requestOf = ({ aspectRatio, id, model, prompt, quality }: Generation): ImageRequest => ({
  generationId: id,
  model,
  prompt,
  aspectRatio,
  quality
})

const failure = (reason: ImageFailure["reason"], because: string): ImageFailure =>
  new ImageFailure({ reason, begun: true, retryAfter: null, cause: new Error(because) })

const timedOut = (limit: Duration.Duration) => () =>
  Effect.fail(failure("unavailable", `no answer within ${Duration.toSeconds(limit)} s`))

/** Fails for an image that can't be saved: of an unknown kind, or too large. */
const check = (answer: Submission | Progress): Effect.Effect<void, ImageFailure> => {
  if (answer._tag !== "Finished") return Effect.void
  if (answer.image.bytes.length > Limits.generatedImageMaxBytes) {
    return Effect.fail(failure("invalid", "the image is too large"))
  }
  return kindOf(answer.image) === null
    ? Effect.fail(failure("invalid", "what was answered is no PNG, JPEG or WebP"))
    : Effect.void
}

export const makeRun = Effect.fnUntraced(function*(steps: GenerationSteps) {
  const accounts = yield* Accounts
  const generator = yield* ImageGenerator
  const store = yield* ObjectStore

  /** How the job ends after a step. */
  const outcomeOf = (then: NextState): JobOutcome => "retryTime" in then ? retry(then.retryTime) : done

  const happened = (current: Generation, event: GenerationEvent) =>
    Effect.map(steps.happened(current, event), outcomeOf)

  /** Cuts the connection when the generation has been cancelled or another run has begun. */
  const whileCurrent = <A, E, R>(current: Generation, work: Effect.Effect<A, E, R>) =>
    Effect.raceFirst(
      work,
      Effect.gen(function*() {
        do yield* Effect.sleep(checkInterval)
        while (
          // While the database is away the provider may go on.
          yield* Effect.catchDefect(steps.isCurrent(current), () => Effect.succeed(true))
        )
        return yield* new Superseded()
      })
    )

  const cancelJob = (current: Generation, job: ProviderJob) =>
    generator.cancel(requestOf(current), job).pipe(
      Effect.timeoutOrElse({ duration: Limits.imagePollTimeout, orElse: () => Effect.void })
    )

  /** Keeps what is in storage as the account's file. */
  const record = Effect.fnUntraced(function*(current: Generation, object: StoredObject) {
    const { quotaBytes } = yield* Plan.storing(accounts, current.accountId)
    yield* steps.saved(current, object, quotaBytes)
    return done
  }, (effect, current) =>
    Effect.catchTags(effect, {
      Refused: () => happened(current, { _tag: "Failed", code: "not_allowed" }),
      // The image is in storage, or its file's owner can't be asked: once more in a while.
      Unavailable: () =>
        Effect.map(DateTime.now, (now): JobOutcome => retry(DateTime.addDuration(now, storageRetryDelay)))
    }))

  const keep = Effect.fnUntraced(function*(read: Generation, finished: Finished) {
    const current = yield* persistently(steps.storing(read, finished))
    const { mimeType, sizeBytes, storeKey } = current.stored!
    const put = store.put({
      at: StoreKey.inPrivate(storeKey),
      headers: ObjectHeaders.of({ fileName: fileNameOf(current), mimeType }, "private"),
      sizeBytes,
      body: Stream.make(finished.image.bytes)
    })
    const object = yield* Effect.option(
      Effect.retry(put, storageRetries).pipe(
        Effect.tapError((error) => Effect.logWarning("A generated image could not be stored.", error))
      )
    )
    return Option.isSome(object)
      ? yield* record(current, object.value)
      : yield* happened(current, { _tag: "NotStored" })
  })

  /** Continues with what an earlier run stored. */
  const save = Effect.fnUntraced(function*(current: Generation) {
    const { sizeBytes, storeKey } = current.stored!
    const head = yield* Effect.result(store.head(StoreKey.inPrivate(storeKey)))
    if (head._tag === "Failure") return retry(DateTime.addDuration(yield* DateTime.now, storageRetryDelay))
    const object = Option.getOrUndefined(head.success)
    return object?.sizeBytes === sizeBytes
      ? yield* record(current, object)
      : yield* happened(current, { _tag: "NotStored" })
  })

  const providerFailed = Effect.fnUntraced(
    function*(current: Generation, failed: ImageFailure, callTime: DateTime.Utc) {
      yield* Effect.logWarning("An image provider failed.", failed.cause).pipe(
        Effect.annotateLogs({ model: current.model, reason: failed.reason, generation: current.id })
      )
      return yield* happened(current, { _tag: "ProviderFailed", failure: failed, callTime })
    }
  )

  const submitted = Effect.fnUntraced(function*(current: Generation, job: ProviderJob, callTime: DateTime.Utc) {
    if (job === "" || job.length > jobMaxLength) {
      return yield* providerFailed(current, failure("invalid", "the name of its job is empty or too long"), callTime)
    }
    return yield* persistently(steps.submitted(current, job)).pipe(
      Effect.map(outcomeOf),
      // It was cancelled meanwhile, or nobody can learn of the job any more.
      Effect.onError(() => cancelJob(current, job))
    )
  })

  const ask = Effect.fnUntraced(function*(current: Generation) {
    const why = yield* generator.unavailable(current.model)
    if (why !== null) {
      yield* Effect.logWarning(`Images of ${current.model} can't be generated: ${why}.`)
      return yield* happened(current, { _tag: "Failed", code: "generator_unavailable" })
    }
    const limit = Limits.imageSubmitTimeout
    const callTime = yield* DateTime.now
    const submission = yield* Effect.result(
      whileCurrent(current, generator.submit(requestOf(current))).pipe(
        Effect.timeoutOrElse({ duration: limit, orElse: timedOut(limit) }),
        Effect.tap(check)
      )
    )
    if (submission._tag === "Failure") {
      return submission.failure._tag === "Superseded"
        ? done
        : yield* providerFailed(current, submission.failure, callTime)
    }
    const answer = submission.success
    return answer._tag === "Finished" ? yield* keep(current, answer) : yield* submitted(current, answer.job, callTime)
  })

  const look = Effect.fnUntraced(function*(current: Generation) {
    const limit = Limits.imagePollTimeout
    const callTime = yield* DateTime.now
    const progress = yield* Effect.result(
      whileCurrent(current, generator.poll(requestOf(current), current.job!)).pipe(
        Effect.timeoutOrElse({ duration: limit, orElse: timedOut(limit) }),
        Effect.tap(check)
      )
    )
    if (progress._tag === "Failure") {
      return progress.failure._tag === "Superseded" ? done : yield* providerFailed(current, progress.failure, callTime)
    }
    const answer = progress.success
    return answer._tag === "Finished"
      ? yield* keep(current, answer)
      : yield* happened(current, { _tag: "Pending", pollAfter: answer.pollAfter })
  })

  const abandon = Effect.fnUntraced(function*(current: Generation) {
    yield* cancelJob(current, current.job!)
    yield* steps.abandoned(current)
    return done
  })

  const works = { Ask: ask, Look: look, Save: save, Abandon: abandon } as const

  /** Returns how the job ends. */
  return Effect.fn("GenerationRun")(function*(accountId: AccountId, id: GenerationId) {
    const taken = yield* steps.take(accountId, id)
    if (taken === undefined) return done
    const { current, to } = taken
    return yield* works[to._tag](current).pipe(
      // A job that ended while its generation is under way would leave that so for good.
      Effect.catchTag(
        "Superseded",
        () =>
          Effect.zipWith(
            steps.isCurrent(current),
            DateTime.now,
            (isCurrent, now) => isCurrent ? retry(DateTime.addDuration(now, storageRetryDelay)) : done
          )
      )
    )
  }, Effect.scoped)
})
