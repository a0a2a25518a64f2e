/** Binds {@link SearchApi} to {@link Search}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Search } from "./Search.ts"
import { SearchApi } from "./SearchApi.ts"
import { SearchQuery } from "./SearchQuery.ts"

const everything = SearchQuery.make({})

export const SearchHandlers = Handlers.group(
  SearchApi,
  Effect.gen(function*() {
    const { search } = yield* Search
    return {
      // Records are JSON as they are; encoding them by their schema would only check them.
      searchFiles: ({ payload }) =>
        search(payload ?? everything).pipe(
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        )
    }
  })
)
