/** What is measured against what, and the table of it. */

export interface Row {
  readonly what: string
  /** The drive's figure, with its unit. */
  readonly own: string
  /** What it is held against, with its figure. */
  readonly against: string
  /** How it compares, or the figure itself where the target is one. */
  readonly result: string
  readonly target: string
  readonly met: boolean
}

/** A comparison in which a larger factor is better. */
export const atLeast = (
  target: number,
  row: Omit<Row, "result" | "target" | "met"> & { readonly factor: number }
): Row => {
  const { factor, ...rest } = row
  return { ...rest, result: times(factor), target: `at least ${target}x`, met: factor >= target }
}

/** A comparison in which a smaller factor is better. */
export const atMost = (
  target: number,
  row: Omit<Row, "result" | "target" | "met"> & { readonly factor: number }
): Row => {
  const { factor, ...rest } = row
  return { ...rest, result: times(factor), target: `at most ${target}x`, met: factor <= target }
}

const times = (factor: number) => `${factor >= 20 ? factor.toFixed(0) : factor.toFixed(2)}x`

/** A row for what could not be measured here. */
export interface Missing {
  readonly what: string
  readonly because: string
}

export type Outcome = Row | Missing

/** The outcomes as a table of Markdown. */
export const table = (outcomes: ReadonlyArray<Outcome>): string => {
  const lines = outcomes.map((outcome) =>
    "because" in outcome
      ? [outcome.what, "", outcome.because, "", "", "not compared"]
      : [outcome.what, outcome.own, outcome.against, outcome.result, outcome.target, outcome.met ? "PASS" : "short"]
  )
  const rows = [["what", "drive", "against", "result", "target", ""], ...lines]
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)))
  const written = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`)
  return [written[0], `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...written.slice(1)].join("\n")
}
