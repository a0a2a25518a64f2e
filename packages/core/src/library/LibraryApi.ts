/** The HTTP contract of the library and its trash. Declarations only; no handler code. Spec: "Library", "Trash". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FileRecord } from "../files/FileRecord.ts"
import { FileRef } from "../files/FilesApi.ts"
import { Acknowledgement } from "../http/Acknowledgement.ts"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { FileId } from "../shared/Ids.ts"
import { StorageUsage } from "./StorageUsage.ts"

const FileRefs = Schema.Array(FileRef).check(
  Schema.isBetweenLength(Limits.filesPerTrashCall.min, Limits.filesPerTrashCall.max)
)
const FileIds = Schema.Array(FileId)

/** Newest first, streamed: the answer begins before the last file has been read. */
const FileList = Schema.Array(FileRecord)

/** What these operations have in common. */
const reading = { permissions: ["read"], effect: "reads", isRepeatable: true } as const
const deleting = { permissions: ["delete"], isRepeatable: true } as const

const fileRefs = [{ id: Examples.photoId }, { id: Examples.trackId }]
const fileIds = fileRefs.map(({ id }) => id)

export class LibraryApi extends HttpApiGroup.make("library")
  .add(
    HttpApiEndpoint.post("selectUserFiles", "/select-user-files", { success: FileList }).annotateMerge(operation({
      ...reading,
      description:
        "Returns all your files in one answer, newest first, without those in trash. The answer can be very long: read it " +
        "as a stream, or use `/search-files` for a page at a time. `downloadUrl` is null in the records of private files; " +
        "`/generate-download-url` gives links.",
      tool:
        "Lists every file of the drive outside trash, newest first, in one answer that can be very long. Prefer search_files, which answers in " +
        "pages and takes filters.",
      example: { answer: [Examples.photo, Examples.track] }
    })),
    HttpApiEndpoint.post("getUserStorageUsage", "/get-user-storage-usage", {
      success: StorageUsage,
      error: ApiError.ofStorage
    }).annotateMerge(operation({
      ...reading,
      description:
        "Returns how many bytes your files use, of how many (`quotaBytes`, null: no limit), by bucket and by kind. Files in trash count, " +
        "and are also counted in `trashedBytes`; covers, posters and thumbnails don't count. `pendingBytes` are reserved by uploads, forms and " +
        "imports that are not files yet.",
      tool: "Returns how much storage the drive uses and how much it may, by kind of file, and in trash.",
      example: {
        answer: {
          usedBytes: 34_365_116,
          quotaBytes: 10_737_418_240,
          objectCount: 2,
          buckets: [
            {
              bucket: "private",
              bytes: 34_365_116,
              objects: 2,
              kinds: [
                { type: "Audio", bytes: 31_882_004, objects: 1 },
                { type: "Image", bytes: 2_483_112, objects: 1 }
              ]
            },
            { bucket: "public", bytes: 0, objects: 0, kinds: [] }
          ],
          trashedBytes: 0,
          pendingBytes: 150_000_000
        }
      }
    })),
    HttpApiEndpoint.post("trashFiles", "/trash-files", {
      payload: FileRefs,
      success: Schema.Struct({ trashed: FileIds })
    }).annotateMerge(operation({
      ...deleting,
      description:
        "Puts 1 to 100 files in trash. There they still use storage, and only `/select-trashed-files` finds them, until they are " +
        "restored (`/restore-files`) or deleted; the lasting link of a public file answers 404 meanwhile. `trashed` are those of the files that are yours, those that were in trash before too; " +
        "others are left out.",
      effect: "changes",
      needsConsent: "remove",
      tool:
        "Puts files in trash, from which restore_files restores them. Use this to remove files, unless they are to be deleted for good. " +
        "`fileIds` are 1 to 100 ids.",
      example: { request: fileRefs, answer: { trashed: fileIds } }
    })),
    HttpApiEndpoint.post("restoreFiles", "/restore-files", {
      payload: Schema.Array(FileRef).check(Schema.isMinLength(1)),
      success: Schema.Struct({ restored: FileIds })
    }).annotateMerge(operation({
      ...deleting,
      description:
        "Restores files from trash to their folders, tags, playlists and galleries; lasting links of public ones work again. " +
        "`restored` are those of the files that are yours, those that were not in trash too; others are left out.",
      effect: "changes",
      tool: "Restores files from trash to where they were. `fileIds` are ids of select_trashed_files.",
      example: { request: fileRefs, answer: { restored: fileIds } }
    })),
    HttpApiEndpoint.post("selectTrashedFiles", "/select-trashed-files", { success: FileList }).annotateMerge(operation({
      ...reading,
      description:
        "Returns all your files in trash in one answer, the last trashed first. `trashTime` is when a file was put there; no record has a link.",
      tool: "Lists all files in trash, the last trashed first.",
      example: { answer: [Examples.trashedPhoto] }
    })),
    HttpApiEndpoint.post("purgeTrashedFiles", "/purge-trashed-files", { success: Acknowledgement }).annotateMerge(
      operation({
        ...deleting,
        description:
          "Deletes all files that are in trash, for good: they can't be restored. Takes no body. Their storage is free " +
          "when the call answers.",
        effect: "deletes",
        needsConsent: "deleteForGood",
        tool:
          "Deletes every file in trash for good. This can't be undone: call it only when the user has asked for exactly that.",
        example: { answer: {} }
      })
    ),
    HttpApiEndpoint.post("deleteFiles", "/delete-files", {
      payload: FileRefs,
      success: Schema.Struct({ deleted: FileIds })
    }).annotateMerge(operation({
      ...deleting,
      description:
        "Deletes 1 to 100 files for good, in trash or not: they can't be restored. `deleted` are those of the files that were yours; " +
        "others are left out. To be able to restore them use `/trash-files`.",
      effect: "deletes",
      needsConsent: "deleteForGood",
      tool:
        "Deletes files for good, in trash or not. This can't be undone: use trash_files unless the user has asked to delete for good. `fileIds` " +
        "are 1 to 100 ids.",
      example: { request: fileRefs, answer: { deleted: fileIds } }
    }))
  )
  .middleware(Session)
  .annotateMerge(
    OpenApi.annotations({
      title: "Library",
      description: "All files of the drive, their storage usage, and its trash."
    })
  )
{}
