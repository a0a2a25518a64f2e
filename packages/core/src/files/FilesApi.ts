/** The HTTP contract of single files. Declarations only; no handler code. Spec: "Download and read", "Metadata". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Acknowledgement } from "../http/Acknowledgement.ts"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
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
      error: ApiError.ofStorage
    })
      .middleware(OptionalSession)
      .annotateMerge(operation({
        description:
          "A file's record with a link to its bytes in `downloadUrl`: one that works for six hours, or the lasting one of a public " +
          "file. The file may be yours, shared with you, or public; any other is 403 `file_not_found`. Without a session only public " +
          "files can be opened, and any other is 400 naming `id`. Each link to somebody else's file is counted as a view of it.",
        permissions: ["read"],
        effect: "reads",
        isRepeatable: true,
        tool:
          "Returns a link to a file's bytes, to pass on or to fetch, with the file's record. The link works for six hours, or as " +
          "long as a public file stays public. To read the file yourself use read_file.",
        example: {
          request: { id: Examples.photoId },
          answer: { ...Examples.photo, downloadUrl: Examples.link("tram-28.jpg") }
        }
      })),
    HttpApiEndpoint.post("renameFile", "/rename-file", {
      payload: NewName,
      success: FileRecord,
      error: ApiError.NotFound
    }).middleware(Session).annotateMerge(operation({
      description:
        "Renames a file of yours to a name of 1 to 1,024 bytes of UTF-8 without control characters, and returns its record. " +
        "Other files may have the same name; its `objectKey` and links stay. A file that is not yours is 404.",
      permissions: ["organize"],
      effect: "changes",
      isRepeatable: true,
      tool: "Renames a file. Give the whole new name with its extension; names need not be unique.",
      example: {
        request: { fileId: Examples.photoId, fileName: "Tram 28, Alfama.jpg" },
        answer: { ...Examples.photo, fileName: "Tram 28, Alfama.jpg" }
      }
    })),
    HttpApiEndpoint.post("updateFileDescription", "/update-file-description", {
      payload: NewDescription,
      success: Acknowledgement,
      error: ApiError.NotFound
    }).middleware(Session).annotateMerge(operation({
      description:
        "Sets the description of a file of yours, up to 10,000 characters, which the search covers; an empty text clears it. " +
        "A file that is not yours is 404.",
      permissions: ["organize"],
      effect: "changes",
      isRepeatable: true,
      tool: "Replaces a file's description, which search_files covers. An empty text clears it.",
      example: { request: { fileId: Examples.photoId, description: "Tram 28 in the Alfama" }, answer: {} }
    })),
    HttpApiEndpoint.post("toggleFileAccess", "/toggle-file-access", {
      payload: FileRef,
      success: FileRecord,
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    })
      .middleware(Session)
      .annotateMerge(operation({
        description:
          "Makes a private file of yours public, or a public one private, and returns its record. A public file can be opened by " +
          "anyone, by the lasting link in `downloadUrl`; once it is private again that link no longer works. A file that is too large for storage " +
          "to copy at once becomes public in the background: `accessMove` shows the progress, and toggling again cancels it. Check " +
          "`isPublic` in the answer. If an answer was lost, read the record before you repeat the call: a second call undoes the first.",
        permissions: ["share"],
        effect: "changes",
        isRepeatable: false,
        needsConsent: "publish",
        tool:
          "Makes a private file public, so that anyone can open it by its lasting link, or a public file private. Check the file's " +
          "`isPublic` before: the call inverts it, and a second call undoes the first.",
        example: {
          request: { id: Examples.photoId },
          answer: {
            ...Examples.photo,
            isPublic: true,
            downloadUrl: "https://files.example.com/tram-28.jpg",
            thumbnailUrl: "https://files.example.com/tram-28.thumbnail.jpg"
          }
        }
      }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Files", description: "Links to one file, its name, description and access." })
  )
{}
