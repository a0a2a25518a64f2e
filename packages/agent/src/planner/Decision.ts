/** What the planner wants next. */

/** A call of a tool by its name. */
export interface ToolCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Something that an answer names, which people may want to open. */
export interface Link {
  readonly kind: "file" | "folder" | "playlist" | "gallery" | "request" | "review" | "archive" | "image" | "import"
  readonly id: string
  readonly name: string
  /** Where it is opened, when that is known. */
  readonly url: string | null
}

/** Make these calls, in this order, and decide again with their results. */
export interface Call {
  readonly _tag: "Call"
  readonly calls: ReadonlyArray<ToolCall>
}

/** The task is done. */
export interface Reply {
  readonly _tag: "Reply"
  readonly text: string
  readonly links: ReadonlyArray<Link>
}

/** The task can't go on without an answer; the next message of the conversation brings it. */
export interface Ask {
  readonly _tag: "Ask"
  readonly text: string
  /** What may be chosen from, as shown to people; empty for a free answer. */
  readonly choices: ReadonlyArray<string>
}

export type Decision = Call | Reply | Ask
