/** Binds {@link UploadsApi} to {@link Forms}, {@link Uploads} and {@link Inserts}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Forms } from "./Forms.ts"
import { Inserts } from "./Inserts.ts"
import * as UploadAnswer from "./UploadAnswer.ts"
import { Uploads } from "./Uploads.ts"
import { UploadsApi } from "./UploadsApi.ts"

export const UploadsHandlers = Handlers.group(
  UploadsApi,
  Effect.gen(function*() {
    const forms = yield* Forms
    const inserts = yield* Inserts
    const uploads = yield* Uploads

    return {
      generateFileUrls: ({ payload }) =>
        forms.create(payload).pipe(
          Effect.map(UploadAnswer.ofForm),
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
          Effect.map(UploadAnswer.ofUpload),
          Effect.mapError(fromDriveError)
        ),
      signUploadParts: ({ payload }) =>
        uploads.signParts(payload.token, payload.partNumbers).pipe(
          Effect.map(UploadAnswer.ofParts),
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
