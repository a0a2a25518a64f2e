/** Shared by the suites of the queue: processes on one database, and handlers that can be observed. */
import { Database, Jobs, JobsOverview, JobsSql, JobsWorker, PollInterval } from "@filedrive/core"
import { DateTime, Deferred, Duration, Effect, Layer, Queue, Ref } from "effect"
import { SecureRandom } from "effect/crypto"

export type Process = Jobs.Jobs | JobsWorker | JobsOverview

/** The jobs of one process: its queue, its handlers, and a worker that runs when told. */
export const process: Layer.Layer<Process, never, Database> = Layer.mergeAll(JobsWorker.layerManual, JobsOverview.layer)
  .pipe(
    Layer.provideMerge(JobsSql.layer),
    Layer.provide(SecureRandom.layerWebCrypto)
  )

/** Like {@link process}, but its worker runs by itself, and polls only on a signal. */
export const serving: Layer.Layer<Jobs.Jobs | JobsWorker, never, Database> = JobsWorker.layer.pipe(
  Layer.provideMerge(JobsSql.layer),
  Layer.provide(SecureRandom.layerWebCrypto),
  Layer.provide(Layer.succeed(PollInterval, Duration.days(1_000)))
)

/** A further process on the same database; it ends with the test. */
export const otherProcess = Layer.build(Layer.fresh(process))

export const kind = "letters"
export const enqueue = (key: string, time?: DateTime.Utc) =>
  Jobs.Jobs.use((jobs) => jobs.enqueue(time === undefined ? { kind, key } : { kind, key, time }))
export const handle = <E>(
  run: (job: Jobs.Job) => Effect.Effect<Jobs.JobOutcome, E>,
  options?: Jobs.JobHandlerOptions
) => Jobs.Jobs.use((jobs) => jobs.handle(kind, run, options))
export const runDue = JobsWorker.use((worker) => worker.runDue)
export const later = (time: Duration.Input) =>
  Effect.map(DateTime.now, (now) => DateTime.addDuration(now, Duration.fromInputUnsafe(time)))

/** Takes every job of {@link kind} away from the worker that runs it. */
export const stealLeases = Database.use(({ sql, tables: t }) =>
  Effect.orDie(sql`UPDATE ${t.jobs} SET lease = gen_random_uuid() WHERE kind = ${kind} AND lease IS NOT NULL`)
)

/** A handler that notes the keys it was run for. */
export const recorder = Effect.gen(function*() {
  const keys = yield* Ref.make<ReadonlyArray<string>>([])
  yield* handle(({ key }) => Effect.as(Ref.update(keys, (before) => [...before, key]), Jobs.done))
  return Ref.get(keys)
})

/** A handler that says when it has begun, and waits to be told to end. */
export const held = Effect.gen(function*() {
  const begun = yield* Queue.unbounded<Jobs.Job>()
  const mayEnd = yield* Deferred.make<void>()
  const stopped = yield* Deferred.make<void>()
  yield* handle((job) =>
    Queue.offer(begun, job).pipe(
      Effect.andThen(Deferred.await(mayEnd)),
      Effect.as(Jobs.done),
      Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
    )
  )
  return { begun, mayEnd, stopped }
})

/** Waits until the heartbeat that the clock has just set off has reached the database. */
export const leaseRenewed = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const end = (yield* DateTime.now).epochMilliseconds + 30_000
  const leaseEnds = sql<{ readonly end: Date }>`SELECT run_time AS "end" FROM ${t.jobs} WHERE kind = ${kind}`
  yield* Effect.repeat(leaseEnds, { until: (rows) => rows[0]!.end.getTime() === end })
})
