/** How long accounts have had places recently: this decides which is next, and whose work is preempted. */

/** An account's use at a moment, in milliseconds. */
interface Used {
  readonly millis: number
  readonly at: number
}

export type AccountUse = ReadonlyMap<string, Used>

export const none: AccountUse = new Map()

/** Half-life of the use: an account that has waited for a few minutes is treated like a new one. */
const halfLifeMillis = 60_000
/** After which nothing of it is kept. */
const keptMillis = 10 * halfLifeMillis

const decayed = ({ at, millis }: Used, now: number): number => millis * 2 ** (-Math.max(now - at, 0) / halfLifeMillis)

export const of = (use: AccountUse, account: string, now: number): number => {
  const used = use.get(account)
  return used === undefined ? 0 : decayed(used, now)
}

/** With so many milliseconds more of an account. */
export const add = (use: AccountUse, account: string, millis: number, now: number): AccountUse => {
  const next = new Map(use)
  const used = of(use, account, now) + Math.max(millis, 0)
  // The account that was added last is last, so entries that are too old are in front.
  next.delete(account)
  for (const [oldest, { at }] of next) {
    if (at >= now - keptMillis) break
    next.delete(oldest)
  }
  return next.set(account, { millis: used, at: now })
}
