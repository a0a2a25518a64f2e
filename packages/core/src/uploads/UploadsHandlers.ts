/** Binds {@link UploadsApi} to {@link Forms}, {@link Uploads} and {@link Inserts}. */
import { Effect } from "effect"
import { allowed } from "../accounts/CurrentAccount.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as Failure from "../http/Failure.ts"
import * as Handlers from "../http/Handlers.ts"
import type { DriveError } from "../shared/DriveError.ts"
import { Forms } from "./Forms.ts"
import { Inserts } from "./Inserts.ts"
import * as UploadAnswer from "./UploadAnswer.ts"
import { Uploads } from "./Uploads.ts"
import { UploadsApi } from "./UploadsApi.ts"

/** Files of one call that are worked on at a time: one transaction takes as many. */
const atOnce = 32

/** Does the same for each file; what fails for one fails for no other. A caller without the permission is refused as a whole. */
const each = <In, A, E extends DriveError, R>(files: ReadonlyArray<In>, run: (file: In) => Effect.Effect<A, E, R>) =>
  Effect.andThen(
    allowed("add"),
    Effect.forEach(
      files,
      (file) => Effect.catch(run(file), (error) => Effect.succeed({ failure: Failure.of(error) })),
      { concurrency: atOnce }
    )
  )

export const UploadsHandlers = Handlers.group(
  UploadsApi,
  Effect.gen(function*() {
    const forms = yield* Forms
    const inserts = yield* Inserts
    const uploads = yield* Uploads

    return {
      generateFileUrls: ({ payload }) =>
        forms.create(payload).pipe(
          Effect.map(UploadAnswer.ofForm(payload)),
          Effect.mapError(fromDriveError)
        ),
      generateUploadForms: ({ payload }) =>
        each(payload.files, (file) => Effect.map(forms.create(file), UploadAnswer.ofForm(file))).pipe(
          Effect.map((forms) => ({ forms })),
          Effect.mapError(fromDriveError)
        ),
      cancelFileUrls: ({ payload }) =>
        forms.cancel(payload.objectKey).pipe(
          Effect.map((cancelled) => ({ cancelled })),
          Effect.mapError(fromDriveError)
        ),
      insertFile: ({ payload }) => Effect.mapError(inserts.insert(payload), fromDriveError),
      insertFiles: ({ payload }) =>
        each(payload.files, inserts.insert).pipe(
          Effect.map((files) => ({ files })),
          Effect.mapError(fromDriveError)
        ),
      createMultipartUpload: ({ payload }) =>
        uploads.open(payload).pipe(
          Effect.map(UploadAnswer.ofUpload(payload)),
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
