/** Measuring several things side by side. */

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The value that `share` of the values do not pass. */
export const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!
}

/**
 * Runs every contender once a round, A B C A B C: a neighbour who takes the
 * machine for a while slows all of them alike. The first round warms up and is
 * thrown away.
 */
export const interleave = async <Name extends string, A>(
  rounds: number,
  contenders: Readonly<Record<Name, (round: number) => Promise<A> | A>>
): Promise<Readonly<Record<Name, ReadonlyArray<A>>>> => {
  const names = Object.keys(contenders) as Array<Name>
  const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Array<A>>
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const figure = await contenders[name](round)
      if (round > 0) measured[name].push(figure)
    }
  }
  return measured
}

/** The median of how much larger `a` was than `b` in the same round. */
export const ratio = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number =>
  median(a.map((value, round) => value / b[round]!))

/** Seconds that `work` takes. */
export const seconds = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}
