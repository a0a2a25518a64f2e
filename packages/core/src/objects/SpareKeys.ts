/**
 * Keys for new objects that are listed for deletion before anybody needs them, many by one transaction: of accounts that make objects
 * one after the other, so that few of those wait for a transaction of their own. A key that nobody takes is removed from the list
 * when its time comes.
 */
import { Duration } from "effect"
import type { ObjectAddress } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import { LruCache } from "../shared/LruCache.ts"

/** An account that has made so many objects within this time will make more. */
const busyCount = 8
const busyTime = Duration.toMillis("1 minute")

/** Keys that are listed ahead at once. */
const listedAhead = 32

/** Accounts that may have keys at the same time: further ones get none, so that no keys are listed in vain. */
const accountsMost = 2_000

/** Accounts whose new objects are counted, the last ones. */
const countedAccounts = 10_000

interface Made {
  count: number
  /** Millisecond in which they began to be counted. */
  readonly since: number
}

interface Listed {
  readonly objects: Array<ObjectAddress>
  /** Millisecond from which they are not taken any more. */
  readonly until: number
}

export class SpareKeys {
  /** From those whose time ends first. */
  readonly #listed = new Map<AccountId, Listed>()
  readonly #made = new LruCache<AccountId, Made>(countedAccounts)

  /** An object of the account that is listed already. Nobody else gets it. */
  take(accountId: AccountId, now: number): ObjectAddress | undefined {
    const listed = this.#listed.get(accountId)
    return listed !== undefined && now < listed.until ? listed.objects.pop() : undefined
  }

  /** How many keys to list ahead while `count` objects are announced. */
  wanted(accountId: AccountId, count: number, now: number): number {
    const known = this.#made.get(accountId)
    const made = known !== undefined && now - known.since < busyTime ? known : { count: 0, since: now }
    made.count += count
    this.#made.set(accountId, made, 1)
    if (made.count < busyCount) return 0
    for (const [id, { objects, until }] of this.#listed) {
      if (until > now && objects.length > 0) break
      this.#listed.delete(id)
    }
    return this.#listed.size < accountsMost || this.#listed.has(accountId) ? listedAhead : 0
  }

  /** Keeps keys that were listed. Those that are left of earlier ones are not used any more. */
  add(accountId: AccountId, objects: ReadonlyArray<ObjectAddress>, until: number): void {
    this.#listed.delete(accountId)
    this.#listed.set(accountId, { objects: [...objects], until })
  }

  /** Forgets the account's keys: one of them was not on the list, so the others may not be either. */
  drop(accountId: AccountId): void {
    this.#listed.delete(accountId)
  }
}
