/** Binds {@link UploadsApi} to {@link Forms}, {@link Uploads} and {@link Inserts}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Forms } from "./Forms.ts"
import { Inserts } from "./Inserts.ts"
import type { PlacedPart } from "./PartPlan.ts"
import { Uploads } from "./Uploads.ts"
import { UploadsApi } from "./UploadsApi.ts"
import type { SignedPart } from "./UploadTokens.ts"

const storedPart = ({ partNumber, sizeBytes }: PlacedPart) => ({ partNumber, size: sizeBytes })
const signedPart = ({ partNumber, sizeBytes, url }: SignedPart) => ({ partNumber, url, size: sizeBytes })

export const UploadsHandlers = Handlers.group(
  UploadsApi,
  Effect.gen(function*() {
    const forms = yield* Forms
    const inserts = yield* Inserts
    const uploads = yield* Uploads

    return {
      generateFileUrls: ({ payload }) =>
        forms.create(payload).pipe(
          Effect.map(({ fields, url }) => ({ uploadUrl: url, uploadForm: fields, downloadUrl: null })),
          Effect.mapError(fromDriveError)
        ),
      cancelFileUrls: ({ payload }) =>
        forms.cancel(payload.objectKey).pipe(
          Effect.map((cancelled) => ({ cancelled })),
          Effect.mapError(fromDriveError)
        ),
      insertFile: ({ payload }) =>
        inserts.insert(payload).pipe(Effect.map((id) => ({ id })), Effect.mapError(fromDriveError)),
      createMultipartUpload: ({ payload }) =>
        uploads.open(payload).pipe(
          Effect.map(({ expireTime, id, plan, resumed, signed, stored, token }) => ({
            token,
            uploadId: id,
            resumed,
            partSize: plan.partSizeBytes,
            partCount: plan.partCount,
            parts: stored.map(storedPart),
            signedParts: signed.map(signedPart),
            expiresAt: expireTime,
            downloadUrl: null
          })),
          Effect.mapError(fromDriveError)
        ),
      signUploadParts: ({ payload }) =>
        uploads.signParts(payload.token, payload.partNumbers).pipe(
          Effect.map(({ expireTime, parts }) => ({ parts: parts.map(signedPart), expiresAt: expireTime })),
          Effect.mapError(fromDriveError)
        ),
      completeMultipartUpload: ({ payload }) =>
        uploads.complete(payload.token).pipe(
          Effect.map(({ objectKey, sizeBytes }) => ({ bucket: "private" as const, objectKey, fileSize: sizeBytes })),
          Effect.mapError(fromDriveError)
        ),
      abortMultipartUpload: ({ payload }) =>
        uploads.abort(payload.token).pipe(
          Effect.map((aborted) => ({ aborted })),
          Effect.mapError(fromDriveError)
        )
    }
  })
)
