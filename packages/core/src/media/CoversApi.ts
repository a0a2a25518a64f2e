/** The HTTP contract of covers. Declarations only; no handler code. Spec: `/set-cover`, `/set-video-thumbnail`. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import { Session } from "../http/Session.ts"
import { NewCover, NewThumbnail, SetCover } from "./Cover.ts"

export class CoversApi extends HttpApiGroup.make("covers")
  .add(
    HttpApiEndpoint.post("setCover", "/set-cover", {
      payload: NewCover,
      success: SetCover,
      error: [ApiError.NotFound, ApiError.Unprocessable, ApiError.BadGateway]
    }).annotateMerge(OpenApi.annotations({
      description:
        "Makes one of your images, of up to 5 MB (of 1,024 × 1,024 bytes), the art of one of your tracks or " +
        "playlists: give `trackId` or `playlistId`. A track gets a JPEG of its own, as public as the track and counted " +
        "against nothing, and the art it had is removed. A playlist is shown by the image itself: not while that is in trash, " +
        "and to others only while it is public."
    })),
    HttpApiEndpoint.post("setVideoThumbnail", "/set-video-thumbnail", {
      payload: NewThumbnail,
      success: Schema.Struct({ success: Schema.Boolean }),
      error: [ApiError.NotFound, ApiError.Unprocessable, ApiError.BadGateway]
    }).annotateMerge(OpenApi.annotations({
      description:
        "Shows one of your videos by the frame at `timestampSeconds`, or by one of your images (`imageId`): give " +
        "one of them. The poster it had is removed."
    }))
  )
  .middleware(Session)
  .annotateMerge(
    OpenApi.annotations({ title: "Covers", description: "What tracks, playlists and videos are shown by." })
  )
{}
