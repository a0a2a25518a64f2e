/** Binds {@link CollectionsApi} to {@link Collections}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Collections } from "./Collections.ts"
import { CollectionsApi } from "./CollectionsApi.ts"

export const CollectionsHandlers = Handlers.group(
  CollectionsApi,
  Effect.gen(function*() {
    const collections = yield* Collections
    return {
      // Thousands of rows that are JSON as they are; encoding them by their schema would only check them.
      selectCollections: () =>
        collections.select.pipe(
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        )
    }
  })
)
