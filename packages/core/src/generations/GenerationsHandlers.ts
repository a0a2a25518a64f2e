/** Binds {@link GenerationsApi} to {@link Generations}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { destinationOf } from "../organize/Choice.ts"
import { Generations } from "./Generations.ts"
import { GenerationsApi } from "./GenerationsApi.ts"

export const GenerationsHandlers = Handlers.group(
  GenerationsApi,
  Effect.gen(function*() {
    const generations = yield* Generations

    return {
      generateImage: ({ payload: { folder, folderId, ...choice } }) =>
        destinationOf({ folder, folderId }).pipe(
          Effect.flatMap((to) => generations.generate({ ...choice, to })),
          Effect.mapError(fromDriveError)
        ),
      selectGenerations: ({ payload: { ids } }) =>
        generations.select(ids).pipe(
          Effect.map((found) => Handlers.plain({ generations: found })),
          Effect.mapError(fromDriveError)
        ),
      selectGenerationHistory: ({ payload }) =>
        generations.history(payload ?? {}).pipe(Effect.map(Handlers.plain), Effect.mapError(fromDriveError)),
      cancelGeneration: ({ payload: { id } }) =>
        generations.cancel(id).pipe(Effect.map((cancelled) => ({ cancelled })), Effect.mapError(fromDriveError)),
      getImageAllowance: () => Effect.mapError(generations.allowance, fromDriveError)
    }
  })
)
