/** The HTTP contract of archives. Declarations only; no handler code. Spec: "Library"; contract: "Files". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import { OnlyReads } from "../http/OnlyReads.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { ArchiveId, FileId, ListId } from "../shared/Ids.ts"
import * as Archive from "./Archive.ts"

const { archivesPerCall, filesPerArchive } = Limits

const Skipped = Schema.Array(Schema.Struct({ id: FileId, reason: Schema.Literals(Archive.skipReasons) }))

/** What is known of an archive from its beginning. */
const asked = {
  id: ArchiveId,
  title: Schema.String,
  fileCount: Schema.Int,
  /** Of the whole archive. */
  bytes: Schema.Int,
  /** Files asked for that are not in it, the first thousand. */
  skipped: Skipped
}

const ArchiveItem = Schema.Struct({
  ...asked,
  status: Schema.Literals(Archive.statuses),
  error: Schema.NullOr(Schema.String),
  receivedBytes: Schema.Int,
  downloadUrl: Schema.NullOr(Schema.String),
  expireTime: Schema.NullOr(Schema.String.annotate({ format: "date-time" }))
}).annotate({ identifier: "Archive" })

export class ArchivesApi extends HttpApiGroup.make("archives")
  .add(
    HttpApiEndpoint.post("createArchiveRequest", "/create-archive-request", {
      payload: Schema.Struct({
        fileIds: Schema.optionalKey(
          Schema.Array(FileId).check(Schema.isBetweenLength(filesPerArchive.min, filesPerArchive.max))
        ),
        galleryId: Schema.optionalKey(ListId),
        playlistId: Schema.optionalKey(ListId),
        title: Schema.optionalKey(Schema.String)
      }),
      success: Schema.Struct({ ...asked, status: Schema.Literals(["working", "done"]) }),
      error: [ApiError.NotFound, ApiError.BadGateway]
    }).annotateMerge(OpenApi.annotations({
      description:
        "Has a ZIP built of files you can see: `fileIds`, or what a gallery or playlist holds; one of the three. " +
        "`fileIds` keep your folders' paths, a gallery's or playlist's files are put in its order without folders. Files in " +
        "trash and those you can't see are left out and named in `skipped`. `/select-archives` shows how far it is. Ten may be under way at once. " +
        "While an equal archive is kept or built, that one is answered, and is `done` maybe. All that are kept may have 10 GiB " +
        "together, or your quota if that is more; beyond it is 403 `archives_full`, whose sentence names the largest by their ids."
    })),
    HttpApiEndpoint.post("selectArchives", "/select-archives", {
      payload: Schema.Struct({
        ids: Schema.Array(ArchiveId).check(Schema.isBetweenLength(archivesPerCall.min, archivesPerCall.max))
      }),
      success: Schema.Array(ArchiveItem),
      error: ApiError.BadGateway
    }).annotate(OnlyReads, true).annotateMerge(OpenApi.annotations({
      description:
        "How far archives of yours are: `receivedBytes` of `bytes`. One that is done has a `downloadUrl`, which works for " +
        "6 hours, and is kept until `expireTime`. A file that could not be read on the way is left out and named in `skipped`."
    })),
    HttpApiEndpoint.post("deleteArchive", "/delete-archive", {
      payload: Schema.Struct({ id: ArchiveId }),
      success: Schema.Struct({ deleted: Schema.Boolean })
    }).annotateMerge(OpenApi.annotations({
      description:
        "Deletes an archive of yours, one that is being built too; the files in it stay. `deleted` is false when " +
        "there is none with this id (any more)."
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Archives", description: "Many files as one ZIP." }))
{}
