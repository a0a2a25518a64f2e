/** Binds {@link RequestsApi} to {@link Requests}, and {@link PublicRequestsApi} to {@link PublicRequests}. */
import { DateTime, Effect, Layer } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { DropDeletions } from "./DropDeletions.ts"
import { PublicRequests } from "./PublicRequests.ts"
import { PublicRequestsApi } from "./PublicRequestsApi.ts"
import type { RequestItem, StoredRequest } from "./Request.ts"
import { RequestLists } from "./RequestLists.ts"
import { Requests } from "./Requests.ts"
import { RequestsApi } from "./RequestsApi.ts"
import * as RequestState from "./RequestState.ts"

const summary = ({ expireTime, folder, id, maxBytes, message, passwordHash, title }: StoredRequest) => ({
  id,
  title,
  message,
  expireTime,
  maxBytes,
  folder,
  hasPassword: passwordHash !== null
})

const isoOf = (time: DateTime.Utc | null) => time && DateTime.formatIso(time)

/** As JSON: a list may have thousands of files. */
const listed = (request: RequestItem) => ({
  ...summary(request),
  expireTime: isoOf(request.expireTime),
  open: request.open,
  closeTime: isoOf(request.closeTime),
  insertTime: request.insertTime.toISOString(),
  receivedBytes: request.receivedBytes,
  drops: request.drops.map(({ arrivedTime, files, finishTime, id, note, senderName, viewed }) => ({
    id,
    senderName,
    note,
    arrivedTime: arrivedTime.toISOString(),
    finishTime: finishTime && finishTime.toISOString(),
    viewed,
    files
  }))
})

const OwnerHandlers = Handlers.group(
  RequestsApi,
  Effect.gen(function*() {
    const requests = yield* Requests
    const lists = yield* RequestLists
    const deletions = yield* DropDeletions
    return {
      createFileRequest: ({ payload }) =>
        requests.create(payload).pipe(Effect.mapBoth({ onSuccess: summary, onFailure: fromDriveError })),
      selectFileRequests: ({ payload }) =>
        lists.select(payload ?? {}).pipe(
          Effect.mapBoth({
            onSuccess: ({ nextCursor, requests }) => Handlers.plain({ requests: requests.map(listed), nextCursor }),
            onFailure: fromDriveError
          })
        ),
      setFileRequestOpen: ({ payload: { open, requestId } }) =>
        Effect.gen(function*() {
          const request = yield* requests.setOpen(requestId, open)
          const { closeTime, expireTime, id } = request
          return { id, open: RequestState.isOpen(request, yield* DateTime.now), closeTime, expireTime }
        }).pipe(Effect.mapError(fromDriveError)),
      updateFileRequest: ({ payload }) =>
        requests.update(payload).pipe(Effect.mapBoth({ onSuccess: summary, onFailure: fromDriveError })),
      deleteFileRequest: ({ payload: { requestId } }) =>
        requests.delete(requestId).pipe(
          Effect.mapBoth({ onSuccess: () => ({ deleted: true }), onFailure: fromDriveError })
        ),
      markDropsViewed: ({ payload: { dropIds } }) =>
        lists.markViewed(dropIds).pipe(
          Effect.mapBoth({ onSuccess: (viewed) => ({ viewed }), onFailure: fromDriveError })
        ),
      deleteDrops: ({ payload }) =>
        deletions.remove(payload).pipe(
          Effect.mapBoth({ onSuccess: (deleted) => ({ deleted }), onFailure: fromDriveError })
        )
    }
  })
)

const PublicHandlers = Handlers.group(
  PublicRequestsApi,
  Effect.gen(function*() {
    const requests = yield* PublicRequests
    return {
      openFileRequest: ({ payload: { password, requestId } }) =>
        requests.open(requestId, password).pipe(Effect.mapBoth({
          onSuccess: ({ accessToken, request }) => ({ ...request, ...accessToken !== undefined && { accessToken } }),
          onFailure: fromDriveError
        }))
    }
  })
)

export const RequestsHandlers = Layer.merge(OwnerHandlers, PublicHandlers)
