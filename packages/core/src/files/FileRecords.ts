/**
 * Records of files with the links in them. A link is signed here in
 * microseconds, and only for a private file that has a picture: the store is not asked.
 */
import { Context, Effect, Layer } from "effect"
import * as Limits from "../limits/Limits.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import * as FileRecord from "./FileRecord.ts"
import * as StoredFile from "./StoredFile.ts"

/** What a link to a file is made of. */
export type LinkedFile = Pick<
  StoredFile.StoredFile,
  "fileName" | "mimeType" | "isPublic" | "storeKey" | "trashTime"
>

export class FileRecords extends Context.Service<FileRecords, {
  /** Records for the reader of each file, with the lasting links of public files. */
  readonly of: <A extends StoredFile.StoredFile>(
    files: ReadonlyArray<A>,
    viewerOf: (file: A) => FileRecord.Viewer
  ) => Effect.Effect<ReadonlyArray<FileRecord.FileRecord>>

  /**
   * A link to a file outside trash itself: the lasting one of a public file, else one good for six hours; null where none
   * can be signed.
   */
  readonly link: (file: LinkedFile) => Effect.Effect<string | null>

  /** One record; `downloadUrl` instead of the lasting link when it is given. */
  readonly one: (
    file: StoredFile.StoredFile,
    viewer: FileRecord.Viewer,
    downloadUrl?: string
  ) => Effect.Effect<FileRecord.FileRecord>
}>()("@filedrive/core/files/FileRecords") {
  static readonly layer = Layer.effect(
    FileRecords,
    Effect.gen(function*() {
      const store = yield* ObjectStore

      /** The lasting link of what is stored with a file, as long as it has one. */
      const lasting = (file: Pick<LinkedFile, "isPublic" | "trashTime">, key: string) =>
        file.isPublic && file.trashTime === null ? store.publicUrl(key) : null

      /** A link to a private file or its picture. A list is worth more than its pictures: where nothing can be signed it has none. */
      const signed = (picture: Omit<StoredFile.StoredPicture, "id">) =>
        store.signGet({
          at: { bucket: "private", key: picture.storeKey },
          headers: ObjectHeaders.of(picture, "private"),
          lifetime: Limits.downloadUrlLifetime
        }).pipe(
          Effect.catch((error) => Effect.as(Effect.logWarning("A picture's link can't be signed.", error), null))
        )

      const records: FileRecords["Service"]["of"] = Effect.fnUntraced(function*(files, viewerOf) {
        const made: Array<FileRecord.FileRecord> = []
        for (const file of files) {
          const picture = StoredFile.pictureOf(file)
          made.push(FileRecord.fromStored(file, viewerOf(file), {
            downloadUrl: lasting(file, file.storeKey),
            thumbnailUrl: picture === null || file.trashTime !== null || file.isPublic
              ? picture && lasting(file, picture.storeKey)
              : yield* signed(picture),
            pictureId: picture && picture.id
          }))
        }
        return made
      })

      const link: FileRecords["Service"]["link"] = (file) =>
        file.isPublic ? Effect.succeed(lasting(file, file.storeKey)) : signed(file)

      const one: FileRecords["Service"]["one"] = (file, viewer, downloadUrl) =>
        Effect.map(
          records([file], () => viewer),
          ([record]) => downloadUrl === undefined ? record! : { ...record!, downloadUrl }
        )

      return FileRecords.of({ of: records, link, one })
    })
  )
}
