/** Sets the pictures that tracks, playlists and videos are shown by. Spec: `/set-cover`, `/set-video-thumbnail`. */
import { Context, Effect, Layer, Option } from "effect"
import { allowed, CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Plan from "../accounts/Plan.ts"
import { Derivatives, pictureBounds } from "../files/Derivatives.ts"
import type { VisibleFile } from "../files/VisibleFile.ts"
import { VisibleFiles } from "../files/VisibleFiles.ts"
import * as Limits from "../limits/Limits.ts"
import { Lists } from "../organize/Lists.ts"
import { Accounts } from "../ports/Accounts.ts"
import type { PictureBounds } from "../ports/MediaTools.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { type DriveError, InvalidField, NotFound, Refused, type Unreadable } from "../shared/DriveError.ts"
import type { FileType } from "../shared/FileType.ts"
import type { FileId } from "../shared/Ids.ts"
import * as Cover from "./Cover.ts"
import { FairTools } from "./FairTools.ts"
import * as Source from "./Source.ts"

type Failure = Extract<DriveError, { _tag: "InvalidField" | "NotFound" | "Refused" | "Unavailable" | "Unreadable" }>

/**
 * All of it is for the caller's own files outside trash: `NotFound` for others. Needs the permission to organize; what is
 * stored does not count against the quota, and yet takes a plan (`Refused`, `no_plan`). Repeating is safe.
 */
export class Covers extends Context.Service<Covers, {
  /**
   * Makes an image the art of a track, or of a playlist. A track gets a JPEG of at most 1,200 pixels a side made of the image,
   * which is as public as the track and goes where that goes; the art it had is removed. A playlist is shown by the image
   * itself: while that is in trash, or deleted, the playlist has no art, and to others than its owner only while it is public.
   *
   * Fails with `InvalidField`: for what is not an image, track or playlist, and for an image that can't be opened;
   * `image_too_large` above 5 MB. A playlist of which the token does not see all is `Refused` (`token_limit`). `Unreadable`
   * when this host has no tool to open the image.
   */
  readonly set: (cover: Cover.NewCover) => Effect.Effect<Cover.SetCover, Failure, CurrentAccount>

  /**
   * Shows a video by the frame at a moment, or by an image, as a JPEG of at most 1,280 pixels a side.
   *
   * Fails with `Refused` (`not_owner`) for somebody else's video that the caller can see; with `InvalidField` for a moment
   * past its end, and for an image that can't be opened; with `Unreadable` when the video can't be.
   */
  readonly setVideoThumbnail: (thumbnail: Cover.NewThumbnail) => Effect.Effect<void, Failure, CurrentAccount>
}>()("@filedrive/core/media/Covers") {
  static readonly layerNoDeps = Layer.effect(
    Covers,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const derivatives = yield* Derivatives
      const files = yield* VisibleFiles
      const lists = yield* Lists
      const store = yield* ObjectStore
      const tools = yield* FairTools

      /** The caller's own file of a type, which `field` names. */
      const own = Effect.fnUntraced(function*(id: FileId, field: string, type: FileType) {
        const found = Option.filter(yield* files.find(id), ({ isOwn, isPicture }) => isOwn && !isPicture)
        if (Option.isNone(found)) return yield* new NotFound({ resource: "file", id })
        if (found.value.type !== type) {
          return yield* new InvalidField({
            code: "invalid_field",
            field,
            because: `must be the id of ${Cover.kinds[type] ?? "another file"}`
          })
        }
        return found.value
      })

      const cover = Effect.fnUntraced(function*(imageId: FileId) {
        const image = yield* own(imageId, "imageId", "Image")
        if (image.sizeBytes <= Limits.coverMaxBytes) return image
        return yield* new InvalidField({
          code: "image_too_large",
          field: "imageId",
          because: `has ${image.sizeBytes} bytes; a cover has at most ${Limits.coverMaxBytes}`
        })
      })

      /** The image as a picture; when it can't be opened, the error names its field. */
      const still = (image: VisibleFile, bounds: PictureBounds) =>
        Source.wherever(
          image,
          own(image.id, "imageId", "Image"),
          // Nothing is stored while the tools make the picture: a caller who disconnects then cancels the call.
          (image) => Effect.interruptible(tools.still(image, bounds))
        ).pipe(Effect.catchTag("Unreadable", unlessBroken))

      const setOfTrack = Effect.fnUntraced(function*(trackId: FileId, imageId: FileId) {
        const track = yield* own(trackId, "trackId", "Audio")
        const image = yield* cover(imageId)
        yield* Plan.storing(accounts, track.accountId)
        const picture = yield* still(image, pictureBounds.cover)
        const art = yield* derivatives.replace(track.accountId, track.id, picture)
        return {
          trackId: track.id,
          art: { id: art.id, downloadUrl: art.isPublic ? store.publicUrl(art.storeKey) : null }
        }
      })

      const set = Effect.fn("Covers.set")(function*(asked: Cover.NewCover) {
        yield* allowed("organize")
        const target = yield* Effect.fromResult(Cover.targetOf(asked))
        if (target._tag === "Track") return yield* setOfTrack(target.id, asked.imageId)
        const image = yield* cover(asked.imageId)
        // A host without tools shows the image without opening it; the picture itself is not needed here.
        yield* Effect.catchTag(still(image, pictureBounds.thumbnail), "Unreadable", () => Effect.void)
        const { id, isPublic, title } = yield* lists.setCover(target.id, image.id)
        return { playlistId: id, title, isPublic }
      })

      /** The caller's own video. */
      const ownVideo = Effect.fnUntraced(function*(id: FileId) {
        const account = yield* CurrentAccount
        const found = yield* files.find(id)
        if (Option.isSome(found) && found.value.accountId !== account.id) {
          return yield* new Refused({ code: "not_owner", because: "This video is somebody else's." })
        }
        return yield* own(id, "videoId", "Video")
      })

      const frame = Effect.fnUntraced(function*(video: VisibleFile, atSeconds: number) {
        const shown = yield* Source.wherever(
          video,
          ownVideo(video.id),
          (video) => Effect.interruptible(tools.frame(video, { atSeconds, ...pictureBounds.poster }))
        )
        if (shown._tag === "Frame") return shown
        return yield* Cover.pastEnd(shown.durationSeconds)
      })

      const setVideoThumbnail = Effect.fn("Covers.setVideoThumbnail")(function*(asked: Cover.NewThumbnail) {
        yield* allowed("organize")
        const origin = yield* Effect.fromResult(Cover.originOf(asked))
        const video = yield* ownVideo(asked.videoId)
        const image = origin._tag === "Image" ? yield* own(origin.id, "imageId", "Image") : null
        yield* Plan.storing(accounts, video.accountId)
        const picture = yield* image !== null
          ? still(image, pictureBounds.poster)
          : frame(video, origin._tag === "Moment" ? origin.atSeconds : 0)
        yield* derivatives.replace(video.accountId, video.id, picture)
      })

      return Covers.of({ set, setVideoThumbnail })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(FairTools.layer))
}

/** When the tools can't open an image the caller must send another; when a tool is missing the host must install it. */
const unlessBroken = (error: Unreadable): Effect.Effect<never, InvalidField | Unreadable> =>
  Effect.fail(
    error.missingTool === undefined
      ? new InvalidField({ code: "invalid_field", field: "imageId", because: "must be an image that can be opened" })
      : error
  )
