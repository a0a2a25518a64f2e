/**
 * The state of the account whose row a transaction has locked. Nobody else can change it meanwhile, so the counts are kept here
 * and saved once, at the end.
 */
import { Context, Effect, Exit } from "effect"
import type { AccountId } from "../shared/Ids.ts"
import { type Balance, nothing, plus } from "./Balance.ts"

/** How many tasks of the agent's an account has: at work or about to be, and waiting for something. */
export interface TaskCounts {
  readonly active: number
  readonly waiting: number
}

export const noTasks: TaskCounts = { active: 0, waiting: 0 }

const plusTasks = (one: TaskCounts, other: TaskCounts): TaskCounts => ({
  active: one.active + other.active,
  waiting: one.waiting + other.waiting
})

export class HeldAccount {
  readonly accountId: AccountId
  /** The current counts, with the transaction's own changes. */
  balance: Balance
  private unsaved: Balance = nothing
  private unsavedTasks: TaskCounts = noTasks
  /** The current counts, with the transaction's own changes. */
  tasks: TaskCounts
  /** At the transaction's start, with what it has added. What it takes away stays counted here. */
  mostTasks: TaskCounts

  constructor(accountId: AccountId, balance: Balance, tasks: TaskCounts) {
    this.accountId = accountId
    this.balance = balance
    this.tasks = tasks
    this.mostTasks = tasks
  }

  add(change: Balance): void {
    this.balance = plus(this.balance, change)
    this.unsaved = plus(this.unsaved, change)
  }

  addTasks({ active, waiting }: TaskCounts): void {
    this.tasks = plusTasks(this.tasks, { active, waiting })
    this.mostTasks = plusTasks(this.mostTasks, { active: Math.max(active, 0), waiting: Math.max(waiting, 0) })
    this.unsavedTasks = plusTasks(this.unsavedTasks, { active, waiting })
  }

  /** Runs `work`. When it fails, the changes to the counts are undone, as its savepoint undoes those to rows. */
  keeping<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const { balance, mostTasks, tasks, unsaved, unsavedTasks } = this
      return Effect.onExit(work, (exit) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit)) return
          this.balance = balance
          this.unsaved = unsaved
          this.tasks = tasks
          this.mostTasks = mostTasks
          this.unsavedTasks = unsavedTasks
        }))
    })
  }

  /** Passes what was counted since the last call to `save`; does nothing when nothing was counted. */
  saving(save: (change: Balance, tasks: TaskCounts) => Effect.Effect<void>): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { unsaved: change, unsavedTasks: tasks } = this
      const areTasksSame = tasks.active === 0 && tasks.waiting === 0
      if (change.usedBytes === 0 && change.heldBytes === 0 && areTasksSame) return Effect.void
      this.unsaved = nothing
      this.unsavedTasks = noTasks
      return save(change, tasks)
    })
  }
}

/** The account of the current transaction; undefined outside of `AccountTransaction.run`. */
export const CurrentlyHeld = Context.Reference<HeldAccount | undefined>(
  "@filedrive/core/accounts/HeldAccount/CurrentlyHeld",
  { defaultValue: () => undefined }
)
