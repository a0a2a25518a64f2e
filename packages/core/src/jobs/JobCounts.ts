/** What an operator is told of the jobs. */

/** The jobs of one kind. */
export interface JobCounts {
  readonly kind: string
  readonly waiting: number
  readonly running: number
  /** Of the waiting, those whose last run failed. */
  readonly failing: number
}

/** A job whose last run failed, and that will run again. */
export interface FailingJob {
  readonly kind: string
  readonly key: string
  readonly attempts: number
  readonly lastError: string
  readonly nextTime: Date
}
