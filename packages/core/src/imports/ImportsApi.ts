/** The HTTP contract of imports. Declarations only; no handler code. Contract: "Files", `/import-from-url`. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FileRecord } from "../files/FileRecord.ts"
import * as ApiError from "../http/ApiError.ts"
import { OnlyReads } from "../http/OnlyReads.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { FolderId, ImportId } from "../shared/Ids.ts"
import { Line, Text } from "../shared/Text.ts"
import { FileName } from "../uploads/FileInput.ts"

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
  /** Bytes that have come. */
  receivedBytes: Schema.Int,
  /** Bytes in all, once they are known. */
  totalBytes: Schema.NullOr(Schema.Int),
  /** The file; null until it is there, and when it has been deleted since. */
  file: Schema.NullOr(FileRecord)
}).annotate({ identifier: "Import" })

export class ImportsApi extends HttpApiGroup.make("imports")
  .add(
    HttpApiEndpoint.post("importFromUrl", "/import-from-url", {
      payload: Schema.Struct({
        url: Line.check(Schema.isBetweenLength(1, Limits.importUrlMaxLength)),
        fileName: Schema.optionalKey(FileName),
        folder: Schema.optionalKey(Schema.String),
        folderId: Schema.optionalKey(Schema.NullOr(FolderId)),
        description: Schema.optionalKey(Text.check(Schema.isMaxLength(Limits.descriptionMaxLength)))
      }),
      success: Schema.Struct({ id: ImportId, status: Schema.Literal("working") }),
      error: [ApiError.NotFound, ApiError.BadGateway]
    }).annotateMerge(OpenApi.annotations({
      description:
        "Brings in a file from an http or https link to a public address, and answers at once: the drive fetches it, as " +
        "`/select-imports` tells. The name is `fileName`, else the one its server gives, else the link's; the kind is " +
        "found in the bytes. It goes to the `folder` path, whose missing folders are made, or to `folderId`, not to both."
    })),
    HttpApiEndpoint.post("selectImports", "/select-imports", {
      payload: Schema.Struct({
        ids: Schema.Array(ImportId).check(Schema.isBetweenLength(importsPerCall.min, importsPerCall.max))
      }),
      success: Schema.Array(ImportItem)
    }).annotate(OnlyReads, true).annotateMerge(OpenApi.annotations({
      description:
        "How imports stand, in the order asked; ids that are not the caller's are left out, as are imports that ended " +
        "more than 30 days ago."
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Imports", description: "Files brought in from links." }))
{}
