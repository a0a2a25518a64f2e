/** What files say and show, covers and similar tracks, as plain async functions. */
import {
  Covers,
  Extraction,
  type ReadAnswer,
  Reading,
  type SetCover,
  type SimilarTracks,
  Soundprints
} from "@filedrive/core"
import { Effect } from "effect"
import { type Call, fileId, listId } from "./Call.ts"

export interface ReadOptions {
  /** Of a video: seconds from its beginning. Default: a tenth of the way in. */
  readonly at?: number
  /** Of a PDF: the first page, from 1. Default 1. */
  readonly fromPage?: number
  /** Of a PDF: the last page, at most 20 in all. Default: ten pages. */
  readonly toPage?: number
  /** Of a text: the byte to begin at. Default 0. */
  readonly offset?: number
}

export interface MediaApi {
  readonly media: {
    /** `/read-file`; `image.data` is a JPEG in base64. */
    readonly read: (id: string, options?: ReadOptions) => Promise<ReadAnswer>
    /** `/set-cover` */
    readonly setCover: (
      target: { readonly trackId: string } | { readonly playlistId: string },
      imageId: string
    ) => Promise<SetCover>
    /** `/set-video-thumbnail` */
    readonly setVideoThumbnail: (
      videoId: string,
      from: { readonly timestampSeconds: number } | { readonly imageId: string }
    ) => Promise<void>
    /**
     * Has files looked into again in the background, as after ffmpeg was installed; what is known of them stays until then.
     * Answers how many that were: texts and the like are left alone.
     */
    readonly lookAgain: (ids: ReadonlyArray<string>) => Promise<number>
    /** `/select-similar-tracks`; `limit` is 1 to 100, 20 unless told otherwise. */
    readonly similarTracks: (id: string, limit?: number) => Promise<SimilarTracks>
  }
}

export const mediaApi = (call: Call): MediaApi => ({
  media: {
    read: async (id, options = {}) =>
      call(Effect.flatMap(Reading, (reading) => reading.read({ ...options, fileId: fileId(id) }))),
    setCover: async (target, image) => {
      const imageId = fileId(image)
      const cover = "trackId" in target
        ? { imageId, trackId: fileId(target.trackId) }
        : { imageId, playlistId: listId(target.playlistId) }
      return call(Effect.flatMap(Covers, (covers) => covers.set(cover)))
    },
    setVideoThumbnail: async (video, from) => {
      const videoId = fileId(video)
      const thumbnail = "imageId" in from
        ? { videoId, imageId: fileId(from.imageId) }
        : { videoId, timestampSeconds: from.timestampSeconds }
      return call(Effect.flatMap(Covers, (covers) => covers.setVideoThumbnail(thumbnail)))
    },
    lookAgain: async (ids) => call(Effect.flatMap(Extraction, (extraction) => extraction.request(ids.map(fileId)))),
    similarTracks: async (id, limit) =>
      call(Effect.flatMap(Soundprints, (soundprints) => soundprints.similar(fileId(id), limit)))
  }
})
