/** The shape of a file's sound, as the drive made it: a list of the least and the greatest value of each of many equal stretches. */

const isShape = (value: unknown): value is ReadonlyArray<number> =>
  Array.isArray(value) && value.length >= 2 && value.every((one) => typeof one === "number" && Number.isFinite(one))

/** Null where what the link leads to is something else. */
export const parsePeaks = (value: unknown): ReadonlyArray<number> | null =>
  isShape(value) ? value.slice(0, value.length - value.length % 2) : null

/** How loud each of so many bars is, 0 to 1; the loudest of all is 1, so that quiet sound has a shape too. */
export const barsOf = (peaks: ReadonlyArray<number>, count: number): ReadonlyArray<number> => {
  const pairs = peaks.length / 2
  const bars = Array.from({ length: count }, (_, bar) => {
    const from = Math.floor(bar * pairs / count)
    const to = Math.max(from + 1, Math.floor((bar + 1) * pairs / count))
    let most = 0
    for (let at = from; at < to; at++) most = Math.max(most, Math.abs(peaks[2 * at]!), Math.abs(peaks[2 * at + 1]!))
    return most
  })
  const loudest = Math.max(0.02, ...bars)
  return bars.map((bar) => bar / loudest)
}
