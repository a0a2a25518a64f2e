/** A drop: what one sender delivers to a file request. Spec: "Other resources", Drop. Contract: "File requests and reviews: the public side". */
import { type DateTime, Schema } from "effect"
import type { DroppedFile } from "../events/DriveEvent.ts"
import { FileName, FileSize, GivenMimeType } from "../files/FileDetail.ts"
import * as Limits from "../limits/Limits.ts"
import { FileType } from "../shared/FileType.ts"
import { type AccountId, DropId, type FileId, RequestId } from "../shared/Ids.ts"
import { LineOfLength, Lines, nameFlaw, Text } from "../shared/Text.ts"

/** Whoever has it sends for one drop: opaque, and only its hash is kept. */
export const DropToken = Schema.String.check(Schema.isMaxLength(200)).pipe(Schema.brand("DropToken"))
export type DropToken = typeof DropToken.Type

export const SenderName = LineOfLength(Limits.senderNameLength.min, Limits.senderNameLength.max).pipe(
  Schema.brand("SenderName")
)
export type SenderName = typeof SenderName.Type

export const DropNote = Lines.check(Schema.isMaxLength(Limits.dropNoteMaxLength)).pipe(Schema.brand("DropNote"))
export type DropNote = typeof DropNote.Type

/** The sender's own name of a file in the drop. The same again continues it, and is safe to repeat. */
export const ClientKey = Text.check(
  Schema.isBetweenLength(Limits.clientKeyLength.min, Limits.clientKeyLength.max),
  Schema.makeFilter<string>(nameFlaw)
).pipe(Schema.brand("ClientKey"))
export type ClientKey = typeof ClientKey.Type

/** A file that a sender is about to send: as in FileInput, with `clientKey` for the key. */
export const DropFile = Schema.Struct({
  type: FileType,
  fileName: FileName,
  fileSize: FileSize,
  mimeType: GivenMimeType,
  clientKey: ClientKey
})
export type DropFile = typeof DropFile.Type

/** Drops that one call of their owner names. */
export const DropIds = Schema.Array(DropId).check(
  Schema.isBetweenLength(Limits.dropsPerCall.min, Limits.dropsPerCall.max)
)

/** Drops by their ids, or those of one sender at a request by `requestId` and `senderName`. */
export const DropSelection = Schema.Struct({
  dropIds: Schema.optionalKey(DropIds),
  requestId: Schema.optionalKey(RequestId),
  senderName: Schema.optionalKey(SenderName)
})
export type DropSelection = typeof DropSelection.Type

/** A drop as it is stored. */
export interface Drop {
  readonly id: DropId
  readonly accountId: AccountId
  readonly requestId: RequestId
  readonly senderName: string
  readonly note: string | null
  readonly fileCount: number
  readonly activeTime: DateTime.Utc
  readonly expireTime: DateTime.Utc
  readonly finishTime: DateTime.Utc | null
}

/** What one sender started at a request until a time. */
export interface DropsOfSender {
  readonly requestId: RequestId
  readonly senderName: SenderName
  readonly time: Date
}

/** A drop that its owner deletes. */
export interface ChosenDrop extends Pick<Drop, "id" | "requestId" | "fileCount"> {
  readonly isUnderWay: boolean
}

/** A file of a drop, as its sender sent it: what the owner does with it afterwards changes nothing of this. */
export interface SentFile {
  readonly id: FileId
  readonly clientKey: string
  readonly fileName: string
  readonly sizeBytes: number
}

/** A file that its sender has taken back, and that is to be deleted. */
export interface RemovedFile {
  readonly accountId: AccountId
  readonly dropId: DropId
  readonly fileId: FileId
}

/** A drop as its owner sees it. */
export interface SentDrop {
  readonly id: DropId
  readonly requestId: RequestId
  readonly senderName: string
  readonly note: string | null
  /** When it was started. */
  readonly arrivedTime: Date
  readonly finishTime: Date | null
  /** Whether the owner has looked at it. */
  readonly viewed: boolean
}

/** A drop with those of its files that are still in the drive. */
export interface ListedDrop extends SentDrop {
  readonly files: ReadonlyArray<DroppedFile>
}

/** Where the objects of an account's drops are among its keys. */
export const keysOfDrops = (accountId: AccountId): string => `users/${accountId}/drops/`

/** Whether a file with this key may have come in a drop. */
export const isKeyOfDrop = (accountId: AccountId, objectKey: string): boolean =>
  objectKey.startsWith(keysOfDrops(accountId))
