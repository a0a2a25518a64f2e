/** A recorded file as the drive keeps it. {@link "./StoredFileSql.ts"} reads it. */
import { Array, Order } from "effect"
import type { StoredMedia } from "../facts/FileMedia.ts"
import type { ObjectAddress } from "../ports/ObjectStore.ts"
import type { FileType } from "../shared/FileType.ts"
import { type AccountId, FileId, type FolderId, TagId } from "../shared/Ids.ts"
import { foldCase } from "../shared/Text.ts"
import type { MetadataStatus } from "./MetadataJob.ts"

export interface StoredFile extends StoredMedia {
  readonly id: FileId
  readonly accountId: AccountId
  readonly folderId: FolderId | null
  /** Path of the folder, or null at the top of the drive. */
  readonly folderPath: string | null
  readonly type: FileType
  readonly fileName: string
  readonly description: string | null
  readonly mimeType: string
  readonly sizeBytes: number
  /** The owner's name of the object. */
  readonly objectKey: string
  /** Whether its bytes are in the public bucket. {@link isPublic} tells whether it is a public file. */
  readonly isPublic: boolean
  /**
   * Where its lasting link leads, of a public file whose bytes are in the private bucket: because it is in trash, or
   * was until just now. Null for every other file.
   */
  readonly publicKey: string | null
  /** The store's name of the object. */
  readonly storeKey: string
  /** The store's mark of the bytes as they were recorded. */
  readonly etag: string
  readonly metadataStatus: MetadataStatus
  /** The picture it is shown by, in the bucket the file is in: read by {@link pictureOf}. Null when it has none. */
  readonly pictureLines: string | null
  /** Its tags in any order, each its id and, right behind, the text: read by {@link tagsOf}. */
  readonly tagLines: ReadonlyArray<string>
  readonly insertTime: Date
  readonly trashTime: Date | null
  /** Whether a copy to the other bucket is under way, and which way; null when none is. */
  readonly moveToPublic: boolean | null
  readonly movePartsDone: number | null
  readonly movePartCount: number | null
}

/** What is stored of a file's picture. */
export interface StoredPicture {
  readonly id: FileId
  readonly storeKey: string
  readonly fileName: string
  readonly mimeType: string
}

/** The picture a file is shown by. */
export const pictureOf = ({ pictureLines }: Pick<StoredFile, "pictureLines">): StoredPicture | null => {
  if (pictureLines === null) return null
  const [id = "", storeKey = "", mimeType = "", fileName = ""] = pictureLines.split("\n")
  return { id: FileId.make(id), storeKey, mimeType, fileName }
}

/** Characters of an id as text. */
const idLength = 36

/** A file's tags, by text. */
export const tagsOf = ({ tagLines }: Pick<StoredFile, "tagLines">) => {
  const tags = tagLines.map((line) => ({ id: TagId.make(line.slice(0, idLength)), text: line.slice(idLength) }))
  return tags.length < 2 ? tags : Array.sortWith(tags, ({ text }) => foldCase(text), Order.String)
}

/** Where a file's bytes are now. */
export const address = (file: Pick<StoredFile, "isPublic" | "storeKey">): ObjectAddress => ({
  bucket: file.isPublic ? "public" : "private",
  key: file.storeKey
})

/** Whether it is a public file: also while it is in trash, and its lasting link does not work. */
export const isPublic = (file: Pick<StoredFile, "isPublic" | "publicKey">): boolean =>
  file.isPublic || file.publicKey !== null

/** Whether a file is still as it was when its bytes began to be moved. */
export const isSame = (a: StoredFile, b: StoredFile): boolean =>
  a.isPublic === b.isPublic && a.publicKey === b.publicKey && a.storeKey === b.storeKey && a.etag === b.etag
  && a.moveToPublic === b.moveToPublic && (a.trashTime === null) === (b.trashTime === null)
