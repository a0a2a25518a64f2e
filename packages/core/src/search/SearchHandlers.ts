/** Binds {@link SearchApi} to {@link Search}. */
import { Effect } from "effect"
import { Api } from "../http/Api.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Search } from "./Search.ts"

export const SearchHandlers = Handlers.group(
  Api,
  "search",
  Effect.gen(function*() {
    const { search } = yield* Search
    return {
      // Records are JSON as they are; encoding them by their schema would only check them.
      searchFiles: ({ payload }) =>
        search(payload ?? {}).pipe(
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        )
    }
  })
)
