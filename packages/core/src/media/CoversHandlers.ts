/** Binds {@link CoversApi} to {@link Covers}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Covers } from "./Covers.ts"
import { CoversApi } from "./CoversApi.ts"

export const CoversHandlers = Handlers.group(
  CoversApi,
  Effect.gen(function*() {
    const covers = yield* Covers

    return {
      setCover: ({ payload }) => Effect.mapError(covers.set(payload), fromDriveError),
      setVideoThumbnail: ({ payload }) =>
        covers.setVideoThumbnail(payload).pipe(Effect.as({ success: true }), Effect.mapError(fromDriveError))
    }
  })
)
