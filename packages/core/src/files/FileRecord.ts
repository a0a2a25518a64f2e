/**
 * A file as callers see it. Contract: "Files", FileRecord.
 *
 * Every answer with files is made by {@link fromStored}, through {@link "./FileRecords.ts"}; the
 * schema beside it is what OpenAPI shows.
 */
import { Schema } from "effect"
import * as FileMedia from "../facts/FileMedia.ts"
import { FileType } from "../shared/FileType.ts"
import { FileId, FolderId } from "../shared/Ids.ts"
import { constructorOf, type Writable } from "../shared/PlainObject.ts"
import { isPublic, type StoredFile, tagsOf } from "./StoredFile.ts"

const time = Schema.String.annotate({ format: "date-time" })

export const FileRecord = Schema.Struct({
  id: FileId,
  fileName: Schema.String,
  type: FileType,
  mimeType: Schema.String,
  /** Bytes. */
  fileSize: Schema.Int,
  /** The lasting link of a public file; a signed one where the route says so; null for a private file or one in trash. */
  downloadUrl: Schema.NullOr(Schema.String),
  isPublic: Schema.Boolean,
  /** A copy of a large file to the other bucket that is under way (extension). */
  accessMove: Schema.NullOr(Schema.Struct({
    toPublic: Schema.Boolean,
    partsDone: Schema.Int,
    partCount: Schema.Int
  })),
  description: Schema.NullOr(Schema.String),
  /** Null at the top of the drive, and for callers who are not the owner. */
  folder: Schema.NullOr(Schema.Struct({ id: FolderId, path: Schema.String })),
  /** Empty for callers who are not the owner. */
  tags: Schema.Array(Schema.Struct({ id: Schema.String, text: Schema.String })),
  /** Null for callers who are not the owner. */
  objectKey: Schema.NullOr(Schema.String),
  insertTime: time,
  trashTime: Schema.NullOr(time),
  /** The picture it is shown by: a track's cover, a video's poster, an image's thumbnail. A lasting link of a public file, else good for six hours; null in trash. */
  thumbnailUrl: Schema.NullOr(Schema.String),
  media: Schema.NullOr(FileMedia.Media),
  /** Whether the file's metadata is pending, was extracted, or can't be read. Facts that need a tool this drive lacks are left out; the file is done all the same. */
  metadataStatus: Schema.Literals(["pending", "done", "failed"])
}).annotate({ identifier: "FileRecord" })
export type FileRecord = typeof FileRecord.Type

/** Who the record is for: its owner, or somebody who can see the file. */
export type Viewer = "owner" | "other"

/** Links in a record, null where none can be given, and the id of the file that `thumbnailUrl` leads to. */
export interface Links extends Pick<FileRecord, "downloadUrl" | "thumbnailUrl"> {
  readonly pictureId: FileId | null
}

const Made = constructorOf(function(this: Writable<FileRecord>, file: StoredFile, viewer: Viewer, links: Links) {
  this.id = file.id
  this.fileName = file.fileName
  this.type = file.type
  this.mimeType = file.mimeType
  this.fileSize = file.sizeBytes
  this.downloadUrl = links.downloadUrl
  this.isPublic = isPublic(file)
  this.accessMove = viewer === "owner" ? accessMove(file) : null
  this.description = file.description
  this.folder = viewer === "owner" && file.folderId !== null && file.folderPath !== null
    ? { id: file.folderId, path: file.folderPath }
    : null
  this.tags = viewer === "owner" ? tagsOf(file) : []
  this.objectKey = viewer === "owner" ? file.objectKey : null
  this.insertTime = file.insertTime.toISOString()
  this.trashTime = file.trashTime?.toISOString() ?? null
  this.thumbnailUrl = links.thumbnailUrl
  this.media = FileMedia.shown(file, links.pictureId)
  this.metadataStatus = file.metadataStatus
})

/** The record of a file with these links in it. */
export const fromStored = (file: StoredFile, viewer: Viewer, links: Links): FileRecord => new Made(file, viewer, links)

const accessMove = (file: StoredFile): FileRecord["accessMove"] =>
  file.moveToPublic === null ? null : {
    toPublic: file.moveToPublic,
    partsDone: file.movePartsDone ?? 0,
    partCount: file.movePartCount ?? 0
  }
