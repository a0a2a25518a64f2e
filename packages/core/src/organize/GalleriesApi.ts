/** The HTTP contract of galleries. Declarations only; no handler code. Spec: "Organize". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Description } from "../files/FileDetail.ts"
import { Acknowledgement } from "../http/Acknowledgement.ts"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { OptionalSession, Session } from "../http/Session.ts"
import { ListId } from "../shared/Ids.ts"
import { ListTitle } from "./List.ts"
import * as Fields from "./ListFields.ts"

const item = { ...Fields.item, description: Schema.NullOr(Schema.String), featuredCount: Schema.Int }

/** What the operations on galleries have in common. */
const organizing = { permissions: ["organize"], isRepeatable: true } as const

const { galleryId, photoId } = Examples
const short = { id: galleryId, title: "Lisbon", isPublic: false, fileCount: 1 }
const gallery = { ...short, description: "A week in September", featuredCount: 1 }

export class GalleriesApi extends HttpApiGroup.make("galleries")
  .add(
    HttpApiEndpoint.post("createGallery", "/create-gallery", {
      payload: Schema.Struct({
        title: ListTitle,
        description: Schema.optionalKey(Schema.NullOr(Description)),
        fileIds: Schema.optionalKey(Fields.NewFileIds),
        featuredIds: Schema.optionalKey(Fields.NewFileIds),
        isPublic: Schema.optionalKey(Schema.Boolean)
      }),
      success: Schema.Struct({ ...item, ...Fields.additions }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Makes a gallery of up to 500 images, in the order given; those of them in `featuredIds` are featured, that is, shown first. Its title has " +
        "1 to 200 characters. A private one, the default, takes every image you can see (yours, public, or shared with you), a public one only " +
        "yours. Other files, and images in trash, are named in `skipped`. To make a public one a limited token needs the permission `share` as well.",
      effect: "changes",
      isRepeatable: false,
      needsConsent: { kind: "publish", where: { isPublic: true } },
      tool:
        "Makes a gallery of images, in the order of `fileIds`; those also in `featuredIds` are featured. Each call makes another one; to fill one " +
        "that exists use add_to_gallery.",
      example: {
        request: {
          title: gallery.title,
          description: gallery.description,
          fileIds: [photoId],
          featuredIds: [photoId]
        },
        answer: { ...gallery, added: [photoId], skipped: [] }
      }
    })),
    HttpApiEndpoint.post("addToGallery", "/add-to-gallery", {
      payload: Schema.Struct({
        galleryId: ListId,
        fileIds: Fields.SomeFileIds,
        featuredIds: Schema.optionalKey(Fields.FeaturedFileIds)
      }),
      success: Schema.Struct({ ...item, ...Fields.additions }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Appends 1 to 500 images to a gallery of yours, in the order given; new ones in `featuredIds` are featured. It accepts the same files as " +
        "`/create-gallery`. Images that are in it already stay as they are, and are neither in `added` nor in `skipped`.",
      effect: "changes",
      tool:
        "Appends images to a gallery, in the order of `fileIds`; new ones also in `featuredIds` are featured. Those that are in it already stay as they are.",
      example: {
        request: { galleryId, fileIds: [photoId], featuredIds: [photoId] },
        answer: { ...gallery, added: [photoId], skipped: [] }
      }
    })),
    HttpApiEndpoint.post("reorderGallery", "/reorder-gallery", {
      payload: Schema.Struct({
        galleryId: ListId,
        fileIds: Fields.OrderedFileIds,
        featuredIds: Schema.optionalKey(Fields.FeaturedFileIds)
      }),
      success: Schema.Struct(Fields.item),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Puts the named images of a gallery first, in that order. The other images follow in their former order; ids that are not in it are ignored. With " +
        "`featuredIds`, the named images in that list are featured and the other named ones are not. Images that are not named stay as they are, and so " +
        "do all without `featuredIds`.",
      effect: "changes",
      tool:
        "Puts images of a gallery first, in the order of `fileIds`; the others follow in their former order. With `featuredIds` it also sets which of these go " +
        "up front.",
      example: { request: { galleryId, fileIds: [photoId], featuredIds: [photoId] }, answer: short }
    })),
    HttpApiEndpoint.post("removeFromGallery", "/remove-from-gallery", {
      payload: Schema.Struct({ galleryId: ListId, fileIds: Fields.SomeFileIds }),
      success: Schema.Struct({ ...item, ...Fields.removals }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Removes 1 to 500 images from a gallery; they stay in the drive. `removed` are those that were in it.",
      effect: "changes",
      tool: "Removes images from a gallery; they stay in the drive.",
      example: {
        request: { galleryId, fileIds: [photoId] },
        answer: { ...gallery, fileCount: 0, featuredCount: 0, removed: [photoId] }
      }
    })),
    HttpApiEndpoint.post("renameGallery", "/rename-gallery", {
      payload: Schema.Struct({ galleryId: ListId, title: ListTitle }),
      success: Schema.Struct(item),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description: "Renames a gallery, to a title of 1 to 200 characters.",
      effect: "changes",
      tool: "Renames a gallery.",
      example: { request: { galleryId, title: "Lisboa" }, answer: { ...gallery, title: "Lisboa" } }
    })),
    HttpApiEndpoint.post("updateGalleryDescription", "/update-gallery-description", {
      payload: Schema.Struct({ galleryId: ListId, description: Description }),
      success: Schema.Struct(item),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description: "Sets a gallery's description, of up to 10,000 characters; an empty text clears it.",
      effect: "changes",
      tool: "Replaces a gallery's description. An empty text clears it.",
      example: { request: { galleryId, description: gallery.description }, answer: gallery }
    })),
    HttpApiEndpoint.post("setGalleryPublic", "/set-gallery-public", {
      payload: Schema.Struct({ galleryId: ListId, isPublic: Schema.Boolean }),
      success: Schema.Struct({ ...item, ...Fields.removals }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Makes a gallery public or private. One that becomes public loses the images that aren't yours; `removed` names them. The images themselves " +
        "stay as public or private as they are. To make one public a limited token needs the permission `share` as well.",
      effect: "changes",
      needsConsent: "publish",
      tool:
        "Makes a gallery public, so that anyone can read it, or private. The images in it stay as they are: others see only those that are public or " +
        "shared with them.",
      example: { request: { galleryId, isPublic: false }, answer: { ...gallery, removed: [] } }
    })),
    HttpApiEndpoint.post("deleteGallery", "/delete-gallery", {
      payload: Schema.Struct({ galleryId: ListId }),
      success: Acknowledgement,
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description: "Deletes a gallery; its images stay in the drive. One that is deleted already is 404.",
      effect: "deletes",
      needsConsent: "remove",
      tool: "Deletes a gallery; its images stay in the drive. This can't be undone.",
      example: { request: { galleryId }, answer: {} }
    }))
  )
  .middleware(Session)
  .add(
    HttpApiEndpoint.post("selectGallery", "/select-gallery", {
      payload: Schema.Struct({ galleryId: ListId, ...Fields.page }),
      success: Schema.Struct({ ...item, ...Fields.pageAnswer, featuredIds: Fields.FileIds }),
      error: [ApiError.NotFound, ApiError.Forbidden]
    })
      .middleware(OptionalSession)
      .annotateMerge(operation({
        description:
          "Returns a gallery and a page of its images, in order, without those in trash; `featuredIds` are the featured ones of the page. A public " +
          "one can be read by anyone, without a session too, and shows them the images that are public or shared with them. `limit` is 1 to 200, by " +
          "default 50; to get the next page, pass `nextOffset` back as `offset`. A private one of somebody else's is 404.",
        permissions: ["read"],
        effect: "reads",
        isRepeatable: true,
        tool: "Shows a gallery and the images in it, a page at a time: pass `nextOffset` back as `offset`.",
        example: {
          request: { galleryId, limit: 20 },
          answer: { ...gallery, files: [Examples.photo], nextOffset: null, featuredIds: [photoId] }
        }
      }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Galleries", description: `Ordered lists of images. ${Fields.limitedTokens}` })
  )
{}
