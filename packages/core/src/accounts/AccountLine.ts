/** The queue of changes that wait for an account, and which of them are made next. */
import { type Cause, Context, type Deferred, type Effect, type Result, type Semaphore } from "effect"
import { Background } from "../database/Background.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { Balance } from "./Balance.ts"
import type { HeldAccount } from "./HeldAccount.ts"

/** A caller's change. It runs in a transaction that has locked the account. */
export type Work<A, E, R> = (held: HeldAccount) => Effect.Effect<A, E, R>

/**
 * Changes of one kind that are made together by the same statements, so that many callers cost little more than one. An invalid
 * one has its own result. When all of them fail together, they are made again one by one.
 */
export interface Batch<in out In, out A, out E, out R> {
  /** The most changes that are made together. */
  readonly most: number
  /** Two changes with the same key are not made together. */
  readonly keyOf: (item: In) => string
  /** Only changes that are alike are made together. */
  readonly isAlike: (one: In, other: In) => boolean
  /**
   * Makes the changes in this order, in a transaction that has locked the account, and returns their results in the same order.
   * When it fails, nothing of any of them is kept.
   */
  readonly run: (
    accountId: AccountId,
    items: ReadonlyArray<In>,
    balance: Balance
  ) => Effect.Effect<ReadonlyArray<Result.Result<A, E>>, E, R>
}

/** A change that is made alone, or one of a batch. */
export type Change<A, E, R> =
  | { readonly work: Work<A, E, R> }
  | { readonly batch: Batch<unknown, A, E, R>; readonly item: unknown; readonly isAlone: boolean }

/** A change that may share a transaction, with its caller's context. */
export interface Shared {
  readonly change: Change<unknown, unknown, never>
  readonly context: Context.Context<never>
  readonly number: number
  readonly answer: Deferred.Deferred<unknown, unknown>
}

/** The callers that wait for an account. */
export interface Line {
  readonly turn: Semaphore.Semaphore
  readonly shared: Array<Shared>
  /** Whether a fiber is making the changes that share transactions. */
  isLed: boolean
  /** How many callers and fibers use this queue. It is removed when the number is 0. */
  users: number
  /** Callers with a number up to this one fail, because the database is away. */
  refused: { readonly upTo: number; readonly cause: Cause.Cause<never> } | undefined
}

/** Whether two changes may share a transaction: the purpose of their writes and their precedence are the same. */
export const isAlike = (one: Shared, other: Shared): boolean =>
  Context.get(one.context, WritePurpose.WritePurpose) === Context.get(other.context, WritePurpose.WritePurpose)
  && Context.get(one.context, Background) === Context.get(other.context, Background)

/** Takes the first change from the queue if `isNext` accepts it, and the changes that are made together with it. Empty when it doesn't. */
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
