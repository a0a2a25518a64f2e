/** Branded identifiers. One brand per resource, so ids cannot be swapped. */
import { Schema } from "effect"

const uuid = Schema.String.check(Schema.isUUID())

export const AccountId = uuid.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

export const FileId = uuid.pipe(Schema.brand("FileId"))
export type FileId = typeof FileId.Type

export const FolderId = uuid.pipe(Schema.brand("FolderId"))
export type FolderId = typeof FolderId.Type

export const UploadId = uuid.pipe(Schema.brand("UploadId"))
export type UploadId = typeof UploadId.Type

export const ApiTokenId = uuid.pipe(Schema.brand("ApiTokenId"))
export type ApiTokenId = typeof ApiTokenId.Type

/** Of a session: the hash of its token, in hexadecimal. */
export const SessionId = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

/** Of an upload form. */
export const FormId = uuid.pipe(Schema.brand("FormId"))
export type FormId = typeof FormId.Type

export const TagId = uuid.pipe(Schema.brand("TagId"))
export type TagId = typeof TagId.Type

/** Of a playlist or a gallery. */
export const ListId = uuid.pipe(Schema.brand("ListId"))
export type ListId = typeof ListId.Type

export const EventId = uuid.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** Of a file request. */
export const RequestId = uuid.pipe(Schema.brand("RequestId"))
export type RequestId = typeof RequestId.Type

/** Of one sender's delivery to a file request. */
export const DropId = uuid.pipe(Schema.brand("DropId"))
export type DropId = typeof DropId.Type

/** Of a file review. */
export const ReviewId = uuid.pipe(Schema.brand("ReviewId"))
export type ReviewId = typeof ReviewId.Type

/** Of a note on a file review, or of a reply to one. */
export const NoteId = uuid.pipe(Schema.brand("NoteId"))
export type NoteId = typeof NoteId.Type

/** Of an image generation. */
export const GenerationId = uuid.pipe(Schema.brand("GenerationId"))
export type GenerationId = typeof GenerationId.Type

/** Of an import of a file from a link. */
export const ImportId = uuid.pipe(Schema.brand("ImportId"))
export type ImportId = typeof ImportId.Type

export const ArchiveId = uuid.pipe(Schema.brand("ArchiveId"))
export type ArchiveId = typeof ArchiveId.Type

/** Of a task of the agent's. */
export const TaskId = uuid.pipe(Schema.brand("TaskId"))
export type TaskId = typeof TaskId.Type

/** Of what a task waits for. */
export const WaitId = uuid.pipe(Schema.brand("WaitId"))
export type WaitId = typeof WaitId.Type

/** Of an address that a task's changes are reported to. */
export const WebhookId = uuid.pipe(Schema.brand("WebhookId"))
export type WebhookId = typeof WebhookId.Type

/** Each id once, in the order given and the spelling the database uses. */
export const onceEach = <Id extends string>(ids: ReadonlyArray<Id>): ReadonlyArray<Id> => [
  ...new Set(ids.map((id) => id.toLowerCase() as Id))
]
