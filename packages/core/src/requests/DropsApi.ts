/** The HTTP contract of drops: what senders do. Declarations only. Contract: "File requests and reviews: the public side". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { PublicLink } from "../http/PublicLink.ts"
import { DropId, FileId } from "../shared/Ids.ts"
import { Time } from "../shared/Time.ts"
import { PartNumbers } from "../uploads/PartPlan.ts"
import { UploadToken } from "../uploads/Upload.ts"
import { FileUrls, Inserted, MultipartUpload, SignedParts } from "../uploads/UploadAnswer.ts"
import { DropFile, DropNote, DropToken, SenderName } from "./Drop.ts"

/** Storage did not answer, or has lost the bytes. */
const storage = ApiError.ofStorage

const OfDrop = { dropToken: DropToken } as const
const FileOfDrop = Schema.Struct({ ...OfDrop, ...DropFile.fields })
const UploadOfDrop = Schema.Struct({ ...OfDrop, token: UploadToken })

/** What the operations of a sender have in common. They are for a page or program that sends, not for the owner's agent. */
const step = { permissions: [], isRepeatable: true, tool: null } as const

const dropToken = "fdd_q8Yt1mB3vX5zC7nK9pL2sD4fG6hJ8wR0aS1dF3gH5jK"
const token = "fdu_Zk9qW2rT5yU8iO1pA4sD7fG0hJ3kL6xC9vB2nM5qE8w"
const { dropId } = Examples
const { objectKey: _, ...photo } = Examples.fileInput
const partSize = 64 * 1024 ** 2
const video = {
  type: "Video",
  fileName: "tram.mp4",
  fileSize: 150_000_000,
  mimeType: "video/mp4",
  clientKey: "tram.mp4 150000000"
}
const lastPart = { partNumber: 3, url: Examples.link("parts/3"), size: video.fileSize - 2 * partSize }
const expiresAt = "2026-09-29T12:00:00.000Z"

export class DropsApi extends HttpApiGroup.make("drops")
  .add(
    HttpApiEndpoint.post("startDrop", "/start-drop", {
      payload: Schema.Struct({
        requestId: Schema.String,
        senderName: SenderName,
        note: Schema.optionalKey(Schema.NullOr(DropNote))
      }),
      success: Schema.Struct({ dropId: DropId, dropToken: DropToken, expireTime: Time }),
      error: [ApiError.NotFound, ...storage]
    }).annotateMerge(operation({
      ...step,
      isRepeatable: false,
      description:
        "Begins a delivery of files to a file request, by somebody without an account. `dropToken` is the authorization of all other calls of this " +
        "delivery: keep it until it is finished, also over a reload, and show it to nobody. It works until `expireTime`. `senderName` (1 to 100 " +
        "characters) and `note` (up to 2,000) are what the owner sees. A request that is closed or has expired is 403 `request_closed`. One with " +
        "a password needs the header `X-Link-Access` with the access token of `/open-file-request`; the calls with `dropToken` don't.",
      effect: "changes",
      example: {
        request: { requestId: Examples.requestExample.id, senderName: "Grace", note: "The photos of Saturday" },
        answer: { dropId, dropToken, expireTime: "2026-10-28T12:00:00.000Z" }
      }
    })),
    HttpApiEndpoint.post("dropFileUrls", "/drop-file-urls", {
      payload: FileOfDrop,
      success: FileUrls,
      error: [ApiError.NotFound, ...storage]
    }).annotateMerge(operation({
      ...step,
      description:
        "Begins to send a file in one piece, as `/generate-file-urls` does for the owner: POST it to `uploadUrl` with the fields of `uploadForm`, then " +
        "call `/insert-drop-file` with the same fields. `clientKey` is your own name of the file in this delivery, 1 to 200 characters, like its " +
        "name and size: the same again replaces the form. That of a file that the delivery has already is 400 `object_key_taken`. A file " +
        "for which the request has no room is 400 `request_full`, one for which the owner's drive has none 400 `storage_limit_reached`. A request " +
        "that was closed, deleted or has expired is 403 `request_closed`, a finished delivery 403 `not_allowed`, and more than 50 forms at " +
        "once, 500 of all senders of the request, or 2,000 files are 403 `too_many_forms`, as is more than half of the bytes that the request may " +
        "hold from one address. Without `maxBytes` a request holds at most half of what the owner's drive has free.",
      effect: "changes",
      example: {
        request: { dropToken, ...photo, clientKey: "tram-28.jpg 2483112" },
        answer: {
          uploadUrl: "https://storage.example.com/private",
          uploadForm: {
            key: `incoming/${Examples.userId}/${Examples.photoId}`,
            "Content-Type": "image/jpeg",
            policy: "eyJleHAi"
          },
          downloadUrl: null,
          fileName: photo.fileName
        }
      }
    })),
    HttpApiEndpoint.post("createDropUpload", "/create-drop-upload", {
      payload: FileOfDrop,
      success: MultipartUpload,
      error: [ApiError.NotFound, ...storage]
    }).annotateMerge(operation({
      ...step,
      description:
        "Begins to send a file in parts, or continues it, as `/create-multipart-upload` does for the owner: for files of up to 2 TB, and where a " +
        "connection may break. PUT the bytes of each part to its URL, `/sign-drop-parts` gives more URLs, then call `/complete-drop-upload` with " +
        "`token` and `/insert-drop-file` with the same fields. To continue after a reload make this call again with the same `clientKey` and " +
        "`fileSize`: `parts` are stored already, and only the others are to be sent. Refusals as of `/drop-file-urls`.",
      effect: "changes",
      example: {
        request: { dropToken, ...video },
        answer: {
          token,
          uploadId: Examples.videoId,
          resumed: true,
          partSize,
          partCount: 3,
          parts: [{ partNumber: 1, size: partSize }, { partNumber: 2, size: partSize }],
          signedParts: [lastPart],
          expiresAt,
          downloadUrl: null,
          fileName: video.fileName
        }
      }
    })),
    HttpApiEndpoint.post("signDropParts", "/sign-drop-parts", {
      payload: Schema.Struct({ ...UploadOfDrop.fields, partNumbers: PartNumbers }),
      success: SignedParts,
      error: [ApiError.NotFound, ...storage]
    }).annotateMerge(operation({
      ...step,
      description:
        "Returns URLs for parts of an open upload of the delivery, as `/sign-upload-parts` does for the owner: each takes exactly `size` bytes by " +
        "PUT, until `expiresAt`. `token` is the upload's, as `/create-drop-upload` returned it.",
      effect: "changes",
      example: {
        request: { dropToken, token, partNumbers: [3] },
        answer: { parts: [lastPart], expiresAt }
      }
    })),
    HttpApiEndpoint.post("completeDropUpload", "/complete-drop-upload", {
      payload: UploadOfDrop,
      success: Schema.Struct({ bucket: Schema.Literal("private"), fileSize: Schema.Int }),
      error: [ApiError.NotFound, ApiError.Conflict, ...storage]
    }).annotateMerge(operation({
      ...step,
      description:
        "Makes one object of the parts of an upload, once all of them are stored; send no ETags. Missing parts are 409 `parts_missing`, those of " +
        "another size 409 `parts_invalid`; `parts` names them. Then call `/insert-drop-file`. A repeated call returns the same again.",
      effect: "changes",
      example: { request: { dropToken, token }, answer: { bucket: "private", fileSize: video.fileSize } }
    })),
    HttpApiEndpoint.post("abortDropUpload", "/abort-drop-upload", {
      payload: UploadOfDrop,
      success: Schema.Struct({ aborted: Schema.Boolean }),
      error: [ApiError.NotFound, ...storage]
    }).annotateMerge(operation({
      ...step,
      description:
        "Aborts an upload in parts: its parts are removed, and its bytes are free for others. `aborted` is true when the upload is gone, and false " +
        "when it is complete.",
      effect: "deletes",
      example: { request: { dropToken, token }, answer: { aborted: true } }
    })),
    HttpApiEndpoint.post("insertDropFile", "/insert-drop-file", {
      payload: FileOfDrop,
      success: Inserted,
      error: [ApiError.NotFound, ...storage]
    }).annotateMerge(operation({
      ...step,
      description:
        "Hands over what was sent: a file in the folder of the request, the owner's from then on. Call it when storage has answered the form with " +
        "a status of 2xx, or after `/complete-drop-upload`, with the fields that began the upload. Before the bytes are stored it is 400 " +
        "`object_not_found`, and 400 `size_mismatch` when `fileSize` is not what is stored. It is safe to repeat: the same `clientKey` and size " +
        "return the same `id`. Once the request is closed, deleted or has expired it is 403 `request_closed`, and what was sent is removed.",
      effect: "changes",
      example: {
        request: { dropToken, ...photo, clientKey: "tram-28.jpg 2483112" },
        answer: { id: Examples.photoId, fileName: photo.fileName }
      }
    })),
    HttpApiEndpoint.post("removeDropFile", "/remove-drop-file", {
      payload: Schema.Struct({ ...OfDrop, fileId: FileId }),
      success: Schema.Struct({ removed: Schema.Boolean }),
      error: [ApiError.NotFound, ...storage]
    }).annotateMerge(operation({
      ...step,
      description:
        "Takes back a file of a delivery that is not finished: it is deleted for good, and its bytes are free for others. `removed` is false when " +
        "the delivery has no such file. In a finished delivery it is 403 `not_allowed`.",
      effect: "deletes",
      example: { request: { dropToken, fileId: Examples.photoId }, answer: { removed: true } }
    })),
    HttpApiEndpoint.post("selectDrop", "/select-drop", {
      payload: Schema.Struct(OfDrop),
      success: Schema.Struct({
        id: DropId,
        senderName: Schema.String,
        note: Schema.NullOr(Schema.String),
        files: Schema.Array(
          Schema.Struct({ id: FileId, clientKey: Schema.String, fileName: Schema.String, fileSize: Schema.Int })
        ),
        uploads: Schema.Array(
          Schema.Struct({
            clientKey: Schema.String,
            fileName: Schema.String,
            fileSize: Schema.Int,
            storedBytes: Schema.Int
          })
        ),
        finished: Schema.Boolean
      }),
      error: [ApiError.NotFound, ...storage]
    }).annotateMerge(operation({
      ...step,
      description:
        "Returns the delivery as its sender knows it, to continue it after a reload: `files` are those handed over, under the names they were sent " +
        "with, `uploads` those sent in parts that are not handed over yet, with the bytes that are stored. Nothing of other senders is in it, nor " +
        "what the owner has done with the files.",
      effect: "reads",
      example: {
        request: { dropToken },
        answer: {
          id: dropId,
          senderName: "Grace",
          note: "The photos of Saturday",
          files: [{
            id: Examples.photoId,
            clientKey: "tram-28.jpg 2483112",
            fileName: photo.fileName,
            fileSize: photo.fileSize
          }],
          uploads: [{
            clientKey: video.clientKey,
            fileName: video.fileName,
            fileSize: video.fileSize,
            storedBytes: 2 * partSize
          }],
          finished: false
        }
      }
    })),
    HttpApiEndpoint.post("finishDrop", "/finish-drop", {
      payload: Schema.Struct(OfDrop),
      success: Schema.Struct({ finished: Schema.Literal(true) }),
      error: [ApiError.NotFound, ...storage]
    }).annotateMerge(operation({
      ...step,
      description:
        "Finishes the delivery: its owner is told of it, unless nothing was sent, and it no longer accepts files. What was begun and not handed over is " +
        "removed. It works whatever has become of the request, and is safe to repeat. A delivery that nothing happened in for a day is " +
        "finished by the drive.",
      effect: "changes",
      example: { request: { dropToken }, answer: { finished: true } }
    }))
  )
  .middleware(PublicLink)
  .annotateMerge(OpenApi.annotations({
    title: "Deliveries",
    description:
      "What people without an account do to send files to a file request: start a delivery, send files, finish it."
  }))
{}
