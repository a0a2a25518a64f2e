/** What the doctor says of one thing. */

/** One thing that files are opened with. */
export interface Finding {
  readonly name: string
  /** What it is for. */
  readonly opens: string
  /** Its version and place, or null when it is not there or does not work. */
  readonly found: string | null
  /** What to do about what is missing; null when nothing is. */
  readonly advice: string | null
}
