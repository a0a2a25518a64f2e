/** The HTTP contract of covers. Declarations only; no handler code. Spec: `/set-cover`, `/set-video-thumbnail`. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { NewCover, NewThumbnail, SetCover } from "./Cover.ts"

export class CoversApi extends HttpApiGroup.make("covers")
  .add(
    HttpApiEndpoint.post("setCover", "/set-cover", {
      payload: NewCover,
      success: SetCover,
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Makes one of your images, of up to 5 MB (of 1,024 × 1,024 bytes), the art of one of your tracks or " +
        "playlists: send `trackId` or `playlistId`. A track gets a JPEG of its own, which is as public as the track and does not " +
        "count as storage; the art it had is removed. A playlist is shown by the image itself: not while that is in trash, " +
        "and to others only while it is public. A larger image is 400 `image_too_large`.",
      permissions: ["organize"],
      effect: "changes",
      isRepeatable: true,
      tool:
        "Makes an image of the drive the cover of a track (`trackId`) or of a playlist (`playlistId`): send one of the two. The image may have " +
        "up to 5 MB; it replaces the former cover.",
      example: {
        request: { imageId: Examples.photoId, trackId: Examples.trackId },
        answer: {
          trackId: Examples.trackId,
          art: { id: "01999a15-e500-7931-9c1d-4a7efb5d6900", downloadUrl: null }
        }
      }
    })),
    HttpApiEndpoint.post("setVideoThumbnail", "/set-video-thumbnail", {
      payload: NewThumbnail,
      success: Schema.Struct({ success: Schema.Boolean }),
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Sets the poster that one of your videos is shown by: its frame at `timestampSeconds`, or one of your images (`imageId`). Send " +
        "one of the two. The poster it had is removed. A video of somebody else's that you can see is 403 `not_owner`.",
      permissions: ["organize"],
      effect: "changes",
      isRepeatable: true,
      tool:
        "Sets the picture a video is shown by: its frame at `timestampSeconds`, or an image of the drive (`imageId`). Send one of the two.",
      example: { request: { videoId: Examples.videoId, timestampSeconds: 12.5 }, answer: { success: true } }
    }))
  )
  .middleware(Session)
  .annotateMerge(
    OpenApi.annotations({
      title: "Covers",
      description: "The pictures that tracks, playlists and videos are shown by."
    })
  )
{}
