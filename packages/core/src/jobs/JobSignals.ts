/** How processes that share a database tell each other of new jobs. */
import { Context, Duration, Stream } from "effect"

/** Channel of the database that a new job is announced on; the payload is the schema our tables are in. */
export const jobsChannel = "filedrive_jobs"

/**
 * Payloads heard on {@link jobsChannel}. A database that can notify provides
 * it; without one a worker learns of other processes' jobs by polling.
 */
export const WakeUps = Context.Reference<Stream.Stream<string>>("@filedrive/core/jobs/WakeUps", {
  defaultValue: () => Stream.never
})

/** How often a worker polls for jobs without a signal. */
export const PollInterval = Context.Reference<Duration.Duration>("@filedrive/core/jobs/PollInterval", {
  defaultValue: () => Duration.seconds(5)
})

/** How long a dead worker keeps its job. The clocks of two processes differ by much less, since they go by the database's. */
export const LeaseLifetime = Context.Reference<Duration.Duration>("@filedrive/core/jobs/LeaseLifetime", {
  defaultValue: () => Duration.seconds(30)
})
