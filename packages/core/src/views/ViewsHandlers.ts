/** Binds {@link ViewsApi} to {@link Views}. */
import { Effect } from "effect"
import { Api } from "../http/Api.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Views } from "./Views.ts"
import { ViewsQuery } from "./ViewsQuery.ts"

const everything = ViewsQuery.make({})

export const ViewsHandlers = Handlers.group(
  Api,
  "views",
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
