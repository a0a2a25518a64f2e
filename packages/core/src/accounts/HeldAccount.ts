/**
 * The state of the account whose row a transaction has locked. Nobody else can change it meanwhile, so the counts are kept here
 * and saved once, at the end.
 */
import { Context, Effect, Exit } from "effect"
import type { AccountId } from "../shared/Ids.ts"
import { type Balance, nothing, plus } from "./Balance.ts"

export class HeldAccount {
  readonly accountId: AccountId
  /** The current counts, with the transaction's own changes. */
  balance: Balance
  private unsaved: Balance = nothing

  constructor(accountId: AccountId, balance: Balance) {
    this.accountId = accountId
    this.balance = balance
  }

  add(change: Balance): void {
    this.balance = plus(this.balance, change)
    this.unsaved = plus(this.unsaved, change)
  }

  /** Runs `work`. When it fails, the changes to the counts are undone, as its savepoint undoes those to rows. */
  keeping<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const { balance, unsaved } = this
      return Effect.onExit(work, (exit) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit)) return
          this.balance = balance
          this.unsaved = unsaved
        }))
    })
  }

  /** Passes what was counted since the last call to `save`; does nothing when nothing was counted. */
  saving(save: (change: Balance) => Effect.Effect<void>): Effect.Effect<void> {
    return Effect.suspend(() => {
      const change = this.unsaved
      if (change.usedBytes === 0 && change.heldBytes === 0) return Effect.void
      this.unsaved = nothing
      return save(change)
    })
  }
}

/** The account of the current transaction; undefined outside of `AccountTransaction.run`. */
export const CurrentlyHeld = Context.Reference<HeldAccount | undefined>(
  "@filedrive/core/accounts/HeldAccount/CurrentlyHeld",
  { defaultValue: () => undefined }
)
