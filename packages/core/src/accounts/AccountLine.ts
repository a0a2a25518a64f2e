/** Changes that wait for their turn at an account, and which of them are made next. */
import { type Cause, Context, type Deferred, type Effect, type Result, type Semaphore } from "effect"
import { Background } from "../database/Background.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { Balance } from "./Balance.ts"
import type { HeldAccount } from "./HeldAccount.ts"

/** The change of a caller: runs in a transaction that holds the account. */
export type Work<A, E, R> = (held: HeldAccount) => Effect.Effect<A, E, R>

/**
 * Changes of one kind that are made together, by statements over all of them: so many callers cost little more than one. What
 * is wrong with one of them is its own result; a failure of the whole has them made again one by one.
 */
export interface Batch<in out In, out A, out E, out R> {
  /** How many at most. */
  readonly most: number
  /** Two with the same key are not made together. */
  readonly keyOf: (item: In) => string
  /** Only those that are alike are made together. */
  readonly isAlike: (one: In, other: In) => boolean
  /**
   * Makes the changes in this order, in a transaction that holds the account, and returns their results in it. When it fails,
   * nothing of any of them is kept.
   */
  readonly run: (
    accountId: AccountId,
    items: ReadonlyArray<In>,
    balance: Balance
  ) => Effect.Effect<ReadonlyArray<Result.Result<A, E>>, E, R>
}

/** What a caller wants changed. */
export type Change<A, E, R> =
  | { readonly work: Work<A, E, R> }
  | { readonly batch: Batch<unknown, A, E, R>; readonly item: unknown; readonly isAlone: boolean }

/** A change that may share a transaction, with all that its caller provides. */
export interface Shared {
  readonly change: Change<unknown, unknown, never>
  readonly context: Context.Context<never>
  readonly number: number
  readonly answer: Deferred.Deferred<unknown, unknown>
}

/** Who waits at an account. */
export interface Line {
  readonly turn: Semaphore.Semaphore
  readonly shared: Array<Shared>
  /** Whether a fiber serves those who share. */
  isLed: boolean
  /** Callers and leaders that have to do with this line. */
  users: number
  /** Those with a number up to this one are told that the database is away. */
  refused: { readonly upTo: number; readonly cause: Cause.Cause<never> } | undefined
}

/** The same statements may follow each other in one transaction: what they may write, and behind whom they run, is the same. */
export const isAlike = (one: Shared, other: Shared): boolean =>
  Context.get(one.context, WritePurpose.WritePurpose) === Context.get(other.context, WritePurpose.WritePurpose)
  && Context.get(one.context, Background) === Context.get(other.context, Background)

/** The next of those who wait, if it is one that `isNext`, with those that one batch makes together with it. */
export const takeNext = (waiting: Array<Shared>, isNext: (shared: Shared) => boolean): ReadonlyArray<Shared> => {
  const [first] = waiting
  if (first === undefined || !isNext(first)) return []
  if (!("batch" in first.change) || first.change.isAlone) return waiting.splice(0, 1)
  const { batch, item } = first.change
  const keys = new Set<string>()
  const taken: Array<Shared> = []
  const left: Array<Shared> = []
  for (const shared of waiting) {
    const { change } = shared
    const isWith = taken.length < batch.most && "batch" in change && change.batch === batch && !change.isAlone
      && isAlike(first, shared) && batch.isAlike(item, change.item) && !keys.has(batch.keyOf(change.item))
    if (isWith) keys.add(batch.keyOf(change.item))
    ;(isWith ? taken : left).push(shared)
  }
  waiting.splice(0, waiting.length, ...left)
  return taken
}
