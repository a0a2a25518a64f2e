/** A drive on the embedded database, started again after its process was killed. */
import { assert, describe, it } from "@effect/vitest"
import { Database, JobsWorker } from "@filedrive/core"
import { DateTime, Effect, Layer } from "effect"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { driveLayer } from "../../src/DriveLayer.ts"

describe("a drive on the embedded database", () => {
  it.live("JOB-52 continues at its start the jobs of a killed process", () =>
    Effect.gen(function*() {
      const dataDirectory = yield* Effect.acquireRelease(
        Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "filedrive-leases-"))),
        (directory) => Effect.promise(() => fs.rm(directory, { recursive: true }))
      )
      const options = { dataDirectory, runJobs: false, agent: false, log: "off" } as const
      const drive = () => Layer.fresh(driveLayer(options, "http://127.0.0.1:4500"))
      const leased = Database.use(({ sql, tables: t }) =>
        sql<{ readonly leased: number }>`SELECT count(lease)::int AS leased FROM ${t.jobs}`
      )
      // As a process that is killed leaves them.
      yield* Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        yield* JobsWorker.use((worker) => worker.runDue)
        const end = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, "30 seconds"))
        yield* sql`UPDATE ${t.jobs} SET lease = gen_random_uuid(), run_time = ${end}`
        assert.isAbove((yield* leased)[0]!.leased, 0)
      }).pipe(Effect.provide(drive()))
      yield* Effect.gen(function*() {
        assert.isAbove(yield* JobsWorker.use((worker) => worker.runDue), 0)
        assert.strictEqual((yield* leased)[0]!.leased, 0)
      }).pipe(Effect.provide(drive()))
    }).pipe(Effect.scoped), 60_000)
})
