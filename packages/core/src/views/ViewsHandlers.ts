/** Binds {@link ViewsApi} to {@link Views}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Views } from "./Views.ts"
import { ViewsApi } from "./ViewsApi.ts"

export const ViewsHandlers = Handlers.group(
  ViewsApi,
  Effect.gen(function*() {
    const views = yield* Views
    return {
      selectFileViews: ({ payload }) =>
        views.select(payload ?? {}).pipe(
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        )
    }
  })
)
