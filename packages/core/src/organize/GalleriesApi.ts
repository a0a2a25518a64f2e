/** The HTTP contract of galleries. Declarations only; no handler code. Spec: "Organize". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Acknowledgement } from "../http/Acknowledgement.ts"
import * as ApiError from "../http/ApiError.ts"
import { OnlyReads } from "../http/OnlyReads.ts"
import { OptionalSession, Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { ListId } from "../shared/Ids.ts"
import { Text } from "../shared/Text.ts"
import * as Fields from "./ListFields.ts"

const item = { ...Fields.item, description: Schema.NullOr(Schema.String), featuredCount: Schema.Int }

const description = Text.check(Schema.isMaxLength(Limits.descriptionMaxLength))

export class GalleriesApi extends HttpApiGroup.make("galleries")
  .add(
    HttpApiEndpoint.post("createGallery", "/create-gallery", {
      payload: Schema.Struct({
        title: Schema.String,
        description: Schema.optionalKey(Schema.NullOr(description)),
        fileIds: Schema.optionalKey(Fields.NewFileIds),
        featuredIds: Schema.optionalKey(Fields.NewFileIds),
        isPublic: Schema.optionalKey(Schema.Boolean)
      }),
      success: Schema.Struct({ ...item, ...Fields.additions }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Makes a gallery of images, in the order given; those in `featuredIds` go up front. A private one takes " +
        "every image you can see (yours, public, or shared with you), a public one only yours. Others are named in " +
        "`skipped`; so are images in trash."
    })),
    HttpApiEndpoint.post("addToGallery", "/add-to-gallery", {
      payload: Schema.Struct({
        galleryId: ListId,
        fileIds: Fields.SomeFileIds,
        featuredIds: Schema.optionalKey(Fields.FeaturedFileIds)
      }),
      success: Schema.Struct({ ...item, ...Fields.additions }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Appends images, in the order given, as `/create-gallery` takes them; new ones in `featuredIds` go up " +
        "front. Images that are in it stay as they are, and are neither in `added` nor in `skipped`."
    })),
    HttpApiEndpoint.post("reorderGallery", "/reorder-gallery", {
      payload: Schema.Struct({
        galleryId: ListId,
        fileIds: Fields.OrderedFileIds,
        featuredIds: Schema.optionalKey(Fields.FeaturedFileIds)
      }),
      success: Schema.Struct(Fields.item),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Puts the named images first, in that order. What else it holds follows as it was; unknown ids are " +
        "ignored. With `featuredIds`, the named images in it are featured and the other named ones are not; the rest, " +
        "and all without it, keep their own."
    })),
    HttpApiEndpoint.post("removeFromGallery", "/remove-from-gallery", {
      payload: Schema.Struct({ galleryId: ListId, fileIds: Fields.SomeFileIds }),
      success: Schema.Struct({ ...item, ...Fields.removals }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({ description: "Takes images out of a gallery; they stay in the drive." })),
    HttpApiEndpoint.post("renameGallery", "/rename-gallery", {
      payload: Schema.Struct({ galleryId: ListId, title: Schema.String }),
      success: Schema.Struct(item),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({ description: "Gives a gallery another title, of 1 to 200 characters." })),
    HttpApiEndpoint.post("updateGalleryDescription", "/update-gallery-description", {
      payload: Schema.Struct({ galleryId: ListId, description }),
      success: Schema.Struct(item),
      error: ApiError.NotFound
    }).annotateMerge(
      OpenApi.annotations({ description: "Describes a gallery; an empty text clears the description." })
    ),
    HttpApiEndpoint.post("setGalleryPublic", "/set-gallery-public", {
      payload: Schema.Struct({ galleryId: ListId, isPublic: Schema.Boolean }),
      success: Schema.Struct({ ...item, ...Fields.removals }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description: "Makes a gallery public or private. One that becomes public loses the images that aren't yours; " +
        "`removed` names them. The images themselves stay as public or private as they are."
    })),
    HttpApiEndpoint.post("deleteGallery", "/delete-gallery", {
      payload: Schema.Struct({ galleryId: ListId }),
      success: Acknowledgement,
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({ description: "Deletes a gallery; its images stay in the drive." }))
  )
  .middleware(Session)
  .add(
    HttpApiEndpoint.post("selectGallery", "/select-gallery", {
      payload: Schema.Struct({ galleryId: ListId, ...Fields.page }),
      success: Schema.Struct({ ...item, ...Fields.pageAnswer, featuredIds: Fields.FileIds }),
      error: [ApiError.NotFound, ApiError.Forbidden]
    }).annotate(OnlyReads, true)
      .middleware(OptionalSession)
      .annotateMerge(OpenApi.annotations({
        description:
          "A gallery and a page of its images, in order, without those in trash; `featuredIds` are those of the " +
          "page that go up front. A public one is read by anyone, without a session too, who is shown the images that " +
          "are public or shared with them.",
        transform: (operation) => ({ ...operation, security: [{ bearer: [] }, {}] })
      }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Galleries", description: "Images in an order of your own." }))
{}
