/** Jobs that run when a test says so, one after the other: what is due at the test's time. */
import { Context, DateTime, Effect, type Exit, Layer } from "effect"
import { type Job, type JobOutcome, Jobs } from "../src/jobs/Jobs.ts"

interface Waiting {
  readonly kind: string
  readonly key: string
  readonly time: DateTime.Utc
  /** Failures so far. */
  readonly failures: number
}

export class ManualJobs extends Context.Service<ManualJobs, {
  /** Runs each job that is due once and returns how it ended; one that failed waits again. */
  readonly runDue: Effect.Effect<ReadonlyArray<Job & { readonly exit: Exit.Exit<JobOutcome, unknown> }>>
  readonly waiting: Effect.Effect<ReadonlyArray<Waiting>>
}>()("@filedrive/core/test/ManualJobs") {
  static readonly layer: Layer.Layer<Jobs | ManualJobs> = Layer.effectContext(Effect.sync(() => {
    const handlers = new Map<string, (job: Job) => Effect.Effect<JobOutcome, unknown>>()
    const waiting = new Map<string, Waiting>()
    const ask = (job: Waiting) => {
      const id = `${job.kind} ${job.key}`
      const before = waiting.get(id)
      if (before === undefined || DateTime.isLessThan(job.time, before.time)) waiting.set(id, job)
    }

    const jobs = Jobs.of({
      enqueue: ({ key, kind, time }) =>
        Effect.map(DateTime.now, (now) => ask({ kind, key, time: time ?? now, failures: 0 })),
      enqueueAll: ({ keys, kind }) =>
        Effect.map(DateTime.now, (time) => {
          for (const key of keys) ask({ kind, key, time, failures: 0 })
        }),
      start: ({ key, kind }) => Effect.map(DateTime.now, (time) => ask({ kind, key, time, failures: 0 })),
      hasRoom: () => Effect.succeed(false),
      cancel: (kind, key) => Effect.sync(() => void waiting.delete(`${kind} ${key}`)),
      handle: (kind, handler) => Effect.sync(() => void handlers.set(kind, handler)),
      every: () => Effect.void
    })

    const runDue = Effect.gen(function*() {
      const now = yield* DateTime.now
      const due = [...waiting].filter(([, { time }]) => DateTime.isLessThanOrEqualTo(time, now))
      for (const [id] of due) waiting.delete(id)
      return yield* Effect.forEach(due, ([, { failures, key, kind, time }]) =>
        Effect.gen(function*() {
          const job = { kind, key, attempt: failures + 1 }
          const exit = yield* Effect.exit(handlers.get(kind)!(job))
          if (exit._tag === "Failure") ask({ kind, key, time, failures: failures + 1 })
          else if (exit.value._tag === "Retry") ask({ kind, key, time: exit.value.time, failures: 0 })
          else if (exit.value._tag === "Yield") ask({ kind, key, time: yield* DateTime.now, failures: 0 })
          else if (exit.value._tag === "BackOff") ask({ kind, key, time, failures: failures + 1 })
          return { ...job, exit }
        }))
    })

    return Context.make(Jobs, jobs).pipe(
      Context.add(ManualJobs, ManualJobs.of({ runDue, waiting: Effect.sync(() => [...waiting.values()]) }))
    )
  }))
}
