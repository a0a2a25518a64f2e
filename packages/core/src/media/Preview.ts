/** What is known of the preview of a file. */
import type { StoredFile } from "../files/StoredFile.ts"
import type { Streams } from "../ports/MediaTools.ts"
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

/** What a player needs of a file, and links to it. */
export interface Shown {
  readonly preview: Omit<Preview, "stream">
  /** To what players open; null while there is nothing, or nothing yet. */
  readonly link: StreamLink | null
  /** To the peaks of its sound; null where there are none. */
  readonly peaksUrl: string | null
  /** Whether it is known how the file is encoded. */
  readonly isAnalysed: boolean
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

/** How a file is played. */
export interface PlayedFile {
  /** Its preview; undefined when none was ever asked for. */
  readonly row: Pick<PreviewRow, "status" | "progress" | "error" | "missingTool" | "updateTime"> | undefined
  /** Null: not known. */
  readonly streams: Streams | null
  /** The object of its preview. */
  readonly preview: Pick<StoredFile, "storeKey" | "mimeType" | "sizeBytes"> | null
  readonly peaksKey: StoredFile["storeKey"] | null
}

/** How a run ended, or what is known without one. */
export interface PreviewEnd {
  readonly status: Exclude<PreviewStatus, "working">
  readonly error?: string
  readonly missingTool?: string
}

/**
 * What is shown of a run that has made the share `made` of a preview. Shown progress never goes back; so one that follows a run that
 * was killed goes on from what was shown, and shares out the rest.
 */
export const progressOf = (shownBefore: number, made: number): number => shownBefore + (1 - shownBefore) * made
