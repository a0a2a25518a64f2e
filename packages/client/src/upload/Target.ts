/** Where files are uploaded to: the drive of a user, or a delivery to a file request. */
import type { DriveJson, FileRecord } from "../generated/DriveCalls.ts"

/** A file as it is announced. */
export interface Announced {
  /** The sender's own name of it: a part of the object key, or the key in a delivery. */
  readonly key: string
  readonly type: FileRecord["type"]
  readonly fileName: string
  readonly fileSize: number
  readonly mimeType?: string
}

/** What is set once the file is there. */
export interface Placement {
  readonly folder?: string | undefined
  readonly folderId?: string | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  readonly description?: string | undefined
}

export interface Target {
  /** What tells it from other targets, for records. */
  readonly name: (signal: AbortSignal) => Promise<string>
  readonly form: (file: Announced, signal: AbortSignal) => Promise<DriveJson["generateFileUrls"]["answer"]>
  readonly cancelForm: (file: Announced) => Promise<{ readonly cancelled: boolean } | void>
  readonly open: (file: Announced, signal: AbortSignal) => Promise<DriveJson["createMultipartUpload"]["answer"]>
  readonly sign: (
    token: string,
    partNumbers: ReadonlyArray<number>,
    signal: AbortSignal
  ) => Promise<DriveJson["signUploadParts"]["answer"]>
  readonly complete: (token: string, signal: AbortSignal) => Promise<unknown>
  readonly abort: (token: string) => Promise<{ readonly aborted: boolean }>
  /** The file, with the name that the drive keeps, which an older drive does not tell. */
  readonly insert: (file: Announced) => Promise<{ readonly id: string; readonly fileName?: string }>
  /** Fails when `place` would, for whichever file: so nothing is sent that can't be put where it belongs. */
  readonly check: (placement: Placement) => Promise<unknown>
  readonly place: (id: string, placement: Placement) => Promise<void>
  /** Takes a file back that came in although it was cancelled. */
  readonly remove: (id: string) => Promise<unknown>
}
