/** The HTTP contract of the library and its trash. Declarations only; no handler code. Spec: "Library", "Trash". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FileRecord } from "../files/FileRecord.ts"
import { FileRef } from "../files/FilesApi.ts"
import { Acknowledgement } from "../http/Acknowledgement.ts"
import * as ApiError from "../http/ApiError.ts"
import { OnlyReads } from "../http/OnlyReads.ts"
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

export class LibraryApi extends HttpApiGroup.make("library")
  .add(
    HttpApiEndpoint.post("selectUserFiles", "/select-user-files", { success: FileList }).annotate(OnlyReads, true),
    HttpApiEndpoint.post("getUserStorageUsage", "/get-user-storage-usage", {
      success: StorageUsage,
      error: ApiError.BadGateway
    }).annotate(OnlyReads, true),
    HttpApiEndpoint.post("trashFiles", "/trash-files", {
      payload: FileRefs,
      success: Schema.Struct({ trashed: FileIds })
    }),
    HttpApiEndpoint.post("restoreFiles", "/restore-files", {
      payload: Schema.Array(FileRef).check(Schema.isMinLength(1)),
      success: Schema.Struct({ restored: FileIds })
    }),
    HttpApiEndpoint.post("selectTrashedFiles", "/select-trashed-files", { success: FileList }).annotate(
      OnlyReads,
      true
    ),
    HttpApiEndpoint.post("purgeTrashedFiles", "/purge-trashed-files", { success: Acknowledgement }),
    HttpApiEndpoint.post("deleteFiles", "/delete-files", {
      payload: FileRefs,
      success: Schema.Struct({ deleted: FileIds })
    })
  )
  .middleware(Session)
  .annotateMerge(
    OpenApi.annotations({ title: "Library", description: "All files of the drive, what they take up, and its trash." })
  )
{}
