/** Binds {@link ViewsApi} to {@link Views}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Views } from "./Views.ts"
import { ViewsApi } from "./ViewsApi.ts"
import { ViewsQuery } from "./ViewsQuery.ts"

const everything = ViewsQuery.make({})

export const ViewsHandlers = Handlers.group(
  ViewsApi,
  Effect.gen(function*() {
    const views = yield* Views
    return {
      selectFileViews: ({ payload }) =>
        views.select(payload ?? everything).pipe(
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        )
    }
  })
)
