/**
 * What a transaction knows of the account whose row it has locked: nobody else changes it meanwhile, so the counts are kept here
 * and saved once, at the end.
 */
import { Context, Effect, Exit } from "effect"
import type { AccountId } from "../shared/Ids.ts"
import { type Balance, nothing, plus } from "./Balance.ts"

export class HeldAccount {
  readonly accountId: AccountId
  /** As of now, with what the transaction has changed. */
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

  /** Runs `work`, and takes back what it has counted when it fails, as its savepoint does with its rows. */
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

  /** Hands what was counted since the last time to `save`; nothing when nothing was. */
  saving(save: (change: Balance) => Effect.Effect<void>): Effect.Effect<void> {
    return Effect.suspend(() => {
      const change = this.unsaved
      if (change.usedBytes === 0 && change.heldBytes === 0) return Effect.void
      this.unsaved = nothing
      return save(change)
    })
  }
}

/** Of the transaction that this runs in; undefined outside of `AccountTransaction.run`. */
export const CurrentlyHeld = Context.Reference<HeldAccount | undefined>(
  "@filedrive/core/accounts/HeldAccount/CurrentlyHeld",
  { defaultValue: () => undefined }
)
