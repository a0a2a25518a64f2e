/** The answers of uploads: to the owner of the account, and to senders. Spec: "Upload". */
import { Schema } from "effect"
import type { SignedForm } from "../ports/ObjectStore.ts"
import { Time } from "../shared/Time.ts"
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
  downloadUrl: Schema.NullOr(Schema.String)
})

/** Answer of `/sign-upload-parts`. */
export const SignedParts = Schema.Struct({ parts: Schema.Array(SignedPart), expiresAt: Time })

const storedPart = ({ partNumber, sizeBytes }: PlacedPart) => ({ partNumber, size: sizeBytes })
const signedPart = ({ partNumber, sizeBytes, url }: SignedUploadPart) => ({ partNumber, url, size: sizeBytes })

export const ofForm = ({ fields, url }: SignedForm): typeof FileUrls.Type => ({
  uploadUrl: url,
  uploadForm: fields,
  downloadUrl: null
})

export const ofUpload = ({ expireTime, id, plan, resumed, signed, stored, token }: OpenedUpload) => ({
  token,
  uploadId: id,
  resumed,
  partSize: plan.partSizeBytes,
  partCount: plan.partCount,
  parts: stored.map(storedPart),
  signedParts: signed.map(signedPart),
  expiresAt: expireTime,
  downloadUrl: null
})

export const ofParts = (
  { expireTime, parts }: { readonly parts: ReadonlyArray<SignedUploadPart>; readonly expireTime: typeof Time.Type }
) => ({ parts: parts.map(signedPart), expiresAt: expireTime })
