/** Binds {@link DropsApi} to {@link Drops}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import * as UploadAnswer from "../uploads/UploadAnswer.ts"
import { Drops } from "./Drops.ts"
import { DropsApi } from "./DropsApi.ts"
import * as DropState from "./DropState.ts"

export const DropsHandlers = Handlers.group(
  DropsApi,
  Effect.gen(function*() {
    const drops = yield* Drops

    return {
      startDrop: ({ payload: { note, requestId, senderName } }) =>
        drops.start(requestId, senderName, note).pipe(
          Effect.map(({ expireTime, id, token }) => ({ dropId: id, dropToken: token, expireTime })),
          Effect.mapError(fromDriveError)
        ),
      dropFileUrls: ({ payload: { dropToken, ...file } }) =>
        drops.createForm(dropToken, file).pipe(Effect.map(UploadAnswer.ofForm(file)), Effect.mapError(fromDriveError)),
      createDropUpload: ({ payload: { dropToken, ...file } }) =>
        drops.openUpload(dropToken, file).pipe(
          Effect.map(UploadAnswer.ofUpload(file)),
          Effect.mapError(fromDriveError)
        ),
      signDropParts: ({ payload: { dropToken, partNumbers, token } }) =>
        drops.signParts(dropToken, token, partNumbers).pipe(
          Effect.map(UploadAnswer.ofParts),
          Effect.mapError(fromDriveError)
        ),
      completeDropUpload: ({ payload: { dropToken, token } }) =>
        drops.completeUpload(dropToken, token).pipe(
          Effect.map((fileSize) => ({ bucket: "private" as const, fileSize })),
          Effect.mapError(fromDriveError)
        ),
      abortDropUpload: ({ payload: { dropToken, token } }) =>
        drops.abortUpload(dropToken, token).pipe(
          Effect.map((aborted) => ({ aborted })),
          Effect.mapError(fromDriveError)
        ),
      insertDropFile: ({ payload: { dropToken, ...file } }) =>
        Effect.mapError(drops.insert(dropToken, file), fromDriveError),
      removeDropFile: ({ payload: { dropToken, fileId } }) =>
        drops.remove(dropToken, fileId).pipe(
          Effect.map((removed) => ({ removed })),
          Effect.mapError(fromDriveError)
        ),
      selectDrop: ({ payload: { dropToken } }) =>
        drops.select(dropToken).pipe(
          Effect.map(({ drop, files, uploads }) => ({
            id: drop.id,
            senderName: drop.senderName,
            note: drop.note,
            files: files.map(({ sizeBytes, ...file }) => ({ ...file, fileSize: sizeBytes })),
            uploads: uploads.map(({ clientKey, fileName, sizeBytes, storedBytes }) => ({
              clientKey,
              fileName,
              fileSize: sizeBytes,
              storedBytes
            })),
            finished: DropState.isFinished(drop)
          })),
          Effect.mapError(fromDriveError)
        ),
      finishDrop: ({ payload: { dropToken } }) =>
        drops.finish(dropToken).pipe(Effect.as({ finished: true as const }), Effect.mapError(fromDriveError))
    }
  })
)
