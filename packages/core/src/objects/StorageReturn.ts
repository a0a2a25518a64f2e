/**
 * Makes jobs that failed while storage was away run again as soon as it answers.
 *
 * A job that fails repeatedly waits ever longer, up to an hour. That is right for one object that storage refuses, and
 * wrong after an outage: a trashed file's public link would stay open for as long again. So this process remembers the jobs that
 * failed while storage could not be used at all, and enqueues them when storage answers. Jobs that a process that has ended since
 * remembered run after their delay.
 */
import { Duration, Effect, type Scope } from "effect"
import { Jobs } from "../jobs/Jobs.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"

/** How often storage is asked while it is away. */
const askInterval = Duration.seconds(5)

/** More jobs than these are not remembered. */
const rememberedMax = 10_000

interface WantedJob {
  readonly kind: string
  readonly key: string
}

/** Runs a job's work, and remembers the job if that failed because storage is away. */
export type StorageReturn = (job: WantedJob) => <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>

export const make: Effect.Effect<StorageReturn, never, Jobs | ObjectStore | Scope.Scope> = Effect.gen(function*() {
  const jobs = yield* Jobs
  const store = yield* ObjectStore
  const scope = yield* Effect.scope
  const remembered = new Map<string, WantedJob>()
  let isAsking = false

  // A store that is full accepts nothing, but it answers.
  const isAway = Effect.match(store.check, { onFailure: ({ code }) => code !== "no_space", onSuccess: () => false })

  const resume = Effect.gen(function*() {
    for (const [id, { key, kind }] of remembered) {
      yield* jobs.enqueue({ kind, key })
      remembered.delete(id)
    }
  }).pipe(
    Effect.catchCause((cause) => Effect.logWarning("Jobs that waited for storage could not be enqueued yet.", cause))
  )

  const askOnce = Effect.gen(function*() {
    yield* Effect.sleep(askInterval)
    if (!(yield* isAway)) yield* resume
  })

  const ask = askOnce.pipe(
    Effect.repeat({ while: () => remembered.size > 0 }),
    Effect.ensuring(Effect.sync(() => isAsking = false))
  )

  const remember = Effect.fnUntraced(function*({ key, kind }: WantedJob) {
    if (remembered.size >= rememberedMax || !(yield* isAway)) return
    remembered.set(`${kind} ${key}`, { kind, key })
    if (isAsking) return
    isAsking = true
    yield* Effect.forkIn(ask, scope)
  })

  return (job) => (work) => Effect.tapError(work, () => remember(job))
})
