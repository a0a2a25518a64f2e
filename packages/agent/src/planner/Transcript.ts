/** What the planner knows: a conversation so far, with everything that was called and what came of it. */

/** Why a call failed, in the drive's own words. */
export interface ToolFailure {
  /** A sentence for people. */
  readonly error: string
  /** The drive's code, like `not_found`. */
  readonly code?: string | undefined
}

/** A call that was made. It has a result or a failure. */
export interface MadeCall {
  /** The tool, like `search_files`. */
  readonly name: string
  readonly args: unknown
  readonly result?: unknown
  readonly failure?: ToolFailure | undefined
}

/** A file (`raw`) or a link (`url`) that came with a message. */
export interface Part {
  readonly kind: "raw" | "url"
  /** The file's name, or the link. */
  readonly name: string
  /** Its place in the message, as `save_part` and `import_part` take it. Default: its place among these parts. */
  readonly index?: number | undefined
}

/** A message of the user with what was done for it. */
export interface Turn {
  readonly userText: string
  readonly parts: ReadonlyArray<Part>
  /** In the order in which they were decided. */
  readonly calls: ReadonlyArray<MadeCall>
  /** What was answered; empty while the turn is under way. */
  readonly reply: string
}

export interface Transcript {
  /** Finished turns of the conversation, oldest first. */
  readonly earlier: ReadonlyArray<Turn>
  readonly present: Turn
}
