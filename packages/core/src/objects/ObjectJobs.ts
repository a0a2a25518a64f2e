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
  description: "Compares the marks of storage and database, and advances them.",
  interval: Duration.hours(1)
})

/** A service of files handles it: objects know nothing of files. */
export const movedBytesJob = Job.define("storage.moved", {
  description: "Copies misplaced bytes of files to the places that the database names.",
  when: "when storage and database turn out to be of different times",
  key: Job.noKey,
  concurrency: 1
})
