/** Binds {@link RequestsApi} to {@link Requests}, and {@link PublicRequestsApi} to {@link PublicRequests}. */
import { Effect, Layer } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { PublicRequests } from "./PublicRequests.ts"
import { PublicRequestsApi } from "./PublicRequestsApi.ts"
import type { StoredRequest } from "./Request.ts"
import { Requests } from "./Requests.ts"
import { RequestsApi } from "./RequestsApi.ts"

const made = ({ expireTime, folder, id, maxBytes, message, passwordHash, title }: StoredRequest) => ({
  id,
  title,
  message,
  expireTime,
  maxBytes,
  folder,
  hasPassword: passwordHash !== null
})

const OwnerHandlers = Handlers.group(
  RequestsApi,
  Effect.gen(function*() {
    const requests = yield* Requests
    return {
      createFileRequest: ({ payload }) =>
        requests.create(payload).pipe(Effect.mapBoth({ onSuccess: made, onFailure: fromDriveError }))
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
