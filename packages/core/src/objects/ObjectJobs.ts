/** Kinds of jobs that several services of stored objects enqueue. */
import { Duration } from "effect"
import * as Job from "../jobs/Job.ts"
import { AccountId } from "../shared/Ids.ts"

export const objectRemovalJob = Job.define("objects.remove", {
  description: "Removes an account's objects that are listed for deletion.",
  when: "when the next is due",
  key: AccountId
})

export const storageMarkJob = Job.every("storage.mark", {
  description: "Notes in storage how far the database is, and compares what was noted there.",
  interval: Duration.hours(1)
})

/** A files' service handles it: objects know nothing of files. */
export const movedBytesJob = Job.define("storage.moved", {
  description: "Copies files' bytes that lie at the other access back to where the database says they are.",
  when: "when storage and database turn out to be of different times",
  key: Job.noKey,
  concurrency: 1
})
