/** The doctor's finding on one thing. */

/** One thing that files are opened with. */
export interface Finding {
  readonly name: string
  /** What it is for. */
  readonly opens: string
  /** Its version and path, or null when it is missing or does not work. */
  readonly found: string | null
  /** What to do when it, or a part of it, is missing; null otherwise. */
  readonly advice: string | null
}
