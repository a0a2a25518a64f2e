/** The HTTP contract of archives. Declarations only; no handler code. Spec: "Library"; contract: "Files". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
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

const archive = {
  id: Examples.archiveId,
  title: "Lisbon",
  fileCount: 2,
  bytes: 34_365_462,
  skipped: [{ id: Examples.reportId, reason: "trashed" }]
}

export class ArchivesApi extends HttpApiGroup.make("archives")
  .add(
    HttpApiEndpoint.post("createArchiveRequest", "/create-archive-request", {
      payload: Schema.Struct({
        fileIds: Schema.optionalKey(
          Schema.Array(FileId).check(Schema.isBetweenLength(filesPerArchive.min, filesPerArchive.max))
        ),
        galleryId: Schema.optionalKey(ListId),
        playlistId: Schema.optionalKey(ListId),
        title: Schema.optionalKey(Archive.ArchiveTitle)
      }),
      success: Schema.Struct({ ...asked, status: Schema.Literals(["working", "done"]) }),
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Builds a ZIP, in the background, of files you can see. Send one of `fileIds`, `galleryId` and `playlistId`. " +
        "`fileIds` keep the paths of your folders; the files of a gallery or playlist go in its order, without folders. Files in " +
        "trash and those you can't see are left out and named in `skipped`; when nothing is left it is 404. The call answers at once, and " +
        "`/select-archives` tells how far the archive is and gives its link. While an equal archive is built or kept, the call returns that one, which may be " +
        "`done`. Ten may be built at once (403 `not_allowed`). All that are kept may have 10 GiB together, or your quota if that is " +
        "more: beyond it is 403 `archives_full`, whose sentence names the largest that your token may delete, by their ids. It takes a plan (403 `no_plan`).",
      permissions: ["read"],
      effect: "changes",
      isRepeatable: true,
      tool:
        "Builds a ZIP of files: `fileIds`, or all files of a gallery or playlist; send one of the three. It returns an id at once; call " +
        "select_archives with it until it is done and has a link.",
      example: {
        request: { fileIds: [Examples.photoId, Examples.trackId, Examples.reportId], title: archive.title },
        answer: { ...archive, status: "working" }
      }
    })),
    HttpApiEndpoint.post("selectArchives", "/select-archives", {
      payload: [
        Schema.Struct({
          ids: Schema.optionalKey(
            Schema.Array(ArchiveId).check(Schema.isBetweenLength(archivesPerCall.min, archivesPerCall.max))
          ),
          limit: Schema.optionalKey(
            Schema.Int.check(Schema.isBetween({ minimum: archivesPerCall.min, maximum: archivesPerCall.max }))
          )
        }),
        Schema.Null
      ],
      success: Schema.Array(ArchiveItem),
      error: ApiError.ofStorage
    }).annotateMerge(operation({
      isLong: true,
      description:
        "Returns the state and progress of your archives: `receivedBytes` of `bytes`. One that is done has a `downloadUrl`, which works for " +
        "six hours (each call gives a new one), and is kept until `expireTime`. A failed one says why in `error`. A file that could not be read " +
        "on the way is left out and named in `skipped`. Ids that are not yours are left out. " +
        "Without `ids` the newest `limit` (default 20) are returned, newest first.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Tells how far ZIP archives are, and gives the link of one that is done. `ids` are those that create_archive_request returned; " +
        "without them the newest archives are returned.",
      example: {
        request: { ids: [Examples.archiveId] },
        answer: [{
          ...archive,
          status: "done",
          error: null,
          receivedBytes: archive.bytes,
          downloadUrl: Examples.link("archives/Lisbon.zip"),
          expireTime: "2026-10-05T12:00:00.000Z"
        }]
      }
    })),
    HttpApiEndpoint.post("deleteArchive", "/delete-archive", {
      payload: Schema.Struct({ id: ArchiveId }),
      success: Schema.Struct({ deleted: Schema.Boolean })
    }).annotateMerge(operation({
      description:
        "Deletes an archive of yours, one that is being built too; the files in it stay. `deleted` is false when " +
        "none with this id exists, or no longer. A limited token that may not `delete` deletes the archives that it requested itself; " +
        "another's is 403 `token_limit`.",
      permissions: ["read", "delete"],
      effect: "deletes",
      isRepeatable: true,
      needsConsent: "remove",
      tool:
        "Deletes a ZIP archive, or stops one that is being built; the files in it stay. The same archive can be requested again.",
      example: { request: { id: Examples.archiveId }, answer: { deleted: true } }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Archives", description: "Many files as one ZIP." }))
{}
