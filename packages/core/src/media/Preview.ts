/** What is known of the preview of a file. */
import type { ObjectAddress } from "../ports/ObjectStore.ts"

/** `none`: browsers play the file itself, or nothing can play it, or nobody has asked for a preview yet. */
export type PreviewStatus = "none" | "working" | "done" | "failed"

export interface Preview {
  readonly status: PreviewStatus
  /** How much of it is made, 0 to 1. It never goes back. */
  readonly progress: number
  /** Why it failed, as a sentence for people; null unless it did. */
  readonly error: string | null
  /** What players open, once it is done. */
  readonly stream: { readonly at: ObjectAddress; readonly mimeType: string; readonly sizeBytes: number } | null
}

/** A link that players open, by ranges. It is given anew by asking again. */
export interface StreamLink {
  readonly url: string
  readonly mimeType: string
  /** When it stops working. */
  readonly expireTime: Date
}
