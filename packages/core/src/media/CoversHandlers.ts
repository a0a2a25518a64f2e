/** Binds {@link CoversApi} to {@link Covers}. */
import { Effect } from "effect"
import { Api } from "../http/Api.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Covers } from "./Covers.ts"

export const CoversHandlers = Handlers.group(
  Api,
  "covers",
  Effect.gen(function*() {
    const covers = yield* Covers

    return {
      setCover: ({ payload }) => Effect.mapError(covers.set(payload), fromDriveError),
      setVideoThumbnail: ({ payload }) =>
        covers.setVideoThumbnail(payload).pipe(Effect.as({ success: true }), Effect.mapError(fromDriveError))
    }
  })
)
