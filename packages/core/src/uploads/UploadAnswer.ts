/** The answers of uploads: to the owner of the account, and to senders. Spec: "Upload". */
import { Schema } from "effect"
import type { SignedForm } from "../ports/ObjectStore.ts"
import { FileId } from "../shared/Ids.ts"
import { Time } from "../shared/Time.ts"
import type { FileInput } from "./FileInput.ts"
import { PartNumber, type PlacedPart } from "./PartPlan.ts"
import type { OpenedUpload } from "./UploadOpening.ts"
import type { SignedPart as SignedUploadPart } from "./UploadTokens.ts"

export const StoredPart = Schema.Struct({ partNumber: PartNumber.schema, size: Schema.Int }).annotate({
  identifier: "StoredPart"
})

export const SignedPart = Schema.Struct({
  partNumber: PartNumber.schema,
  /** PUT exactly `size` bytes here, within a day. */
  url: Schema.String,
  size: Schema.Int
}).annotate({ identifier: "SignedPart" })

/** The file's name as it is kept: without characters that turn the direction of text. */
const fileName = Schema.String

/** Answer of `/generate-file-urls`. */
export const FileUrls = Schema.Struct({
  /** POST the file here as multipart/form-data. */
  uploadUrl: Schema.String,
  /** Every field goes first and unchanged; the field `file` comes last. */
  uploadForm: Schema.Record(Schema.String, Schema.String),
  /** Null: a file under `users/` begins private. */
  downloadUrl: Schema.NullOr(Schema.String),
  fileName
})

/** Answer of `/create-multipart-upload`. */
export const MultipartUpload = Schema.Struct({
  /** Good for seven days. */
  token: Schema.String,
  uploadId: Schema.String,
  /** Whether this continues an upload that was open. */
  resumed: Schema.Boolean,
  partSize: Schema.Int,
  partCount: Schema.Int,
  /** Parts that are stored already. */
  parts: Schema.Array(StoredPart),
  /** URLs of the first 100 parts that are not. */
  signedParts: Schema.Array(SignedPart),
  /** When the signed URLs stop working. */
  expiresAt: Time,
  downloadUrl: Schema.NullOr(Schema.String),
  fileName
})

/** Answer of `/sign-upload-parts`. */
export const SignedParts = Schema.Struct({ parts: Schema.Array(SignedPart), expiresAt: Time })

const storedPart = ({ partNumber, sizeBytes }: PlacedPart) => ({ partNumber, size: sizeBytes })
const signedPart = ({ partNumber, sizeBytes, url }: SignedUploadPart) => ({ partNumber, url, size: sizeBytes })

/** Answer of `/insert-file`. */
export const Inserted = Schema.Struct({ id: FileId, fileName })

type Named = Pick<FileInput, "fileName">

export const ofForm = ({ fileName }: Named) => ({ fields, url }: SignedForm): typeof FileUrls.Type => ({
  uploadUrl: url,
  uploadForm: fields,
  downloadUrl: null,
  fileName
})

export const ofUpload =
  ({ fileName }: Named) => ({ expireTime, id, plan, resumed, signed, stored, token }: OpenedUpload) => ({
    token,
    uploadId: id,
    resumed,
    partSize: plan.partSizeBytes,
    partCount: plan.partCount,
    parts: stored.map(storedPart),
    signedParts: signed.map(signedPart),
    expiresAt: expireTime,
    downloadUrl: null,
    fileName
  })

export const ofParts = (
  { expireTime, parts }: { readonly parts: ReadonlyArray<SignedUploadPart>; readonly expireTime: typeof Time.Type }
) => ({ parts: parts.map(signedPart), expiresAt: expireTime })
