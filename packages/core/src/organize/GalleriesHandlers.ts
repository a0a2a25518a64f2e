/** Binds {@link GalleriesApi} to {@link Lists} and {@link ListContents}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { OptionalAccount } from "../http/Session.ts"
import { GalleriesApi } from "./GalleriesApi.ts"
import type { Additions, ListItem, Removals } from "./List.ts"
import { ListContents } from "./ListContents.ts"
import { Lists } from "./Lists.ts"

const additions = ({ list, ...changes }: Additions) => ({ ...list, ...changes })
const removals = ({ list, removed }: Removals) => ({ ...list, removed })
const ordered = ({ fileCount, id, isPublic, title }: ListItem) => ({ id, title, isPublic, fileCount })

export const GalleriesHandlers = Handlers.group(
  GalleriesApi,
  Effect.gen(function*() {
    const lists = yield* Lists
    const contents = yield* ListContents

    return {
      createGallery: ({ payload }) =>
        lists.create("gallery", payload).pipe(Effect.mapBoth({ onSuccess: additions, onFailure: fromDriveError })),
      addToGallery: ({ payload: { featuredIds, fileIds, galleryId } }) =>
        lists.add("gallery", galleryId, fileIds, featuredIds).pipe(
          Effect.mapBoth({ onSuccess: additions, onFailure: fromDriveError })
        ),
      reorderGallery: ({ payload: { featuredIds = null, fileIds, galleryId } }) =>
        lists.reorder("gallery", galleryId, fileIds, featuredIds).pipe(
          Effect.mapBoth({ onSuccess: ordered, onFailure: fromDriveError })
        ),
      removeFromGallery: ({ payload: { fileIds, galleryId } }) =>
        lists.remove("gallery", galleryId, fileIds).pipe(
          Effect.mapBoth({ onSuccess: removals, onFailure: fromDriveError })
        ),
      renameGallery: ({ payload: { galleryId, title } }) =>
        Effect.mapError(lists.rename("gallery", galleryId, title), fromDriveError),
      updateGalleryDescription: ({ payload: { description, galleryId } }) =>
        Effect.mapError(lists.describe("gallery", galleryId, description), fromDriveError),
      setGalleryPublic: ({ payload: { galleryId, isPublic } }) =>
        lists.setPublic("gallery", galleryId, isPublic).pipe(
          Effect.mapBoth({ onSuccess: removals, onFailure: fromDriveError })
        ),
      deleteGallery: ({ payload: { galleryId } }) =>
        lists.delete("gallery", galleryId).pipe(Effect.as({}), Effect.mapError(fromDriveError)),
      selectGallery: ({ payload: { galleryId, ...page } }) =>
        OptionalAccount.pipe(
          Effect.flatMap((account) => contents.page("gallery", galleryId, page, account)),
          Effect.mapBoth({ onSuccess: Handlers.plain, onFailure: fromDriveError })
        )
    }
  })
)
