/** The HTTP contract of uploads. Declarations only; no handler code. Spec: "Upload". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ObjectKey } from "../files/ObjectKey.ts"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { Failed } from "../http/Failure.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { FileInput, FileInputs, FileInsert, FileInserts } from "./FileInput.ts"
import { PartNumbers } from "./PartPlan.ts"
import { UploadToken } from "./Upload.ts"
import { FileUrls, Inserted, MultipartUpload, SignedParts } from "./UploadAnswer.ts"

/** Storage did not answer, or has lost the bytes. */
const storage = ApiError.ofStorage

const OfUpload = Schema.Struct({ token: UploadToken }).annotate({ identifier: "UploadToken" })

/** What the operations of an upload have in common. A client runs them, not an agent. */
const step = { permissions: ["add"], isRepeatable: true, tool: null } as const

const { fileInput } = Examples
const formExample = {
  uploadUrl: "https://storage.example.com/private",
  uploadForm: {
    key: `incoming/${Examples.userId}/${Examples.photoId}`,
    "Content-Type": "image/jpeg",
    "Content-Disposition": "inline; filename=\"tram-28.jpg\"",
    "Cache-Control": "private, max-age=21600",
    policy: "eyJleHBpcmF0aW9uIjoiMjAyNi0wOS0zMFQxMjowMDowMFoifQ==",
    "x-amz-signature": "5f2c9e"
  },
  downloadUrl: null,
  fileName: fileInput.fileName
}
const other = { ...fileInput, fileName: "tram-15.jpg", objectKey: `${fileInput.objectKey}-15` }
const tokenExample = "fdu_Zk9qW2rT5yU8iO1pA4sD7fG0hJ3kL6xC9vB2nM5qE8w"
const partSize = 64 * 1024 ** 2
const video = { ...fileInput, type: "Video", fileName: "tram.mp4", fileSize: 150_000_000, mimeType: "video/mp4" }
const lastPart = { partNumber: 3, url: Examples.link("parts/3"), size: video.fileSize - 2 * partSize }
const expiresAt = "2026-09-29T12:00:00.000Z"

export class UploadsApi extends HttpApiGroup.make("uploads")
  .add(
    HttpApiEndpoint.post("generateFileUrls", "/generate-file-urls", {
      payload: FileInput,
      success: FileUrls,
      error: storage
    }).annotateMerge(operation({
      ...step,
      description:
        "Begins the upload of a file in one piece. 1. Make this call: `fileSize` is the exact number of bytes, `objectKey` is " +
        "your own name for the object, `users/{userId}/…` (`userId` as `/exchange-token` returns it), `mimeType` is what the " +
        "file is served as. 2. POST the file to `uploadUrl` as multipart/form-data: every field of `uploadForm` first, with its " +
        "name and value unchanged, and the bytes last, as the field `file`. The form is its own authorization: send no session. " +
        "Storage refuses it when the bytes are not exactly `fileSize` or a field differs. 3. When storage has answered with a status of " +
        "2xx, call `/insert-file` with the same fields: only then the file is in the drive. The form works for two days. It " +
        "reserves `fileSize` bytes of the quota until the file is inserted, the form is cancelled (`/cancel-file-urls`) or has " +
        "expired; a new form for the same `objectKey` replaces it. Past the quota is 400 `storage_limit_reached`, the key of a " +
        "file 400 `object_key_taken`, more than 1,000 open forms 403 `too_many_forms`, a user without a plan 403 `no_plan`. " +
        "`downloadUrl` is null, since a file begins private. A large file is better sent in parts (`/create-multipart-upload`); one " +
        "too large for a form is 400 naming `fileSize`.",
      effect: "changes",
      example: {
        request: fileInput,
        answer: formExample
      }
    })),
    HttpApiEndpoint.post("generateUploadForms", "/generate-upload-forms", {
      payload: FileInputs,
      success: Schema.Struct({ forms: Schema.Array(Schema.Union([FileUrls, Failed])) }),
      error: storage
    }).annotateMerge(operation({
      ...step,
      description:
        "Begins the uploads of 1 to 100 files in one piece: the same as a call of `/generate-file-urls` for each of `files`, in fewer " +
        "requests. `forms` has one entry for each, in the same order: what that call answers, or its `failure`, with the status and the " +
        "body that the call would have had. A file that is refused refuses no other. A body that is malformed is refused as a whole.",
      effect: "changes",
      example: {
        request: { files: [fileInput, other] },
        answer: {
          forms: [formExample, {
            failure: {
              status: 400,
              error: "objectKey is taken by another file or upload.",
              code: "object_key_taken",
              field: "objectKey",
              retryable: false
            }
          }]
        }
      }
    })),
    HttpApiEndpoint.post("cancelFileUrls", "/cancel-file-urls", {
      payload: Schema.Struct({
        /** As given to `/generate-file-urls`. */
        objectKey: ObjectKey
      }),
      /** Whether a form was open. Its bytes are released, and what is still sent with it is refused or removed. */
      success: Schema.Struct({ cancelled: Schema.Boolean })
    }).annotateMerge(operation({
      ...step,
      description:
        "Cancels the open form of an `objectKey`, as it was given to `/generate-file-urls`. The bytes it reserved are released to " +
        "the quota at once; what was sent with it and is not inserted is removed, and what is still sent is removed or refused. `cancelled` is false when no " +
        "form of the key is open.",
      effect: "deletes",
      example: { request: { objectKey: fileInput.objectKey }, answer: { cancelled: true } }
    })),
    HttpApiEndpoint.post("insertFile", "/insert-file", {
      payload: FileInsert,
      success: Inserted,
      error: storage
    }).annotateMerge(operation({
      ...step,
      description: "Makes a file of stored bytes, the last step of every upload: after storage accepted the form of " +
        "`/generate-file-urls`, or after `/complete-multipart-upload`. Send the fields that began the upload. `objectKey` says " +
        "which bytes, and `fileSize` must be the size that is stored: another is 400 `size_mismatch`. While no bytes are stored " +
        "under the key it is 400 `object_not_found`. The drive detects the kind from the bytes: where it is another one, that kind " +
        "is recorded and not `type` and `mimeType`. `isPublic` changes nothing: a file begins private, and `/toggle-file-access` " +
        "makes it public. `creator.id`, when given, must be your own id. The metadata of a track, video or image is extracted soon " +
        "after (`metadataStatus` of the file's record). The call is safe to repeat: the same key and size return the same `id`, and " +
        "nothing is stored or charged twice.",
      effect: "changes",
      example: {
        request: { ...fileInput, isPublic: false, creator: { id: Examples.userId } },
        answer: { id: Examples.photoId, fileName: fileInput.fileName }
      }
    })),
    HttpApiEndpoint.post("insertFiles", "/insert-files", {
      payload: FileInserts,
      success: Schema.Struct({ files: Schema.Array(Schema.Union([Inserted, Failed])) }),
      error: storage
    }).annotateMerge(operation({
      ...step,
      description:
        "Makes files of stored bytes: the same as a call of `/insert-file` for each of `files`, 1 to 100 of them, in fewer requests. " +
        "The answer has one entry for each, in the same order: the `id`, or the `failure` with the status and the body that the call " +
        "would have had. A file that is refused refuses no other. A body that is malformed is refused as a whole. Safe to repeat.",
      effect: "changes",
      example: {
        request: { files: [fileInput, other] },
        answer: {
          files: [{ id: Examples.photoId, fileName: fileInput.fileName }, {
            failure: {
              status: 400,
              error: "objectKey: nothing is stored for it.",
              code: "object_not_found",
              field: "objectKey",
              retryable: false
            }
          }]
        }
      }
    })),
    HttpApiEndpoint.post("createMultipartUpload", "/create-multipart-upload", {
      payload: FileInput,
      success: MultipartUpload,
      error: storage
    }).annotateMerge(operation({
      ...step,
      description:
        "Begins the upload of a file in parts, or continues it: for files of up to 2 TB, and where a connection may break. " +
        "1. Make this call, with the fields as for `/generate-file-urls`. The file has `partCount` parts of `partSize` bytes, the " +
        "last one the rest. 2. PUT the bytes of each part to its URL: part n begins at byte (n − 1) × `partSize` and has exactly " +
        "`size` bytes. The URL is its own authorization; parts may be sent in any order and in parallel. `signedParts` has URLs of the " +
        "first 100 parts that are not stored, good until `expiresAt`; `/sign-upload-parts` gives the others, and new ones. 3. Call " +
        "`/complete-multipart-upload` with `token`. 4. Call `/insert-file` with the same fields. To resume, make this call again with the " +
        "same `objectKey` and `fileSize`: `resumed` is true, `parts` are those stored already, and only the others are to be sent. " +
        "For a file of another size the parts that fit its plan are kept; when they don't fit, the upload begins again. `token` is valid for " +
        "seven days, and this call returns another. An open upload reserves the bytes of the largest file it was opened for; it is " +
        "aborted when no part arrived for seven days. An empty file has no parts: it is 400 naming `fileSize`; use a form. Refusals as of `/generate-file-urls`.",
      effect: "changes",
      example: {
        request: video,
        answer: {
          token: tokenExample,
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
    HttpApiEndpoint.post("signUploadParts", "/sign-upload-parts", {
      payload: Schema.Struct({
        token: UploadToken,
        partNumbers: PartNumbers
      }),
      success: SignedParts,
      error: [ApiError.NotFound, ...storage]
    }).annotateMerge(operation({
      ...step,
      description:
        "Returns URLs for parts of an open upload: for those that `/create-multipart-upload` did not sign, or whose URLs have expired. " +
        "`token` is the upload's, `partNumbers` are 1 to 1,000 numbers, from 1 to its `partCount`. PUT exactly `size` bytes to each " +
        "`url`, until `expiresAt`, a day from now. An upload that has ended is 404 `upload_not_found`; a token that has lapsed " +
        "or is not yours is 403.",
      effect: "changes",
      example: {
        request: { token: tokenExample, partNumbers: [3] },
        answer: { parts: [lastPart], expiresAt }
      }
    })),
    HttpApiEndpoint.post("completeMultipartUpload", "/complete-multipart-upload", {
      payload: OfUpload,
      success: Schema.Struct({
        bucket: Schema.Literals(["private", "public"]),
        objectKey: Schema.String,
        fileSize: Schema.Int
      }),
      error: [ApiError.NotFound, ApiError.Conflict, ...storage]
    }).annotateMerge(operation({
      ...step,
      description:
        "Makes one object of the parts of an upload, once all of them are stored. Storage knows which these are: send no ETags. " +
        "Parts that are missing are 409 `parts_missing`, those of another size 409 `parts_invalid`; `parts` names them: send these and " +
        "call again. Then call `/insert-file`, without which there is no file. An upload that was aborted is 404 " +
        "`upload_not_found`. A call for an upload that is complete returns the same again.",
      effect: "changes",
      example: {
        request: { token: tokenExample },
        answer: { bucket: "private", objectKey: video.objectKey, fileSize: video.fileSize }
      }
    })),
    HttpApiEndpoint.post("abortMultipartUpload", "/abort-multipart-upload", {
      payload: OfUpload,
      success: Schema.Struct({ aborted: Schema.Boolean })
    }).annotateMerge(operation({
      ...step,
      description:
        "Aborts an upload in parts: its parts are removed, and the bytes it reserved are released to the quota. `aborted` is true " +
        "when the upload is gone, by this call or before, and false when it is complete: then `/insert-file` makes a file of it.",
      effect: "deletes",
      example: { request: { token: tokenExample }, answer: { aborted: true } }
    }))
  )
  .middleware(Session)
  .annotateMerge(
    OpenApi.annotations({
      title: "Uploads",
      description:
        "Bytes are sent straight to storage, in one piece with a form or in parts; then the file is recorded."
    })
  )
{}
