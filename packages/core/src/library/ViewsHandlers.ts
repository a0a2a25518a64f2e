/** Binds {@link ViewsApi} to {@link Views}. */
import { Effect } from "effect"
import { json } from "../http/Answers.ts"
import { Api } from "../http/Api.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Views } from "./Views.ts"

export const ViewsHandlers = Handlers.group(
  Api,
  "views",
  Effect.gen(function*() {
    const views = yield* Views
    return {
      selectFileViews: ({ payload }) =>
        views.select(payload ?? {}).pipe(
          Effect.mapBoth({ onSuccess: (answer) => json(200, answer), onFailure: fromDriveError })
        )
    }
  })
)
