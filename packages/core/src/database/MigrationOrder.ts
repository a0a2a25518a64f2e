/**
 * One numbering of migrations through all features. A database takes the steps above the highest number that it has had, so
 * one that is added below that number is never taken by databases that exist, and nothing tells: such a list is refused.
 */

export interface NumberedSteps<Step> {
  /** The feature whose steps they are. */
  readonly name: string
  /** By number and name: `0031_notes`. */
  readonly migrations?: Readonly<Record<string, Step>>
}

/** Numbers that no step had when their time was. They stay free: databases are past them. */
const skipped: ReadonlySet<number> = new Set([11, 15, 16, 21, 22, 25])

/**
 * The steps of all, oldest first. Throws when two have the same number, when one has a number that databases are past, and when
 * one leaves numbers out; the sentence names both steps with their features, and the next free number.
 */
export const ordered = <Step>(all: ReadonlyArray<NumberedSteps<Step>>): Readonly<Record<string, Step>> => {
  const steps = all
    .flatMap(({ migrations = {}, name: feature }) =>
      Object.entries(migrations).map(([name, step]) => ({ feature, name, number: Number.parseInt(name, 10), step }))
    )
    .sort((a, b) => a.number - b.number)
  const numbers = new Set(steps.map(({ number }) => number))
  const free = (from: number): number => numbers.has(from) || skipped.has(from) ? free(from + 1) : from
  const refuse = (flaw: string): never => {
    throw new Error(`${flaw} The next free number is ${String(free(1)).padStart(4, "0")}.`)
  }

  for (const [index, { feature, name, number }] of steps.entries()) {
    const before = steps[index - 1]
    if (before === undefined) continue
    const both = `The migrations ${before.name} (${before.feature}) and ${name} (${feature})`
    if (before.number === number) refuse(`${both} have the same number.`)
    if (skipped.has(before.number)) {
      refuse(`${both} are out of order: a database that has the second never takes the first.`)
    }
    if (free(before.number) < number) refuse(`${both} leave out a number between them.`)
  }
  return Object.fromEntries(steps.map(({ name, step }) => [name, step]))
}
