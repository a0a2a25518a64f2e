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

/** A preview as it is recorded. */
export interface PreviewRow {
  readonly status: PreviewStatus
  readonly progress: number
  readonly error: string | null
  readonly missingTool: string | null
  readonly runs: number
  readonly uploadKey: string | null
  readonly uploadId: string | null
  readonly updateTime: Date
}

/** How a run ended, or what is known without one. */
export interface PreviewEnd {
  readonly status: Exclude<PreviewStatus, "working">
  readonly error?: string
  readonly missingTool?: string
}
