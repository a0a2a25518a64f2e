/**
 * Kinds of jobs as values. A feature defines each of its kinds once, and the value enqueues, cancels and handles it:
 *
 * ```ts
 * export const archiveBuildJob = Job.define("archive.build", {
 *   description: "Builds an archive, part by part.",
 *   when: "when requested",
 *   key: Job.key({ accountId: AccountId, id: ArchiveId }),
 *   concurrency: 2
 * })
 *
 * yield* archiveBuildJob.enqueue({ accountId, id })
 * yield* archiveBuildJob.handle(({ accountId, id }) => build(accountId, id))
 * ```
 *
 * Kinds and keys are strings in the databases of today. A key that is encoded otherwise than before leaves jobs behind which
 * nothing can run, so the encoding of a kind never changes.
 */
import { Cause, Data, type DateTime, Duration, Effect, Result, Schema, SchemaTransformation, type Scope } from "effect"
import * as FieldIssue from "../shared/FieldIssue.ts"
import {
  backOff,
  defaultConcurrency,
  type Job as QueuedJob,
  type JobHandlerOptions,
  type JobOutcome,
  Jobs
} from "./Jobs.ts"

/** The description of a kind without its key: for lists, and the table of docs/design.md. */
export interface Kind {
  readonly kind: string
  /** What it does, as a sentence. */
  readonly description: string
  /** When it runs. */
  readonly when: string
  /** How many of them one process runs at once: a number, or in words what the host decides it by. */
  readonly concurrency: number | string
  /** How many of these may be one account's; null: all. */
  readonly concurrencyOfAccount: number | string | null
}

/** A kind's jobs with the service given once: for services that enqueue on their callers' behalf. */
export interface Queue<Key> {
  /** As {@link Jobs}' `enqueue`: now when `time` is left out, and joins the caller's transaction. */
  readonly enqueue: (key: Key, time?: DateTime.Utc) => Effect.Effect<void>
  readonly enqueueAll: (keys: ReadonlyArray<Key>) => Effect.Effect<void>
  /** As {@link Jobs}' `start`. */
  readonly start: (key: Key, ready?: unknown) => Effect.Effect<void>
  readonly hasRoom: (key: Key) => Effect.Effect<boolean>
  readonly cancel: (key: Key) => Effect.Effect<void>
}

export interface Definition<Key> extends Kind {
  readonly key: Schema.Codec<Key, string>
  readonly queue: Effect.Effect<Queue<Key>, never, Jobs>
  readonly enqueue: (key: Key, time?: DateTime.Utc) => Effect.Effect<void, never, Jobs>
  readonly enqueueAll: (keys: ReadonlyArray<Key>) => Effect.Effect<void, never, Jobs>
  readonly cancel: (key: Key) => Effect.Effect<void, never, Jobs>
  /**
   * Names the handler while the scope is open. A job whose key it can't read backs off, with {@link InvalidJobKey}.
   * `options` are for what the host decides.
   */
  readonly handle: <E>(
    run: (key: Key, job: QueuedJob) => Effect.Effect<JobOutcome, E>,
    options?: JobHandlerOptions
  ) => Effect.Effect<void, never, Jobs | Scope.Scope>
}

/** Work that runs by itself, once an interval, in one process of all. */
export interface Recurring extends Kind {
  readonly interval: Duration.Duration
  readonly handle: <E>(work: Effect.Effect<void, E>) => Effect.Effect<void, never, Jobs | Scope.Scope>
}

/** A job in the database has a key that its kind doesn't have: another version of the drive wrote it. */
export class InvalidJobKey extends Data.TaggedError("InvalidJobKey")<{
  readonly kind: string
  readonly key: string
  readonly because: string
}> {
  override get message(): string {
    return `The key "${this.key}" is not valid for jobs of the kind ${this.kind}: ${this.because}`
  }
}

/** Several parts, joined by `/`. A job of an account begins with its id. */
export const key = <const Fields extends Readonly<Record<string, Schema.Codec<string>>>>(
  fields: Fields
): Schema.Codec<{ readonly [Name in keyof Fields]: Fields[Name]["Type"] }, string> => {
  const names = Object.keys(fields)
  return Schema.String.pipe(
    // Each part is present once: a key with one too few or too many is not valid.
    Schema.check(
      Schema.makeFilter((text: string) =>
        text.split("/").length === names.length || `must have the parts ${names.join("/")}`
      )
    ),
    Schema.decodeTo(
      Schema.Struct(fields) as Schema.Codec<any, Record<string, string>>,
      SchemaTransformation.transform({
        decode: (text: string) => Object.fromEntries(text.split("/").map((part, at) => [names[at]!, part])),
        encode: (parts: Record<string, string>) => names.map((name) => parts[name]).join("/")
      })
    )
  )
}

/** Of a kind of which there is one job at most. */
export const noKey = Schema.Literal("")

export const define = <Key>(kind: string, options: {
  readonly description: string
  readonly when: string
  readonly key: Schema.Codec<Key, string>
  /** Default: {@link defaultConcurrency}. In words: the host decides, and the handler's options say how. */
  readonly concurrency?: number | string
  readonly concurrencyOfAccount?: number | string
}): Definition<Key> => {
  const { concurrency = defaultConcurrency, concurrencyOfAccount = null, description, when } = options
  const encode = Schema.encodeSync(options.key)
  const decode = Schema.decodeResult(options.key)

  const queueOf = (jobs: Jobs["Service"]): Queue<Key> => ({
    enqueue: (key, time) => jobs.enqueue({ kind, key: encode(key), ...time !== undefined && { time } }),
    enqueueAll: (keys) => jobs.enqueueAll({ kind, keys: keys.map((key) => encode(key)) }),
    start: (key, ready) => jobs.start({ kind, key: encode(key), ready }),
    hasRoom: (key) => jobs.hasRoom(kind, encode(key)),
    cancel: (key) => jobs.cancel(kind, encode(key))
  })

  const defined: JobHandlerOptions = {
    ...typeof concurrency === "number" && { concurrency },
    ...typeof concurrencyOfAccount === "number" && { concurrencyOfAccount }
  }

  return {
    kind,
    description,
    when,
    concurrency,
    concurrencyOfAccount,
    key: options.key,
    queue: Jobs.useSync(queueOf),
    enqueue: (key, time) => Jobs.use((jobs) => queueOf(jobs).enqueue(key, time)),
    enqueueAll: (keys) => Jobs.use((jobs) => queueOf(jobs).enqueueAll(keys)),
    cancel: (key) => Jobs.use((jobs) => queueOf(jobs).cancel(key)),
    handle: (run, given) =>
      Jobs.use((jobs) =>
        jobs.handle(kind, (job) => {
          const decoded = decode(job.key)
          if (Result.isSuccess(decoded)) return run(decoded.success, job)
          const because = FieldIssue.sentence(FieldIssue.first(decoded.failure.issue), "it")
          return Effect.succeed(backOff(Cause.fail(new InvalidJobKey({ kind, key: job.key, because }))))
        }, { ...defined, ...given })
      )
  }
}

/** As a sentence continues: `hourly`, `every 6 hours`. */
const often = (interval: Duration.Duration): string => {
  const hours = Duration.toHours(interval)
  const common = new Map([[1, "hourly"], [24, "daily"], [24 * 7, "weekly"]])
  return common.get(hours) ?? `every ${hours} hours`
}

const later = (delay: Duration.Duration): string => {
  const hours = Duration.toHours(delay)
  return hours === 24 ? "a day" : hours === 1 ? "an hour" : `${hours} hours`
}

export const every = (kind: string, options: {
  readonly description: string
  readonly interval: Duration.Duration
  /** How long after a database is made the first run is due. Default: at once. */
  readonly firstAfter?: Duration.Duration
}): Recurring => {
  const { description, firstAfter, interval } = options
  const first = firstAfter === undefined ? "" : `, first ${later(firstAfter)} after a database is made`
  return {
    kind,
    description,
    when: `${often(interval)}${first}`,
    concurrency: 1,
    concurrencyOfAccount: null,
    interval,
    handle: (work) => Jobs.use((jobs) => jobs.every(kind, interval, work, firstAfter))
  }
}
