/** The HTTP contract of imports. Declarations only; no handler code. Contract: "Files", `/import-from-url`. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Description, FileName } from "../files/FileDetail.ts"
import { FileRecord } from "../files/FileRecord.ts"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { FolderId, ImportId } from "../shared/Ids.ts"
import { ImportUrl } from "./Import.ts"

const { importsPerCall } = Limits

const ImportItem = Schema.Struct({
  id: ImportId,
  /** As it was given. */
  url: Schema.String,
  status: Schema.Literals(["working", "done", "failed"]),
  /** Why it failed, as a sentence for people. */
  error: Schema.NullOr(Schema.String),
  /** Why it failed, for programs (extension). */
  code: Schema.NullOr(Schema.String),
  /** Bytes received so far. */
  receivedBytes: Schema.Int,
  /** Bytes in all, once they are known. */
  totalBytes: Schema.NullOr(Schema.Int),
  /** The file; null until it is recorded, and when it has been deleted since. */
  file: Schema.NullOr(FileRecord)
}).annotate({ identifier: "Import" })

export class ImportsApi extends HttpApiGroup.make("imports")
  .add(
    HttpApiEndpoint.post("importFromUrl", "/import-from-url", {
      payload: Schema.Struct({
        url: ImportUrl,
        fileName: Schema.optionalKey(FileName),
        folder: Schema.optionalKey(FolderPath.Path),
        folderId: Schema.optionalKey(Schema.NullOr(FolderId)),
        description: Schema.optionalKey(Description)
      }),
      success: Schema.Struct({ id: ImportId, status: Schema.Literal("working") }),
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Imports a file from an http or https link to a public address. The call answers at once with the import's `id`; the " +
        "drive then fetches the file, and `/select-imports` shows the progress. The file's name is `fileName`, else the one that " +
        "the server gives, else the last part of the link. Its kind is detected from its bytes. It goes to the `folder` path, whose missing " +
        "folders are made, or to `folderId` (null: the top of the drive); send one of the two or neither. Each call begins another import.",
      permissions: ["add"],
      effect: "changes",
      isRepeatable: false,
      needsConsent: "fetch",
      tool:
        "Imports a file from a public http or https link. It returns an id at once; call select_imports with it until " +
        "the import is done or failed. `folder` is a path like /Papers/2026, and is made when it is missing.",
      example: {
        request: { url: "https://example.com/papers/report.pdf", folder: "/Papers" },
        answer: { id: Examples.importId, status: "working" }
      }
    })),
    HttpApiEndpoint.post("selectImports", "/select-imports", {
      payload: [
        Schema.Struct({
          ids: Schema.optionalKey(
            Schema.Array(ImportId).check(Schema.isBetweenLength(importsPerCall.min, importsPerCall.max))
          ),
          limit: Schema.optionalKey(
            Schema.Int.check(Schema.isBetween({ minimum: importsPerCall.min, maximum: importsPerCall.max }))
          )
        }),
        Schema.Null
      ],
      success: Schema.Array(ImportItem)
    }).annotateMerge(operation({
      description:
        "Returns the states of imports, by the `ids` that `/import-from-url` returned, in the order asked; without `ids` the newest `limit` (default 20) of all, newest first. `receivedBytes` of `totalBytes` have arrived; " +
        "`totalBytes` is null while it is not known. A failed one says why in `error`, for people, and in `code`, for programs. Ids " +
        "that are not yours and imports that ended more than 30 days ago are left out. A limited token needs `add` or `read`.",
      permissions: ["add", "read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Returns the states of imports from links: working, done with the file, or failed with the reason. `ids` are those that " +
        "import_from_url returned; without them the newest imports are returned.",
      example: {
        request: { ids: [Examples.importId] },
        answer: [{
          id: Examples.importId,
          url: "https://example.com/papers/report.pdf",
          status: "working",
          error: null,
          code: null,
          receivedBytes: 1_048_576,
          totalBytes: 4_718_592,
          file: null
        }]
      }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Imports", description: "Files imported from links." }))
{}
