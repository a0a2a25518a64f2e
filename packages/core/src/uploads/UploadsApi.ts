/** The HTTP contract of uploads. Declarations only; no handler code. Spec: "Upload". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { FileId } from "../shared/Ids.ts"
import { Time } from "../shared/Time.ts"
import { FileInput, FileInsert } from "./FileInput.ts"

/** Storage did not answer. */
const storage = ApiError.BadGateway

const PartNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

const StoredPart = Schema.Struct({ partNumber: PartNumber, size: Schema.Int }).annotate({ identifier: "StoredPart" })

const SignedPart = Schema.Struct({
  partNumber: PartNumber,
  /** PUT exactly `size` bytes here, within a day. */
  url: Schema.String,
  size: Schema.Int
}).annotate({ identifier: "SignedPart" })

const UploadToken = Schema.Struct({ token: Schema.String }).annotate({ identifier: "UploadToken" })

/** Answer of `/generate-file-urls`. */
export const FileUrls = Schema.Struct({
  /** POST the file here as multipart/form-data. */
  uploadUrl: Schema.String,
  /** Every field goes first and unchanged; the field `file` comes last. */
  uploadForm: Schema.Record(Schema.String, Schema.String),
  /** Null: a file under `users/` begins private. */
  downloadUrl: Schema.NullOr(Schema.String)
})

/** Answer of `/create-multipart-upload`. */
export const MultipartUpload = Schema.Struct({
  /** Good for seven days. */
  token: Schema.String,
  uploadId: Schema.String,
  /** Whether this goes on with an upload that was open. */
  resumed: Schema.Boolean,
  partSize: Schema.Int,
  partCount: Schema.Int,
  /** Parts that are stored already. */
  parts: Schema.Array(StoredPart),
  /** URLs of the first 100 parts that are not. */
  signedParts: Schema.Array(SignedPart),
  /** When the signed URLs stop working. */
  expiresAt: Time,
  downloadUrl: Schema.NullOr(Schema.String)
})

export class UploadsApi extends HttpApiGroup.make("uploads")
  .add(
    HttpApiEndpoint.post("generateFileUrls", "/generate-file-urls", {
      payload: FileInput,
      success: FileUrls,
      error: storage
    }),
    HttpApiEndpoint.post("cancelFileUrls", "/cancel-file-urls", {
      payload: Schema.Struct({
        /** As given to `/generate-file-urls`. */
        objectKey: Schema.String
      }),
      /** Whether a form was open. Its bytes are given back, and what it still sends is refused or removed. */
      success: Schema.Struct({ cancelled: Schema.Boolean })
    }),
    HttpApiEndpoint.post("insertFile", "/insert-file", {
      payload: FileInsert,
      success: Schema.Struct({ id: FileId }),
      error: storage
    }),
    HttpApiEndpoint.post("createMultipartUpload", "/create-multipart-upload", {
      payload: FileInput,
      success: MultipartUpload,
      error: storage
    }),
    HttpApiEndpoint.post("signUploadParts", "/sign-upload-parts", {
      payload: Schema.Struct({
        token: Schema.String,
        partNumbers: Schema.Array(PartNumber).check(
          Schema.isBetweenLength(Limits.partsPerSignCall.min, Limits.partsPerSignCall.max)
        )
      }),
      success: Schema.Struct({ parts: Schema.Array(SignedPart), expiresAt: Time }),
      error: [ApiError.NotFound, storage]
    }),
    HttpApiEndpoint.post("completeMultipartUpload", "/complete-multipart-upload", {
      payload: UploadToken,
      success: Schema.Struct({
        bucket: Schema.Literals(["private", "public"]),
        objectKey: Schema.String,
        fileSize: Schema.Int
      }),
      error: [ApiError.NotFound, ApiError.Conflict, storage]
    }),
    HttpApiEndpoint.post("abortMultipartUpload", "/abort-multipart-upload", {
      payload: UploadToken,
      success: Schema.Struct({ aborted: Schema.Boolean })
    })
  )
  .middleware(Session)
  .annotateMerge(
    OpenApi.annotations({
      title: "Uploads",
      description: "Bytes go straight to storage, in one piece on a form or in parts; then the file is recorded."
    })
  )
{}
