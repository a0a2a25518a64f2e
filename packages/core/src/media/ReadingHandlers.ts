/** Binds {@link ReadingApi} to {@link Reading}. */
import { Effect } from "effect"
import { Api } from "../http/Api.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Reading } from "./Reading.ts"

export const ReadingHandlers = Handlers.group(
  Api,
  "reading",
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
