/**
 * A process that begins generations and runs their jobs until it is killed:
 * `node GenerationsProcess.ts <postgres URL or directory of a database> <schema> <storage directory> <provider> <begin | finish>`.
 * Prints a line for each generation that it has begun. With `finish` it begins none, and when all have ended prints what is there.
 */
import {
  AccountsAdmin,
  CurrentAccount,
  Database,
  DatabaseSchema,
  Generations,
  ImageGenerator,
  JobsWorker,
  LeaseLifetime,
  migrate,
  ObjectStore,
  PollInterval
} from "@filedrive/core"
import { Duration, Effect, Layer, Option, Schedule, Stream } from "effect"
import * as Pglite from "../src/database/Pglite.ts"
import * as Postgres from "../src/database/Postgres.ts"
import { printLine } from "./printLine.ts"
import { driveOn } from "./WorkerDrive.ts"

const [place, schema, root, provider, mode] = process.argv.slice(2) as [string, string, string, string, string]

const ask = (path: string) =>
  Effect.tryPromise({
    try: async () => new Uint8Array(await (await fetch(`${provider}/${path}`)).arrayBuffer()),
    catch: (cause) => new ImageGenerator.ImageFailure({ reason: "unavailable", begun: true, retryAfter: null, cause })
  })

const finished = (bytes: Uint8Array): ImageGenerator.Finished => ({
  _tag: "Finished",
  image: { mimeType: "image/png", bytes }
})

/** One model answers its images at once, the other by a job that is looked at. */
const images = Layer.succeed(
  ImageGenerator.ImageGenerator,
  ImageGenerator.ImageGenerator.of({
    unavailable: () => Effect.succeed(null),
    submit: ({ generationId, model }) =>
      Effect.map(
        ask(`submit/${model}/${generationId}`),
        (bytes): ImageGenerator.Submission =>
          model === "gptImage2" ? finished(bytes) : { _tag: "Submitted", job: generationId }
      ),
    poll: (_, job) =>
      Effect.map(
        ask(`poll/${job}`),
        (bytes): ImageGenerator.Progress =>
          bytes.length === 0 ? { _tag: "Pending", pollAfter: Duration.millis(500) } : finished(bytes)
      ),
    cancel: () => Effect.void
  })
)

const database = place.startsWith("postgres:")
  ? Postgres.layer({ url: place })
  : Pglite.layer({ directory: place })

const drive = Layer.merge(JobsWorker.layer, AccountsAdmin.layer).pipe(
  Layer.provideMerge(driveOn(root, images)),
  Layer.provideMerge(Layer.effectDiscard(migrate)),
  Layer.provideMerge(Database.layer),
  Layer.provideMerge(database),
  Layer.provide(Layer.mergeAll(
    Layer.succeed(DatabaseSchema, schema),
    Layer.succeed(LeaseLifetime, Duration.seconds(2)),
    Layer.succeed(PollInterval, Duration.millis(500))
  ))
)

const user = Effect.gen(function*() {
  const admin = yield* AccountsAdmin
  yield* admin.create({ handle: "ada", plan: "pro" })
  const { id } = Option.getOrThrow(yield* admin.findByHandle("ada"))
  return { id, tokenId: null, limits: CurrentAccount.unlimited }
})

const begin = Effect.gen(function*() {
  const generations = yield* Generations
  for (let n = 0;; n++) {
    // No more than some of them are under way.
    const { generations: recent } = yield* generations.history({ limit: 10 })
    if (recent.filter(({ status }) => status === "working").length < 6) {
      const { id } = yield* generations.generate({ prompt: "a", model: n % 2 === 0 ? "gptImage2" : "flux2Pro" })
      printLine(id)
    }
    yield* Effect.sleep("20 millis")
  }
})

const finish = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const generations = yield* Generations
  const store = yield* ObjectStore.ObjectStore
  const working = sql`SELECT 1 FROM ${t.generations} WHERE end_time IS NULL`
  yield* Effect.repeat(working, { until: (rows) => rows.length === 0, schedule: Schedule.spaced("100 millis") })
  const states = yield* sql`
    SELECT g.id, g.state, g.code, f.size::int AS size,
      (SELECT count(*)::int FROM ${t.events} e WHERE e.generation_id = g.id AND e.kind = 'generation') AS events
    FROM ${t.generations} g LEFT JOIN ${t.files} f ON f.id = g.file_id ORDER BY g.id
  `
  // Jobs still make thumbnails: an object is known before it is made, and its row outlives it.
  const keys = (yield* Stream.runCollect(store.list("private", ""))).map(({ key }) => key)
  const known = yield* sql<{ readonly key: string }>`
    SELECT store_key AS key FROM ${t.files} UNION SELECT store_key FROM ${t.pending_deletions}
  `
  const knownKeys = new Set(["filedrive-mark", ...known.map(({ key }) => key)])
  const orphans = yield* Effect.filter(
    keys.filter((key) => !knownKeys.has(key)),
    (key) => Effect.map(store.head({ bucket: "private", key }), Option.isSome)
  )
  const files = yield* sql`SELECT 1 FROM ${t.files} WHERE derivative_of IS NULL`
  const fileEvents = yield* sql`SELECT 1 FROM ${t.events} WHERE kind = 'file'`
  const { used } = yield* generations.allowance
  printLine(JSON.stringify({
    states,
    used,
    files: files.length,
    fileEvents: fileEvents.length,
    orphans
  }))
})

const work = Effect.flatMap(
  user,
  (caller) =>
    (mode === "finish" ? Effect.orDie(finish) : Effect.orDie(begin)).pipe(
      Effect.provideService(CurrentAccount.CurrentAccount, caller)
    )
)

await Effect.runPromise(Effect.provide(work, drive))
