/** Binds {@link TagsApi} to {@link Tags}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { Tags } from "./Tags.ts"
import { TagsApi } from "./TagsApi.ts"

export const TagsHandlers = Handlers.group(
  TagsApi,
  Effect.gen(function*() {
    const tags = yield* Tags
    return {
      tagFiles: ({ payload: { action = "add", fileIds, tags: texts } }) =>
        Effect.mapError(tags.change(fileIds, texts, action), fromDriveError),
      updateFileTags: ({ payload: { action, fileIds, tagId } }) =>
        tags.changeOne(fileIds, tagId, action).pipe(Effect.as({}), Effect.mapError(fromDriveError)),
      renameTag: ({ payload: { tagId, text } }) => Effect.mapError(tags.rename(tagId, text), fromDriveError),
      deleteTag: ({ payload: { tagId } }) => tags.delete(tagId).pipe(Effect.as({}), Effect.mapError(fromDriveError))
    }
  })
)
