/** Binds {@link ReadingApi} to {@link Reading}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Reading } from "./Reading.ts"
import { ReadingApi } from "./ReadingApi.ts"

export const ReadingHandlers = Handlers.group(
  ReadingApi,
  Effect.gen(function*() {
    const reading = yield* Reading

    return {
      readFile: ({ payload }) =>
        reading.read(payload).pipe(
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        )
    }
  })
)
