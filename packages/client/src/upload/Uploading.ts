/** What an upload works with. */
import type { Platform, Send, Source } from "../Platform.ts"
import type { Records } from "./Record.ts"
import type { Target } from "./Target.ts"
import type { InTurn } from "./Turns.ts"
import type { Upload, UploadedFile } from "./Upload.ts"

/** What uploads of one client share. */
export interface Uploading {
  readonly target: Target
  readonly send: Send
  readonly platform: Platform
  readonly records: Records
  readonly retries: number
  /** Whether a file's key is made of the file alone, so that no record is needed to go on with it. */
  readonly hasOwnKeys: boolean
  /** When a file may send its bytes. */
  readonly inTurn: InTurn
  /** Those that hold something of what the drive bounds. */
  readonly holding: Set<Upload>
  /** Waited for before a source is opened, each time: a queue opens a few of its files at once. */
  readonly room?: () => Promise<void>
}

/** What a queue with a name knows of a file: that it was sent, or how to keep that it is. */
export type Recall = (source: Source) => Promise<
  {
    readonly file: UploadedFile | undefined
    readonly keep: (file: UploadedFile) => Promise<void>
  } | undefined
>
