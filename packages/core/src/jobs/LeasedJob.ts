/** What a worker can claim, and what it has claimed. */

/** A job that a worker has claimed. */
export interface LeasedJob {
  readonly id: bigint
  readonly kind: string
  readonly key: string
  /** The part of the key before its first `/`. */
  readonly account: string
  readonly attempt: number
  readonly lease: string
}

/** How many more jobs of a kind a worker can run. */
export interface Capacity {
  readonly free: number
  /** Null: jobs are taken in the order in which they are due. */
  readonly turns: RoundRobin | null
}

/** How accounts take turns. */
export interface RoundRobin {
  readonly ofAccount: number
  /** The account that had its turn last. */
  readonly after: string
  /** How many jobs of each account this worker is running. */
  readonly running: ReadonlyMap<string, number>
}

/** The result of a poll. */
export interface Claim {
  readonly jobs: ReadonlyArray<LeasedJob>
  /** For each kind when the next of the others is due, or its lease ends. */
  readonly nextTimes: ReadonlyMap<string, Date>
  /** Of kinds whose accounts take turns: the account after which the next poll begins. */
  readonly turns: ReadonlyMap<string, string>
  /** Kinds whose accounts take turns, of which jobs have become due that do not wait for a turn yet. */
  readonly overdue: ReadonlyArray<string>
  /** The poll ended before it had visited every account, and more is due. */
  readonly isCut: boolean
}
