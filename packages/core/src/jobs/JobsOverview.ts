/** An overview of the jobs for operators. */
import { Context, Effect, Layer } from "effect"
import type { FailingJob, JobCounts } from "./JobCounts.ts"
import { JobsRepo } from "./JobsRepo.ts"

export class JobsOverview extends Context.Service<JobsOverview, {
  /** How many jobs of each kind wait, run and fail, in all processes. */
  readonly counts: Effect.Effect<ReadonlyArray<JobCounts>>
  /** The jobs that failed most often, with their last error; at most `limit`. */
  readonly failing: (limit: number) => Effect.Effect<ReadonlyArray<FailingJob>>
}>()("@filedrive/core/jobs/JobsOverview") {
  static readonly layer = Layer.effect(
    JobsOverview,
    Effect.map(JobsRepo, ({ counts, failing }) => JobsOverview.of({ counts, failing }))
  ).pipe(Layer.provide(JobsRepo.layer))
}
