/** The HTTP contract of file requests, for their owners. Declarations only; no handler code. Spec: "File requests". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { FileType } from "../shared/FileType.ts"
import { DropId, FileId, FolderId, RequestId } from "../shared/Ids.ts"
import { Time } from "../shared/Time.ts"
import * as Drop from "./Drop.ts"
import * as Request from "./Request.ts"

const { dropsPerListing, filesPerListing } = Limits

const shown = {
  id: RequestId,
  title: Schema.String,
  message: Schema.NullOr(Schema.String),
  expireTime: Schema.NullOr(Time),
  maxBytes: Schema.NullOr(Schema.Int),
  folder: Schema.Struct({ id: Schema.NullOr(FolderId), path: Schema.String }),
  hasPassword: Schema.Boolean
}

/** A request as it is returned when it is made or changed. */
const RequestSummary = Schema.Struct(shown).annotate({ identifier: "FileRequestSummary" })

const state = { open: Schema.Boolean, closeTime: Schema.NullOr(Time) }

const DropItem = Schema.Struct({
  id: DropId,
  senderName: Schema.String,
  note: Schema.NullOr(Schema.String),
  arrivedTime: Time,
  finishTime: Schema.NullOr(Time),
  viewed: Schema.Boolean,
  files: Schema.Array(Schema.Struct({
    id: FileId,
    type: FileType,
    fileName: Schema.String,
    fileSize: Schema.Int,
    mimeType: Schema.String
  }))
}).annotate({ identifier: "Drop" })

const RequestItem = Schema.Struct({
  ...shown,
  ...state,
  insertTime: Time,
  receivedBytes: Schema.Int,
  drops: Schema.Array(DropItem)
}).annotate({ identifier: "FileRequest" })

const { dropId, insertTime, laterTime, photo, photoId, requestExample } = Examples

const summary = {
  id: requestExample.id,
  title: requestExample.title,
  message: null,
  expireTime: null,
  maxBytes: null,
  folder: requestExample.folder,
  hasPassword: false
}

const { fileName, fileSize, mimeType, type } = photo

const error = [ApiError.NotFound, ...ApiError.ofStorage] as const

/** What the operations that change a request have in common. */
const changing = { permissions: ["share"], effect: "changes", isRepeatable: true } as const

export class RequestsApi extends HttpApiGroup.make("requests")
  .add(
    HttpApiEndpoint.post("createFileRequest", "/create-file-request", {
      payload: Request.NewRequest,
      success: RequestSummary,
      error
    }).annotateMerge(operation({
      ...changing,
      description:
        "Makes a file request: people without an account send files to you through its link, `{site_url}/requests/{id}`. Whoever has the link may " +
        "send, so its id is a secret. Arrivals land in `folder`, a path whose missing folders are made, or in the folder `folderId`; with " +
        "neither, in a folder at the top of the drive named for the request (a `/` in the title becomes `-`). `folder.id` is null for the top " +
        "of the drive. `maxBytes` bounds what all senders together may send; without it, your storage does. After `expireTime`, which " +
        "must be in the future, the request takes no files. With a `password` (1 to 200 characters) nobody opens the link without it. An account " +
        "has at most 10,000 requests; one more is 403 `not_allowed`.",
      isRepeatable: false,
      needsConsent: "request",
      tool:
        "Makes a file request, a link through which people without an account send files to the user. `folder` is the path of the folder in which " +
        "their files land; it is made if it is missing.",
      example: {
        request: { title: requestExample.title, folder: requestExample.folder.path },
        answer: summary
      }
    })),
    HttpApiEndpoint.post("selectFileRequests", "/select-file-requests", {
      payload: [Request.RequestsQuery, Schema.Null],
      success: Schema.Struct({ requests: Schema.Array(RequestItem), nextCursor: Schema.NullOr(Schema.String) })
    }).annotateMerge(operation({
      isLong: true,
      description:
        "Lists your file requests, newest first, 50 in a page, with what was sent to them. For the next page pass `nextCursor` back as `cursor`; it " +
        "is null at the end. `requestIds` (1 to 50) names some; ids that are not " +
        "yours are left out. `folder` narrows to requests whose files land in the folder at this path or inside it, before the 50 are counted. A " +
        "request is `open` while it is not closed and not past its `expireTime`. `drops` are its deliveries, newest first; a sender who sent " +
        "nothing is not listed. `viewed` says whether you have looked at one. Files in trash and deleted ones are neither listed nor counted in " +
        "`receivedBytes`. `folder.id` is null for the top of the drive, and while the folder is deleted: the next arrival makes it again. Of " +
        `each request the newest ${dropsPerListing.ofEach} deliveries are listed, and ${dropsPerListing.ofOne} of one that is named alone; in all ` +
        `at most ${filesPerListing} files, those of the newest deliveries first. \`receivedBytes\` counts all.`,
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Lists the user's file requests with the deliveries and files that people have sent to them, newest first. `folder` narrows to requests whose " +
        "files land in that folder.",
      example: {
        request: { folder: requestExample.folder.path },
        answer: {
          requests: [{
            ...summary,
            open: true,
            closeTime: null,
            insertTime,
            receivedBytes: fileSize,
            drops: [{
              id: dropId,
              senderName: "Grace",
              note: "The photos of Saturday",
              arrivedTime: insertTime,
              finishTime: laterTime,
              viewed: false,
              files: [{ id: photoId, type, fileName, fileSize, mimeType }]
            }]
          }],
          nextCursor: null
        }
      }
    })),
    HttpApiEndpoint.post("setFileRequestOpen", "/set-file-request-open", {
      payload: Schema.Struct({ requestId: RequestId, open: Schema.Boolean }),
      success: Schema.Struct({ id: RequestId, ...state, expireTime: Schema.NullOr(Time) }),
      error
    }).annotateMerge(operation({
      ...changing,
      description:
        "Closes a file request, or opens it again. A closed one takes no files: what senders have under way ends and its bytes are released; " +
        "files that are in stay, and deliveries can still be finished. One that is opened past its `expireTime` still takes no files, so `open` " +
        "is false: change the time with `/update-file-request`. Closing a closed one keeps its `closeTime`.",
      needsConsent: "request",
      tool: "Closes a file request, so that it no longer accepts files, or opens it again.",
      example: {
        request: { requestId: requestExample.id, open: false },
        answer: { id: requestExample.id, open: false, closeTime: laterTime, expireTime: null }
      }
    })),
    HttpApiEndpoint.post("updateFileRequest", "/update-file-request", {
      payload: Request.RequestChanges,
      success: RequestSummary,
      error
    }).annotateMerge(operation({
      ...changing,
      description:
        "Changes a file request; fields that are not sent stay as they are, and null takes away what may be null. Its folder keeps its name " +
        "when the title changes. `expireTime` must be in the future. Another `password`, or none, ends the access of everybody who opened the " +
        "link with the former one. A `maxBytes` below what was received makes the request full.",
      needsConsent: "request",
      tool: "Changes the title, message, end, size limit or password of a file request.",
      example: {
        request: { requestId: requestExample.id, maxBytes: 10_000_000_000 },
        answer: { ...summary, maxBytes: 10_000_000_000 }
      }
    })),
    HttpApiEndpoint.post("deleteFileRequest", "/delete-file-request", {
      payload: Schema.Struct({ requestId: RequestId }),
      success: Schema.Struct({ deleted: Schema.Boolean }),
      error
    }).annotateMerge(operation({
      ...changing,
      description:
        "Deletes a file request for good: its link leads nowhere from then on, and what senders have under way ends. The files that were sent stay, " +
        "and so does the folder. A request that is not yours, or is deleted, is 404.",
      effect: "deletes",
      needsConsent: "remove",
      tool:
        "Deletes a file request for good. The files that were sent stay. To only stop it use set_file_request_open.",
      example: { request: { requestId: requestExample.id }, answer: { deleted: true } }
    })),
    HttpApiEndpoint.post("markDropsViewed", "/mark-drops-viewed", {
      payload: Schema.Struct({ dropIds: Drop.DropIds }),
      success: Schema.Struct({ viewed: Schema.Array(DropId) }),
      error
    }).annotateMerge(operation({
      ...changing,
      description:
        "Notes that you have looked at deliveries (1 to 500): their `viewed` is true from then on. `viewed` of the answer are those of the ids that " +
        "are yours; when none is, it is 404. Opening one of a delivery's files, by a link or by `/read-file`, does the same.",
      tool: null,
      example: { request: { dropIds: [dropId] }, answer: { viewed: [dropId] } }
    })),
    HttpApiEndpoint.post("deleteDrops", "/delete-drops", {
      payload: Drop.DropSelection,
      success: Schema.Struct({ deleted: Schema.Int }),
      error
    }).annotateMerge(operation({
      description:
        "Deletes deliveries to your file requests for good and puts their files in trash, from which `/restore-files` restores them: those of " +
        "`dropIds` (1 to 500; ids that are not yours are left out), or all that people started at the request `requestId` under the name " +
        "`senderName`, those that have sent nothing yet too. What is under way in them ends and its bytes are released. What the deliveries " +
        "took of `maxBytes` is free again. `deleted` is how many deliveries there were. What is started during the call stays.",
      permissions: ["delete"],
      effect: "deletes",
      isRepeatable: true,
      needsConsent: "remove",
      tool:
        "Deletes deliveries that people sent to a file request, and puts their files in trash: those of `dropIds`, or all that one sender started at a " +
        "request, by `requestId` and `senderName`.",
      example: { request: { requestId: requestExample.id, senderName: "Grace" }, answer: { deleted: 3 } }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({
    title: "File requests",
    description: "Links through which people without an account send you files."
  }))
{}
