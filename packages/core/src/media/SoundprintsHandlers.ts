/** Binds {@link SoundprintsApi} to {@link Soundprints}. */
import { Effect } from "effect"
import { Api } from "../http/Api.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Soundprints } from "./Soundprints.ts"

export const SoundprintsHandlers = Handlers.group(
  Api,
  "soundprints",
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
