/** Files shared with people. Contract: "Files", sharing with people. */
import { DateTime, Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"

/** The result of sharing or unsharing files. */
export interface SharingChange {
  /** Those of the files that are the caller's, each once and in the order asked. */
  readonly files: ReadonlyArray<FileId>
  /** Those that are not; nothing was done with them. */
  readonly skipped: ReadonlyArray<FileId>
  /** Pairs of a file and a user that changed; 0 when nothing changed. */
  readonly changed: number
}

/** A user a file is shared with. Names are null where the host knows none (or no longer). */
export interface SharedWith {
  readonly userId: AccountId
  readonly handle: string | null
  readonly displayName: string | null
  /** When it was shared with them. */
  readonly insertTime: string
}

export interface FileShares {
  readonly id: FileId
  /** First shared with, first. */
  readonly users: ReadonlyArray<SharedWith>
}

const { max, min } = Limits.sharedFilesPage

/** The requested page of the files that are shared with somebody. */
export const SharedFilesPage = Schema.Struct({
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max }))),
  cursor: Schema.optionalKey(Schema.String)
}).pipe(Schema.brand("SharedFilesPage"))
export type SharedFilesPage = typeof SharedFilesPage.Type

/** The last file of a page of files shared with somebody. */
export interface SharedPosition {
  readonly shareTime: Date
  readonly id: FileId
}

/** As a caller passes it back. */
export const formatCursor = ({ id, shareTime }: SharedPosition): string => `${shareTime.getTime()}.${id}`

/** Undefined for what {@link formatCursor} never wrote. */
export const parseCursor = (text: string): SharedPosition | undefined => {
  const [, millis, id] = /^(\d{1,15})\.([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/.exec(text) ?? []
  return millis === undefined ? undefined : {
    shareTime: DateTime.toDateUtc(DateTime.makeUnsafe(Number(millis))),
    id: id as FileId
  }
}
