/**
 * A process that runs a drive's jobs until it is killed:
 * `node WorkerProcess.ts <database url> <schema> <storage directory>`. Prints `working` when it is up.
 */
import { Database, DatabaseSchema, JobsWorker, LeaseLifetime } from "@filedrive/core"
import { Duration, Effect, Layer } from "effect"
import * as Postgres from "../src/database/Postgres.ts"
import { printLine } from "./printLine.ts"
import { driveOn } from "./WorkerDrive.ts"

const [url, schema, root] = process.argv.slice(2) as [string, string, string]

const drive = JobsWorker.layer.pipe(
  Layer.provideMerge(driveOn(root)),
  Layer.provideMerge(Database.layer),
  Layer.provideMerge(Postgres.layer({ url })),
  Layer.provide(Layer.mergeAll(
    Layer.succeed(DatabaseSchema, schema),
    Layer.succeed(LeaseLifetime, Duration.seconds(3))
  ))
)

const work = Effect.andThen(Effect.sync(() => printLine("working")), Effect.never)

await Effect.runPromise(Effect.provide(work, drive))
