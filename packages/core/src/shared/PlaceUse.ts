/** How long groups have had places recently: this decides which is next, and whose work is preempted. */

/** A group's use at a moment, in milliseconds. */
interface Used {
  readonly millis: number
  readonly at: number
}

export type PlaceUse = ReadonlyMap<string, Used>

export const none: PlaceUse = new Map()

/** Half-life of the use: a group that has waited for a few minutes is treated like a new one. */
const halfLifeMillis = 60_000
/** After which nothing of it is kept. */
const keptMillis = 10 * halfLifeMillis
/** How many groups are remembered: those that used places last. */
const keptMax = 1_000

const decayed = ({ at, millis }: Used, now: number): number => millis * 2 ** (-Math.max(now - at, 0) / halfLifeMillis)

export const of = (use: PlaceUse, group: string, now: number): number => {
  const used = use.get(group)
  return used === undefined ? 0 : decayed(used, now)
}

/** With so many milliseconds more of a group. */
export const add = (use: PlaceUse, group: string, millis: number, now: number): PlaceUse => {
  const next = new Map(use)
  const used = of(use, group, now) + Math.max(millis, 0)
  // The group that was added last is last, so entries that are too old are in front.
  next.delete(group)
  for (const [oldest, { at }] of next) {
    if (at >= now - keptMillis && next.size < keptMax) break
    next.delete(oldest)
  }
  return next.set(group, { millis: used, at: now })
}
