/** The HTTP contract of single files. Declarations only; no handler code. Spec: "Download and read", "Metadata". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Acknowledgement } from "../http/Acknowledgement.ts"
import * as ApiError from "../http/ApiError.ts"
import { OnlyReads } from "../http/OnlyReads.ts"
import { OptionalSession, Session } from "../http/Session.ts"
import { FileId } from "../shared/Ids.ts"
import { NewDescription, NewName } from "./FileDetail.ts"
import { FileRecord } from "./FileRecord.ts"

/** Names one file. Contract: "Files", FileRef. */
export const FileRef = Schema.Struct({ id: FileId }).annotate({ identifier: "FileRef" })

export class FilesApi extends HttpApiGroup.make("files")
  .add(
    HttpApiEndpoint.post("generateDownloadUrl", "/generate-download-url", {
      payload: FileRef,
      success: FileRecord,
      error: ApiError.BadGateway
    }).annotate(OnlyReads, true)
      .middleware(OptionalSession)
      .annotateMerge(OpenApi.annotations({
        description: "The record with a link that works for six hours, or the lasting one of a public file. " +
          "Without a session: public files only.",
        transform: (operation) => ({ ...operation, security: [{ bearer: [] }, {}] })
      })),
    HttpApiEndpoint.post("renameFile", "/rename-file", {
      payload: NewName,
      success: FileRecord,
      error: ApiError.NotFound
    }).middleware(Session),
    HttpApiEndpoint.post("updateFileDescription", "/update-file-description", {
      payload: NewDescription,
      success: Acknowledgement,
      error: ApiError.NotFound
    }).middleware(Session),
    HttpApiEndpoint.post("toggleFileAccess", "/toggle-file-access", {
      payload: FileRef,
      success: FileRecord,
      error: [ApiError.NotFound, ApiError.BadGateway]
    })
      .middleware(Session)
      .annotateMerge(OpenApi.annotations({
        description: "Makes a private file public and a public one private. A file above what storage copies at once " +
          "becomes public in the background: `accessMove` says how far it is, and toggling again calls it off."
      }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Files", description: "Links to one file, its name, description and access." })
  )
{}
