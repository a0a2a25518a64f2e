/** Binds {@link SoundprintsApi} to {@link Soundprints}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Soundprints } from "./Soundprints.ts"
import { SoundprintsApi } from "./SoundprintsApi.ts"

export const SoundprintsHandlers = Handlers.group(
  SoundprintsApi,
  Effect.gen(function*() {
    const soundprints = yield* Soundprints

    return {
      selectSimilarTracks: ({ payload: { fileId, limit } }) =>
        soundprints.similar(fileId, limit).pipe(
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        )
    }
  })
)
